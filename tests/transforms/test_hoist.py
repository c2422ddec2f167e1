"""The step that hoists: after the reads, on what they left, by simulation alone."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from transforms_support import run, write

from codemod.packs import Step
from codemod.transforms.samples import PACK, RECORD

REPOSITORY = Path(__file__).parents[2]
LOCAL = "def f():\n    from app.config import get_pool\n\n    return get_pool().size\n"
MOVED = "from app.config import get_pool\n\n\ndef f():\n    return get_pool().size\n"
TWO = {
    **RECORD,
    "app/one.py": LOCAL,
    "app/two.py": LOCAL,
    "app/three.py": "def f():\n    from app import two\n\n    return two\n",
}


def test_modules_say_whose_imports_move(tmp_path: Path) -> None:
    step = Step("hoist", ("hoist",), modules=("app.one",))
    done = run(tmp_path / "project", TWO, PACK, step)
    assert done.after == {"app/one.py": MOVED}
    assert done.kept == []


def test_imports_say_which_imports_move(tmp_path: Path) -> None:
    step = Step("hoist", ("hoist",), imports=("app.conf*",))
    done = run(tmp_path / "project", TWO, PACK, step)
    assert done.after == {"app/one.py": MOVED, "app/two.py": MOVED}


def test_withheld_files_stay_as_they_are(tmp_path: Path) -> None:
    withheld = frozenset({"app/one.py", "app/three.py"})
    done = run(tmp_path / "project", TWO, PACK, "hoist", withheld=withheld)
    assert done.after == {"app/two.py": MOVED}


def test_the_tree_is_taken_as_earlier_steps_left_it(tmp_path: Path) -> None:
    files = {**RECORD, "app/one.py": "", "app/two.py": "import app.one\n"}
    overlay = {"app/one.py": LOCAL.encode(), "app/config.py": b"import app.two\n"}
    overlay["app/config.py"] += RECORD["app/config.py"].encode()
    done = run(tmp_path / "project", files, PACK, "hoist", overlay)
    assert (done.after, done.kept) == ({}, ["cycle"])
    (site,) = done.plan.kept
    assert site.why.endswith(
        " app.config (app/config.py:1) → app.two (app/two.py:1) → app.one "
        "(app/one.py:2) → app.config"
    )


def test_the_text_keeps_its_encoding(tmp_path: Path) -> None:
    files = {**RECORD, "app/one.py": ""}
    text = f"\ufeff{LOCAL}# ß\r\n"
    done = run(
        tmp_path / "project", files, PACK, "hoist", {"app/one.py": text.encode()}
    )
    assert done.after == {"app/one.py": f"\ufeff{MOVED}# ß\r\n"}


# ``app.config`` imports ``app.use`` first, so the accessor has to go into the function;
# then somebody's own tool takes that import away.
SERIES = """
[[step]]
name = "reads"

[[step]]
name = "loosen"
command = "{python} loosen.py"

[[step]]
name = "hoist"
transform = "hoist"
imports = ["app.config"]
"""
LOOSEN = """\
from pathlib import Path

file = Path("app/config.py")
file.write_text(file.read_text().removeprefix("import app.use\\n"))
"""


def test_what_reads_had_to_put_into_a_function_leaves_it_later(tmp_path: Path) -> None:
    use = (
        "def f():\n    from app.config import get_config\n\n"
        "    return get_config().size\n"
    )
    files = {
        **RECORD,
        "app/config.py": "import app.use\n" + RECORD["app/config.py"],
        "app/use.py": use,
        "loosen.py": LOOSEN,
        "nsroute.toml": PACK + SERIES.format(python=sys.executable),
    }
    root = tmp_path / "project"
    write(root, files)
    command = [sys.executable, "-m", "codemod.cli", "diff", "--format", "json"]
    ran = subprocess.run(
        command,
        cwd=root,
        env={"PYTHONPATH": str(REPOSITORY), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 1, ran.stderr
    commits = json.loads(ran.stdout)["commits"]
    assert [commit["step"] for commit in commits] == ["reads", "loosen", "hoist"]
    reads, _, hoist = (commit["changes"][0]["diff"] for commit in commits)
    assert "\n+    from app.config import get_pool\n" in reads
    assert "\n-    from app.config import get_pool\n" in hoist
    assert "\n+from app.config import get_pool\n" in hoist
    assert commits[2]["message"].startswith("Import at module level\n\nHoist 1 in 1")
