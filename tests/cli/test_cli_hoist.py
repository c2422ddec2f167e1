"""``nsroute hoist``, and ``nsroute explain`` of an import inside a function."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from . import support
from .support import nsroute, result_of

# ``run`` closes a circle when ``app.start`` is imported first; ``thing`` does not.
FILES = {
    "app/__init__.py": "",
    "app/start.py": """\
import app.engine


def helper():
    return 1


def go():
    from app.parts import thing

    return thing()
""",
    "app/engine.py": """\
def run():
    from app.start import helper

    return helper()
""",
    "app/parts.py": """\
def thing():
    return 2


def plot(values):
    from app.charts import draw

    return draw(values)


def maybe(fast):
    if fast:
        from app.engine import run

        return run()
    return None
""",
    "app/charts.py": "import matplotlib\n\n\ndef draw(values):\n    return values\n",
}
MOVED = {
    **FILES,
    "app/start.py": """\
import app.engine
from app.parts import thing


def helper():
    return 1


def go():
    return thing()
""",
}
DIFF = """\
diff --git a/app/start.py b/app/start.py
--- a/app/start.py
+++ b/app/start.py
@@ -1,4 +1,5 @@
 import app.engine
+from app.parts import thing
~
~
 def helper():
@@ -6,6 +7,4 @@
~
~
 def go():
-    from app.parts import thing
-
     return thing()
""".replace("~", " ")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """The files above, in a clean repository and without a pack."""
    return support.commit(support.write(tmp_path / "project", FILES))


def texts(folder: Path) -> dict[str, str]:
    return {path: (folder / path).read_text() for path in FILES}


def test_a_dry_run_shows_the_diff_and_writes_nothing(project: Path) -> None:
    done = nsroute(project, "hoist", "--quiet")
    assert done.returncode == 1
    assert done.stderr == ""
    comments = [line for line in done.stdout.splitlines() if line.startswith("#")]
    assert comments == [
        "# hoist: Import at module level",
        "#",
        "# 1 import inside functions in 1 file.",
        "#",
        "# 3 stay:",
        "#   1 conditional",
        "#   1 cycle",
        "#   1 heavy",
    ]
    assert done.stdout.endswith(DIFF)
    assert texts(project) == FILES
    assert support.git(project, "status", "--porcelain") == ""


def test_git_applies_what_is_printed_with_its_summary(project: Path) -> None:
    shown = nsroute(project, "hoist").stdout
    assert "| stay | reason" in shown
    (project.parent / "moves.patch").write_text(shown)
    support.git(project, "apply", "../moves.patch")
    assert texts(project) == MOVED


def test_the_summary_has_reasons_and_the_chain_of_the_cycle(project: Path) -> None:
    text = nsroute(project, "hoist", "--summary").stdout
    assert (
        text
        == """\
4 local imports in 3 files: 1 move to module level in 1 file, 3 stay.

| stay | reason      | why                                         |
| ---: | ----------- | ------------------------------------------- |
|    1 | conditional | It runs on a condition.                     |
|    1 | cycle       | At module level it would break an import.   |
|    1 | heavy       | Importing this module would load much more. |

Cycles:
  app/engine.py:2: from app.start import helper
    At module level, `import app.start` would fail: ImportError: cannot import name \
'helper' from 'app.start'.
    app.start (app/start.py:1) → app.engine (app/engine.py:2) → app.start

For real: 2 of 2 modules that a hoist can change were imported before and after.

Importing app.start loads most in addition: 1 module of the project.
"""
    )


LISTED = [
    "app/engine.py:2:5: from app.start import helper kept: cycle",
    "app/parts.py:6:5: from app.charts import draw kept: heavy",
    "app/parts.py:13:9: from app.engine import run kept: conditional",
    "app/start.py:9:5: from app.parts import thing -> module level",
]


def test_a_list_has_a_line_for_each_import(project: Path) -> None:
    done = nsroute(project, "hoist", "--list", "--quiet")
    assert done.stdout.splitlines() == [*LISTED, ""]
    assert done.returncode == 1


REASONS = [
    ("hoist", [LISTED[3] + ": "]),
    (
        "heavy",
        [
            LISTED[1] + ": It would load the third-party package matplotlib, and 1 "
            "module of the project. app.parts (app/parts.py:6) → app.charts "
            "(app/charts.py:1) → matplotlib"
        ],
    ),
    ("conditional", [LISTED[2] + ": It runs only under `if fast` in line 12."]),
    ("optional", []),
]


@pytest.mark.parametrize(("reason", "lines"), REASONS)
def test_a_reason_lists_its_imports_with_the_proof(
    reason: str, lines: list[str], project: Path
) -> None:
    done = nsroute(
        project, "hoist", "--reason", reason, "--quiet", "--trust", "simulation"
    )
    assert [line for line in done.stdout.splitlines() if line] == [
        line.removesuffix(": ") for line in lines
    ]


def test_json_has_every_import_and_is_the_same_each_time(project: Path) -> None:
    first = nsroute(project, "hoist", "--format", "json")
    again = nsroute(project, "hoist", "--format", "json", "--jobs", "1")
    assert first.returncode == 1
    assert first.stdout == again.stdout
    found = json.loads(first.stdout)
    assert list(found) == [
        "schema",
        "tool",
        "root",
        "summary",
        "imports",
        "changes",
        "disagreements",
        "unproven",
        "rolled_back",
        "doubled",
        "errors",
    ]
    assert (found["schema"], found["root"]) == (1, ".")
    summary = found["summary"]
    assert summary["keep"] == {"conditional": 1, "cycle": 1, "heavy": 1}
    assert (summary["imports"], summary["hoist"]) == (4, 1)
    cycle, heavy = found["imports"][:2]
    assert cycle["proof"] == "simulation"
    assert cycle["chain"] == [
        {
            "module": "app.start",
            "file": "app/start.py",
            "line": 1,
            "target": "app.engine",
            "hoisted": False,
            "call": False,
        },
        {
            "module": "app.engine",
            "file": "app/engine.py",
            "line": 2,
            "target": "app.start",
            "hoisted": True,
            "call": False,
        },
    ]
    assert heavy["added_packages"] == ["matplotlib"]
    (change,) = found["changes"]
    assert (change["file"], change["imports"]) == ("app/start.py", 1)
    assert change["diff"] == DIFF


def test_apply_writes_in_place_and_a_second_run_has_nothing_to_do(
    project: Path,
) -> None:
    done = nsroute(project, "hoist", "--apply")
    assert done.returncode == 0
    assert done.stdout.startswith("     1  app/start.py\n\n4 local imports")
    assert texts(project) == MOVED
    support.git(project, "commit", "--quiet", "--all", "--message", "hoist")
    again = nsroute(project, "hoist", "--quiet")
    assert (again.returncode, again.stdout) == (0, "")


def test_apply_makes_a_commit_on_a_branch(project: Path) -> None:
    author = ("--author", "A <a@example.invalid>")
    done = nsroute(project, "hoist", "--apply", "--branch", "hoisted", *author)
    assert done.returncode == 0
    assert texts(project) == FILES
    assert support.git(project, "log", "--format=%s", "hoisted").split("\n")[:2] == [
        "Import at module level",
        "start",
    ]
    assert support.git(project, "show", "hoisted:app/start.py") == MOVED["app/start.py"]


def test_apply_writes_patches(project: Path) -> None:
    author = ("--author", "A <a@example.invalid>")
    done = nsroute(project, "hoist", "--apply", "--patches", "../out", *author)
    assert done.returncode == 0
    patches = sorted((project.parent / "out").iterdir())
    assert len(patches) == 2  # the letter, and the patch
    support.git(project, "am", "--quiet", str(patches[1]))
    assert texts(project) == MOVED


def test_a_commit_leaves_files_alone_that_git_does_not_track(project: Path) -> None:
    support.write(project, {"app/new.py": "def f():\n    from app import parts\n"})
    author = ("--author", "A <a@example.invalid>")
    done = nsroute(project, "hoist", "--apply", "--branch", "hoisted", *author)
    assert "app/new.py: left as it was: git does not track it" in done.stderr
    assert support.git(project, "show", "--stat", "hoisted").count("app/new.py") == 0


@pytest.mark.parametrize("line", ["from app.new import made", "import app.new"])
def test_a_commit_imports_nothing_that_git_does_not_track(
    project: Path, line: str
) -> None:
    """In the function it may never run; at module level each import would fail."""
    user = f"def use():\n    {line}\n    return {line.split()[-1]}\n"
    support.write(project, {"app/user.py": user})
    support.git(project, "add", "app/user.py")
    support.git(project, "commit", "--quiet", "-m", "user")
    support.write(project, {"app/new.py": "made = 1\n"})
    before = support.git(project, "rev-parse", "HEAD")
    author = ("--author", "A <a@example.invalid>")
    done = nsroute(project, "hoist", "--apply", "--branch", "hoisted", *author)
    assert done.returncode == 2
    assert "app/new.py: git does not track it" in done.stderr
    assert "first in app/user.py" in done.stderr
    assert support.git(project, "branch", "--list", "hoisted") == ""
    assert support.git(project, "rev-parse", "HEAD") == before
    assert nsroute(project, "hoist", "--apply").returncode == 0


def test_apply_refuses_a_dirty_tree_before_any_work(project: Path) -> None:
    support.write(project, {"app/charts.py": "def draw(values):\n    return values\n"})
    refused = nsroute(project, "hoist", "--apply")
    assert refused.returncode == 2
    assert "has uncommitted changes" in refused.stderr
    forced = nsroute(project, "hoist", "--apply", "--force")
    assert forced.returncode == 0
    assert "from app.charts import draw\n" in (project / "app/parts.py").read_text()


MISTAKES = [
    (["--branch", "x"], "error: --branch goes with --apply"),
    (["--force"], "error: --force goes with --apply"),
    (["--trust", "simulation", "--mock", "torch"], "error: --mock is for a real"),
    (["--python", "no-such-python"], "error: --python no-such-python: there is no"),
    (["--python", "git"], "is not a Python that can import modules"),
    (["--reason", "cyclic"], "error: --reason cyclic: there is no such reason"),
    (["no/where"], "error: no/where: there is no such path"),
    (["app.nothing"], "error: app.nothing: no Python file of . fits"),
    (["--apply", "--branch", "a", "--patches", "b"], "are two ways: choose one"),
]


@pytest.mark.parametrize(("arguments", "message"), MISTAKES)
def test_a_mistake_is_said(arguments: list[str], message: str, project: Path) -> None:
    done = nsroute(project, "hoist", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
    assert "Traceback" not in done.stderr


NARROWED = [
    (["app/start.py"], ["app.start"]),
    (["app.parts"], ["app.parts", "app.parts"]),
    (["--module", "app.parts"], ["app.start"]),
    (["--module", "app.start", "--module", "app.c*"], ["app.engine", "app.parts"]),
    (["--exclude", "parts.py"], ["app.engine", "app.start"]),
]


@pytest.mark.parametrize(("arguments", "modules"), NARROWED)
def test_narrowing(arguments: list[str], modules: list[str], project: Path) -> None:
    found = result_of(project, "hoist", "--trust", "simulation", *arguments)
    assert [decision["module"] for decision in found["imports"]] == modules


def test_options_change_what_is_kept(project: Path) -> None:
    found = result_of(
        project, "hoist", "--trust=simulation", "--conditions", "--allow=matplotlib"
    )
    assert found["summary"]["keep"] == {"cycle": 1}
    found = result_of(project, "hoist", "--trust=simulation", "--heavy", "0")
    assert found["summary"]["keep"] == {"conditional": 1, "heavy": 3}


def test_missing_packages_are_said_and_may_be_mocked(project: Path) -> None:
    options = ("hoist", "--summary", "--allow", "no_such_package")
    support.write(project, {"app/charts.py": "import no_such_package\ndraw = 1\n"})
    # Moved, the import would make app.parts need a package that is not there.
    plain = nsroute(project, *options).stdout
    assert "would fail: ModuleNotFoundError: No module named 'no_such_pack" in plain
    mocked = nsroute(project, *options, "--mock-missing").stdout
    assert "For real: 3 of 3 modules" in mocked
    support.write(
        project, {"app/engine.py": FILES["app/engine.py"] + "import no_such_package\n"}
    )
    unproven = nsroute(project, *options).stdout
    assert "could not be imported before either" in unproven
    assert "No module named 'no_such_package'" in unproven
    assert "--mock-missing puts stand-ins for it" in unproven
    one = nsroute(project, *options, "--mock", "no_such_package,torch").stdout
    assert "could not be imported" not in one


def test_where_they_differ_it_is_kept_and_said(tmp_path: Path) -> None:
    # Only an interpreter finds that this package can be imported once and no more.
    files = {
        "lib.py": "def f():\n    import app\n    return app\n",
        "app.py": "import sys\nif 'lib' in sys.modules:\n    raise OSError('late')\n",
    }
    project = support.write(tmp_path, files)
    done = nsroute(project, "hoist")
    assert done.returncode == 0
    assert (
        "lib.py:2: kept, as simulation and interpreter differ on `import lib`: works "
        "by simulation, OSError: late for real" in done.stderr
    )
    assert nsroute(project, "hoist", "--trust", "simulation").returncode == 1
    assert nsroute(project, "hoist", "--trust", "real").returncode == 0


BAD = {
    "good.py": "def f():\n    from lib import x\n    return x\n",
    "lib.py": "x = 1\n",
    "exits.py": "import good\nraise SystemExit(1)\n",
    "endless.py": "import good\nwhile True: pass\n",
    "forks.py": "import os, time\nimport good\nif os.fork() == 0: time.sleep(600)\n",
    "asks.py": "import good\ninput()\n",
    "prints.py": "import good\nfor _ in range(300): print('x' * 10000)\n",
    "broken.py": "def (:\n",
    "pkg.py": "",
    "pkg/__init__.py": "",
}


def test_bad_modules_are_reported_and_the_rest_goes_on(tmp_path: Path) -> None:
    project = support.write(tmp_path, BAD)
    done = nsroute(project, "hoist", "--timeout", "2")
    assert done.returncode == 3
    assert "+from lib import x\n" in done.stdout
    assert "error: broken.py:1: Python 3" in done.stderr
    assert "several files are the module 'pkg': pkg.py, pkg/__init__.py" in done.stderr
    assert "# For real: 3 of 6 modules" in done.stdout
    for failure in ("SystemExit", "Timeout", "EOFError"):
        assert failure in done.stdout
    assert "xxx" not in done.stdout + done.stderr
    left = sorted(path.name for path in project.iterdir())
    assert left == sorted({path.split("/")[0] for path in BAD})


def test_an_interrupt_leaves_no_process_and_no_file(tmp_path: Path) -> None:
    files = {
        "good.py": "def f():\n    from lib import x\n    return x\n",
        "lib.py": "x = 1\n",
        "slow.py": "import good, os, time\n"
        f"open({str(tmp_path / 'pid')!r}, 'w').write(str(os.getpid()))\n"
        "time.sleep(600)\n",
    }
    project = support.write(tmp_path / "project", files)
    run = subprocess.Popen(
        [sys.executable, "-m", "codemod.cli", "hoist", "--apply"],
        cwd=project,
        env=support.environment({"TMPDIR": str(tmp_path)}),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    marker = tmp_path / "pid"
    deadline = time.monotonic() + 60
    while not (marker.exists() and marker.read_text()):
        assert time.monotonic() < deadline and run.poll() is None
        time.sleep(0.05)
    os.kill(run.pid, signal.SIGINT)
    _, errors = run.communicate(timeout=30)
    assert run.returncode == 130, errors
    assert b"interrupted" in errors
    with pytest.raises(ProcessLookupError):
        os.kill(int(marker.read_text()), 0)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["pid", "project"]
    assert {p: (project / p).read_text() for p in files} == files


EXPLAINED = [
    ("app/engine.py:2", "stays (cycle)", "chain:    app.start (app/start.py:1) → "),
    ("app/start.py:9", "moves to module level", "loads:    1 module of the project"),
    ("app/parts.py:13", "stays (conditional)", "only under `if fast` in line 12"),
    ("app/parts.py:6", "stays (heavy)", "third-party package matplotlib"),
]


@pytest.mark.parametrize(("place", "outcome", "why"), EXPLAINED)
def test_explain_needs_no_pack(
    place: str, outcome: str, why: str, project: Path
) -> None:
    done = nsroute(project, "explain", place)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[0].endswith(f": {outcome}")
    assert why in done.stdout


def test_explain_in_json(project: Path) -> None:
    found = result_of(project, "explain", "app/engine.py:2")
    assert (found["reads"], found["uses"]) == ([], [])
    (decision,) = found["imports"]
    assert (decision["decision"], decision["reason"]) == ("keep", "cycle")
    assert decision["entry"] == "app.start"


def test_explain_asks_for_a_pack_where_there_is_no_local_import(project: Path) -> None:
    done = nsroute(project, "explain", "app/start.py:1")
    assert done.returncode == 2
    assert "no pack is configured" in done.stderr


def test_what_is_run_is_said_before(project: Path) -> None:
    said = "which runs their top levels, in "
    assert said in " ".join(nsroute(project, "hoist").stderr.split())
    nothing = nsroute(project, "hoist", "--trust", "simulation")
    assert said not in " ".join(nothing.stderr.split())
