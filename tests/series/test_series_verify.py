"""Each commit is tried; what breaks it is found, alone or in pairs, and taken back."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from codemod.series.commit import Change
from codemod.series.verify import smallest_failing
from tests.series import support
from tests.series.support import FILES, PACK, commit, git, nsroute, write

PYTHON = sys.executable


def project(folder: Path, check: str, timeout: float = 60) -> Path:
    """The shop, with a check of its own as a Python file and as the pack's command."""
    pack = PACK + f"\n[verify]\ncommand = '{PYTHON} check.py'\ntimeout = {timeout}\n"
    return commit(write(folder, {**FILES, "nsroute.toml": pack, "check.py": check}))


#: Fails when both files are changed, and only then.
TOGETHER = """\
import pathlib, sys
texts = [pathlib.Path(p).read_text() for p in ("app/cache.py", "app/server.py")]
print("looked at both")
sys.exit(all("get_cache()" in text for text in texts))
"""


def test_a_check_that_passes_takes_nothing_back(tmp_path: Path) -> None:
    folder = project(tmp_path / "shop", "import app.cache, app.server, tool\n")
    before = support.state(folder)
    done = nsroute(folder, "apply", "--branch", "ns")
    assert done.returncode == 0, done.stderr
    assert f"verify: {PYTHON} check.py  (before any change)" in done.stderr
    assert f"verify reads/cache: {PYTHON} check.py" in done.stderr
    git(folder, "branch", "-D", "ns")
    assert support.state(folder) == before


def test_a_file_that_breaks_it_is_taken_back(tmp_path: Path) -> None:
    check = """\
import pathlib
text = pathlib.Path("app/server.py").read_text()
assert "get_cache()" not in text, "the server wants its own"
"""
    folder = project(tmp_path / "shop", check)
    done = nsroute(folder, "apply", "--branch", "ns")
    assert done.returncode == 1
    assert "app/server.py: left as it was (verify-failed)" in done.stderr
    assert "AssertionError: the server wants its own" in done.stderr
    server = git(folder, "show", "ns:app/server.py")
    assert "get_net().http.host, get_net().http.port, config.size" in server
    assert "get_cache().size" in git(folder, "show", "ns:app/cache.py")


def test_two_files_that_break_only_together_are_found(tmp_path: Path) -> None:
    folder = project(tmp_path / "shop", TOGETHER)
    done = nsroute(folder, "apply", "--branch", "ns")
    assert done.returncode == 1
    assert "together with app/server.py. It printed:\n  looked at both" in done.stderr
    assert git(folder, "diff", "--stat", "main", "ns", "--", "app/cache.py") == ""
    assert "config.size" in git(folder, "show", "ns:app/server.py")
    assert "get_net()" in git(folder, "show", "ns:tool.py")


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("no-such-command --at-all", "could not be started"),
        ("exit 3", "ended with exit code 3"),
        ("sleep 600 & sleep 600", "did not end within 1 s and was stopped"),
    ],
)
def test_a_check_that_fails_before_any_change_stops_the_run(
    tmp_path: Path, command: str, message: str
) -> None:
    pack = PACK + f"\n[verify]\ncommand = '{command}'\ntimeout = 1\n"
    folder = commit(write(tmp_path / "shop", {**FILES, "nsroute.toml": pack}))
    before = support.state(folder)
    done = nsroute(folder, "apply", "--branch", "ns")
    assert done.returncode == 2
    assert message in done.stderr
    assert "before any change, so that it can tell nothing" in done.stderr
    assert "\\x0a" not in done.stderr
    assert support.state(folder) == before
    assert nsroute(folder, "apply", "--branch", "ns", "--no-verify").returncode == 0


def test_in_place_sees_uncommitted_work_and_a_copy_serves_without_git(
    tmp_path: Path,
) -> None:
    check = "import mine\nassert mine.VALUE == 2\nimport app.server\n"
    folder = project(tmp_path / "shop", check)
    write(folder, {"mine.py": "VALUE = 2\n"})
    done = nsroute(folder, "apply")
    assert done.returncode == 0, done.stderr
    assert "get_cache().size" in (folder / "app/cache.py").read_text()
    plain = write(tmp_path / "plain", {**FILES, "mine.py": "VALUE = 2\n"})
    write(plain, {"nsroute.toml": (folder / "nsroute.toml").read_bytes()})
    write(plain, {"check.py": check})
    done = nsroute(plain, "apply")
    assert done.returncode == 0, done.stderr


def test_an_interrupt_leaves_nothing(tmp_path: Path) -> None:
    check = "import pathlib, time\n"
    check += f"pathlib.Path({str(tmp_path / 'here')!r}).touch()\ntime.sleep(60)\n"
    folder = project(tmp_path / "shop", check)
    before = support.state(folder)
    running = subprocess.Popen(
        [PYTHON, "-m", "codemod.cli", "apply", "--branch", "ns"],
        cwd=folder,
        env=support.environment(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    while not (tmp_path / "here").exists():
        assert running.poll() is None
        time.sleep(0.05)
    os.kill(running.pid, signal.SIGINT)
    _, errors = running.communicate(timeout=30)
    assert running.returncode == 130, errors
    assert support.state(folder) == before


def _changes(number: int) -> list[Change]:
    return [Change(f"{n}.py", b"", b"x") for n in range(number)]


@pytest.mark.parametrize(
    ("number", "culprits"),
    [
        (1, {0}),
        (2, {1}),
        (2, {0, 1}),
        (8, {5}),
        (8, {0, 7}),
        (13, {3, 4}),
        (40, {2, 21, 39}),
    ],
)
def test_the_smallest_failing_set_is_found(number: int, culprits: set[int]) -> None:
    tried = 0

    def fails(subset: Sequence[Change]) -> bool:
        nonlocal tried
        tried += 1
        return culprits <= {int(change.path[:-3]) for change in subset}

    found = smallest_failing(_changes(number), fails)
    assert {int(change.path[:-3]) for change in found} == culprits
    assert tried <= number * (number + 1) // 2 + 2


def test_one_culprit_among_many_is_found_by_halving() -> None:
    tried: list[int] = []

    def fails(subset: Sequence[Change]) -> bool:
        tried.append(len(subset))
        return any(change.path == "201.py" for change in subset)

    assert [c.path for c in smallest_failing(_changes(256), fails)] == ["201.py"]
    assert len(tried) <= 16


WRITERS = """
[writers]
override = { call = "app.context:get_context" }
"""
#: A record whose writers a namespace does not see, and a reader beside each writer.
WRITTEN: dict[str, str | bytes] = {
    "app/context.py": str(FILES["app/context.py"])
    + "\n\ndef get_context():\n    return _config\n",
    "app/config.py": str(FILES["app/config.py"])
    + "\n    def override(self, source, **fields):\n"
    "        vars(self).update(fields)\n",
    "app/cache.py": "from app.context import get_config\n\n\n"
    "def room():\n    return get_config().size, get_config().policy\n",
    "app/writer.py": "from app.context import get_config\n\n\n"
    "def grow(n):\n    get_config().override('grow', size=n)\n"
    "    return get_config().policy\n",
}


def test_a_reader_and_its_writer_are_tried_and_taken_back_together(
    tmp_path: Path,
) -> None:
    """The check fails on each without the other, as a program would."""
    check = f"""\
import pathlib, sys
reads = "get_cache().size" in pathlib.Path("app/cache.py").read_text()
writes = "get_context()" in pathlib.Path("app/writer.py").read_text()
if reads != writes:
    pathlib.Path({str(tmp_path / "torn")!r}).touch()
sys.exit(reads or writes)
"""
    pack = f"{PACK}{WRITERS}\n[verify]\ncommand = '{PYTHON} check.py'\n"
    files = {**FILES, **WRITTEN, "nsroute.toml": pack, "check.py": check}
    folder = commit(write(tmp_path / "shop", files))
    done = nsroute(folder, "apply", "--branch", "ns")
    assert done.returncode == 1, done.stderr
    assert not (tmp_path / "torn").exists(), "a reader was tried without its writer"
    assert "left as it was (verify-failed)" in done.stderr
    changed = git(folder, "diff", "main", "ns", "--", "app")
    # One of the files stays; of the others what does not hang on it goes on.
    assert "get_cache().size" not in changed and "get_context" not in changed
    assert "+    return get_config().size, get_cache().policy" in changed or (
        "+    return get_cache().policy" in changed
    )
    assert "get_net().http.host, get_net().http.port, config.size" in git(
        folder, "show", "ns:app/server.py"
    )


def test_a_parameter_and_its_argument_are_taken_back_together(tmp_path: Path) -> None:
    check = """\
import pathlib, sys
import app.high
app.high.run(["a"])
sys.exit("config" not in pathlib.Path("app/low.py").read_text())
"""
    pack = PACK.replace("owners =", 'attributes = ["config"]\nowners =')
    pack += f"\n[cleanup]\n[verify]\ncommand = '{PYTHON} check.py'\n"
    files = {
        **FILES,
        "nsroute.toml": pack,
        "check.py": check,
        "app/low.py": "def fits(words, config):\n    return len(words) < 9\n",
        "app/lower.py": "def fits2(words, config):\n    return len(words) < 9\n",
        "app/high.py": "from app.context import get_config\n"
        "from app.low import fits\nfrom app.lower import fits2\n\n\n"
        "def run(words):\n    config = get_config()\n"
        "    return fits(words, config) and fits2(words, config)\n",
    }
    folder = commit(write(tmp_path / "shop", files))
    done = nsroute(folder, "apply", "--branch", "ns")
    assert done.returncode == 1, done.stderr
    assert "app/low.py: left as it was (verify-failed)" in done.stderr
    assert git(folder, "show", "ns:app/low.py") == files["app/low.py"]
    assert git(folder, "show", "ns:app/lower.py").startswith("def fits2(words):")
    assert "fits(words, config) and fits2(words)" in git(
        folder, "show", "ns:app/high.py"
    )


def test_a_check_that_hangs_on_a_change_blames_its_file(tmp_path: Path) -> None:
    check = """\
import pathlib, time
if "get_cache()" in pathlib.Path("app/server.py").read_text():
    print("waiting for the server", flush=True)
    time.sleep(600)
"""
    folder = project(tmp_path / "shop", check, timeout=1)
    done = nsroute(folder, "apply", "--branch", "ns")
    assert done.returncode == 1, done.stderr
    assert "app/server.py: left as it was (verify-failed)" in done.stderr
    assert "did not end within 1 s and was stopped. It printed:" in done.stderr
    assert "waiting for the server" in done.stderr
    assert "get_cache().size" in git(folder, "show", "ns:app/cache.py")


#: Formats and counts, as careless checks do, and fails where that was done before.
CARELESS = """\
import pathlib
text = pathlib.Path("count.txt").read_text()
pathlib.Path("count.txt").write_text(text + "again")
assert text == "0", "count.txt was " + text
for name in ("app/cache.py", "app/server.py", "app/__init__.py"):
    file = pathlib.Path(name)
    assert "# formatted" not in file.read_text(), name
    file.write_text(file.read_text() + "# formatted")
pathlib.Path("gone.txt").unlink()
assert "get_net()" not in pathlib.Path("tool.py").read_text(), "the tool is fragile"
"""


@pytest.mark.parametrize("in_git", [True, False])
def test_what_the_check_changes_is_undone(in_git: bool, tmp_path: Path) -> None:
    folder = project(tmp_path / "shop", CARELESS)
    write(folder, {"count.txt": "0", "gone.txt": "here"})
    target = ["--branch", "ns"]
    if in_git:
        git(folder, "add", "-A")
        git(folder, "commit", "-qm", "more")
    else:
        shutil.rmtree(folder / ".git")
        target = []
    done = nsroute(folder, "apply", *target)
    assert done.returncode == 1, done.stderr
    assert done.stderr.count("left as it was (verify-failed)") == 1, done.stderr
    assert "tool.py: left as it was (verify-failed)" in done.stderr

    def text(path: str) -> str:
        return (
            git(folder, "show", f"ns:{path}") if in_git else (folder / path).read_text()
        )

    assert "get_cache()" in text("app/server.py")
    assert "# formatted" not in text("app/server.py") + text("app/cache.py")
    assert (text("count.txt"), text("gone.txt")) == ("0", "here")
