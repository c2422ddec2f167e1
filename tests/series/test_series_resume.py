"""What a killed run has left: the next one goes on from it, or takes it away."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from codemod.delivery import journal
from codemod.series.commit import Change, Commit, Skipped
from codemod.transforms.model import KeptSite
from tests.series import support
from tests.series.support import FILES, PACK, commit, git, nsroute, titles, write

PYTHON = sys.executable

#: Notes what it is tried on, and hangs on the second commit as long as it may.
CHECK = """\
import pathlib, time
here = pathlib.Path({here!r})
done = "get_net" in pathlib.Path("tool.py").read_text()
first = "get_cache" in pathlib.Path("app/cache.py").read_text()
with (here / "log").open("a") as log:
    print("net" if done else "cache" if first else "start", file=log)
while done and not (here / "go").exists():
    (here / "hangs").touch()
    time.sleep(0.05)
"""
BRANCH = ("apply", "--branch", "ns", "--deterministic")


def project(folder: Path, here: Path) -> Path:
    pack = PACK + f"\n[verify]\ncommand = '{PYTHON} check.py'\ntimeout = 60\n"
    check = CHECK.format(here=str(here))
    return write(folder, {**FILES, "nsroute.toml": pack, "check.py": check})


def scratch(tmp_path: Path) -> dict[str, str]:
    """A folder for temporary files that only the runs of one test use."""
    folder = tmp_path / "tmp"
    folder.mkdir(exist_ok=True)
    return {"TMPDIR": str(folder)}


def killed(
    folder: Path,
    arguments: tuple[str, ...],
    env: Mapping[str, str],
    until: Callable[[], bool],
    answers: str = "",
) -> None:
    """Start the command and kill it as soon as ``until`` is true."""
    running = subprocess.Popen(
        [PYTHON, "-m", "codemod.cli", *arguments],
        cwd=folder,
        env=support.environment(env),
        stdin=subprocess.PIPE,
        stdout=(folder.parent / "out").open("w"),
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert running.stdin is not None
    running.stdin.write(answers)
    running.stdin.flush()
    while not until():
        assert running.poll() is None
        time.sleep(0.02)
    running.send_signal(signal.SIGKILL)
    running.wait()
    running.stdin.close()


def log(tmp_path: Path) -> list[str]:
    lines = (tmp_path / "log").read_text().splitlines()
    (tmp_path / "log").unlink()
    return lines


def leftover(tmp_path: Path) -> list[str]:
    return sorted(path.name for path in (tmp_path / "tmp").iterdir())


def test_a_killed_run_is_gone_on_with(tmp_path: Path) -> None:
    folder = commit(project(tmp_path / "shop", tmp_path))
    before, env = support.state(folder), scratch(tmp_path)
    killed(folder, BRANCH, env, (tmp_path / "hangs").exists)
    (tmp_path / "go").touch()
    assert log(tmp_path) == ["start", "cache", "net"]
    asked = nsroute(folder, *BRANCH, env=env)
    assert asked.returncode == 2
    assert "a run that ended early left a worktree at " in asked.stderr
    assert "1 commit done" in asked.stderr
    for way in ("resume", "remove", "keep"):
        assert f"--leftover {way}" in asked.stderr
    done = nsroute(folder, *BRANCH, "--leftover", "resume", env=env)
    assert done.returncode == 0, done.stderr
    assert "going on after 1 commit of the run that ended early" in done.stderr
    assert log(tmp_path) == ["cache", "net"]  # once to begin with, then the commit
    resumed = git(folder, "rev-parse", "ns")
    git(folder, "branch", "-D", "ns")
    assert support.state(folder) == before
    assert leftover(tmp_path) == []
    whole = nsroute(folder, *BRANCH, env=env)
    assert whole.returncode == 0, whole.stderr
    assert git(folder, "rev-parse", "ns") == resumed


def test_a_run_that_is_still_there_is_nobodys_leftover(tmp_path: Path) -> None:
    folder = commit(project(tmp_path / "shop", tmp_path))
    env = scratch(tmp_path)
    second: list[subprocess.CompletedProcess[str]] = []

    def until() -> bool:
        if (tmp_path / "hangs").exists():
            second.append(nsroute(folder, *BRANCH, "--no-verify", env=env))
        return bool(second)

    killed(folder, BRANCH, env, until)
    (tmp_path / "go").touch()  # the check of a killed run goes on by itself
    assert second[0].returncode == 0, second[0].stderr


@pytest.mark.parametrize("has_git", [True, False], ids=["git", "copy"])
def test_what_is_left_can_be_removed_or_kept(tmp_path: Path, has_git: bool) -> None:
    folder = project(tmp_path / "shop", tmp_path)
    if has_git:
        commit(folder)
    env = scratch(tmp_path)
    before = support.state(folder) if has_git else ()
    killed(folder, ("apply",), env, (tmp_path / "hangs").exists)
    assert "get_net" not in (folder / "tool.py").read_text()
    asked = nsroute(folder, "apply", env=env)
    assert asked.returncode == 2
    assert str(tmp_path / "tmp") in asked.stderr
    wrong = nsroute(folder, "apply", "--leftover", "eat", env=env)
    assert wrong.returncode == 2
    assert "say resume, remove or keep" in wrong.stderr
    kept = nsroute(
        folder,
        "apply",
        "--leftover",
        "keep",
        "--no-verify",
        "--patches",
        "../p",
        env=env,
    )
    assert kept.returncode == 0, kept.stderr
    assert len(leftover(tmp_path)) == 1
    (tmp_path / "go").touch()
    options = ("--step", "reads/none", "--leftover", "remove")
    removed = nsroute(folder, "apply", *options, env=env)
    assert removed.returncode == 2  # there is no such part: nothing is written
    assert "removed the worktree " in removed.stderr
    assert leftover(tmp_path) == []
    assert (support.state(folder) if has_git else ()) == before
    nothing = nsroute(folder, "apply", "--leftover", "resume", env=env)
    assert nothing.returncode == 2
    assert "no run that ended early left anything" in nothing.stderr


def test_a_run_without_git_is_gone_on_with(tmp_path: Path) -> None:
    folder, env = project(tmp_path / "shop", tmp_path), scratch(tmp_path)
    killed(folder, ("apply",), env, (tmp_path / "hangs").exists)
    (tmp_path / "go").touch()
    done = nsroute(folder, "apply", "--leftover", "resume", env=env)
    assert done.returncode == 0, done.stderr
    assert log(tmp_path) == ["start", "cache", "net", "cache", "net"]
    assert "get_net().http.port" in (folder / "tool.py").read_text()
    assert leftover(tmp_path) == []


@pytest.mark.parametrize(
    ("files", "options", "why"),
    [
        ({"tool.py": FILES["tool.py"] + "# more\n"}, (), "the files were others"),  # type: ignore[operator]
        ({"README": "committed\n"}, (), "the files were others"),
        ({}, ("--step", "reads/cache"), "its pack, steps or options were others"),
        ({}, ("app/cache.py",), "its pack, steps or options were others"),
    ],
)
def test_a_run_about_something_else_is_not_gone_on_with(
    tmp_path: Path, files: dict[str, str], options: tuple[str, ...], why: str
) -> None:
    folder = commit(project(tmp_path / "shop", tmp_path))
    env = scratch(tmp_path)
    killed(folder, BRANCH, env, (tmp_path / "hangs").exists)
    (tmp_path / "go").touch()
    if files:
        write(folder, files)
        git(folder, "add", "--all")
        git(folder, "commit", "--quiet", "--message", "more")
    done = nsroute(folder, *BRANCH, *options, "--leftover", "resume", env=env)
    assert done.returncode == 2
    assert f"cannot be resumed: {why}" in done.stderr
    assert len(leftover(tmp_path)) == 1


#: The command, in a process that the second ``os.replace`` of a source file kills.
DIES = """\
import os, pathlib, signal
replace, seen = os.replace, []
def dying(source, target, **more):
    if str(target).endswith(".py"):
        seen.append(target)
        if len(seen) == 2:
            os.kill(os.getpid(), signal.SIGKILL)
    replace(source, target, **more)
os.replace = dying
from codemod.cli.main import main
main()
"""


def test_a_delivery_that_was_killed_half_way_is_finished(tmp_path: Path) -> None:
    folder, env = commit(write(tmp_path / "shop", FILES)), scratch(tmp_path)
    died = subprocess.run(
        [PYTHON, "-c", DIES, "apply"], cwd=folder, env=support.environment(env)
    )
    assert died.returncode == -signal.SIGKILL
    assert git(folder, "diff", "--name-only").splitlines() == ["app/cache.py"]
    asked = nsroute(folder, "apply", env=env)
    assert asked.returncode == 2
    assert "2 commits done" in asked.stderr
    done = nsroute(folder, "apply", "--leftover", "resume", env=env)
    assert done.returncode == 0, done.stderr
    assert git(folder, "diff", "--name-only").splitlines() == [
        *("app/cache.py", "app/server.py", "tool.py")
    ]
    assert "Converted 5 reads in 3 files." in done.stdout
    assert leftover(tmp_path) == []


def test_answers_of_a_killed_review_are_not_asked_again(tmp_path: Path) -> None:
    folder, env = commit(write(tmp_path / "shop", FILES)), scratch(tmp_path)

    def asked_for_net() -> bool:
        return "reads/net" in (tmp_path / "out").read_text()

    command = ("apply", "--interactive")
    unbuffered = {**env, "PYTHONUNBUFFERED": "1"}
    killed(folder, command, unbuffered, asked_for_net, answers="y\nn\n")
    done = nsroute(folder, *command, "--leftover", "resume", env=env, answers="y\nn\n")
    assert done.returncode == 0, done.stderr
    assert "get_cache().size" in (folder / "app/cache.py").read_text()
    server = (folder / "app/server.py").read_text()
    assert "get_net().http.host, get_net().http.port, config.size" in server
    assert "get_config().port" in (folder / "tool.py").read_text()


def test_an_external_step_is_not_run_again(tmp_path: Path) -> None:
    pack = f"""{PACK}
[verify]
command = '{PYTHON} check.py'
[[step]]
name = 'note'
command = 'echo "# noted" >> tool.py; echo x >> {tmp_path}/ran; echo y > new.py'
[[step]]
name = 'reads'
split = 'namespace'
"""
    folder = commit(write(project(tmp_path / "shop", tmp_path), {"nsroute.toml": pack}))
    env = scratch(tmp_path)
    killed(folder, BRANCH, env, (tmp_path / "hangs").exists)
    (tmp_path / "go").touch()
    done = nsroute(folder, *BRANCH, "--leftover", "resume", env=env)
    assert done.returncode == 0, done.stderr
    assert titles(folder, "ns") == [
        *("Run note", "Read cache through its namespace"),
        "Read net through its namespace",
    ]
    assert git(folder, "show", "ns:tool.py").endswith("# noted\n")
    assert git(folder, "show", "ns:new.py") == "y\n"
    assert (tmp_path / "ran").read_text() == "x\n"


def test_a_journal_gives_back_what_it_was_given(tmp_path: Path) -> None:
    asked = journal.Asked("/x/\udce9", "terms", "tree")
    site = KeptSite("a.py", 1, 2, "f", "reads", "x.y", "refused", "No.")
    items = (
        Commit(
            *("reads", "net", "title \udcff\n\nbody"),
            (
                Change("gr\udcf6ße.py", b"\x00\xff", None, (("reads", 2),), ("n",)),
                Change("b", None, b"\r\n", executable=True),
            ),
            (site,),
        ),
        Skipped("cleanup", "", "nothing to do", (site,), (site,)),
    )
    journal.begin(tmp_path, asked)
    for item in items:
        journal.note(tmp_path, item)
    assert journal.read(tmp_path) == journal.Journal(asked, items)
    journal.note_delivering(tmp_path)
    assert journal.read(tmp_path) == journal.Journal(asked, items, True)
    (file,) = tmp_path.iterdir()
    data = file.read_bytes()
    second = data.index(b"\n", data.index(b"\n") + 1)
    for cut in (second + 1, second + 9, len(data.rstrip()) - 25):
        file.write_bytes(data[:cut])
        assert journal.read(tmp_path) == journal.Journal(asked, items[:1])
    file.write_bytes(data[:second])
    assert journal.read(tmp_path).items == ()
    file.unlink()
    assert journal.read(tmp_path) == journal.Journal()


def test_a_worktree_whose_folder_is_gone_is_removed_and_others_are_not(
    tmp_path: Path,
) -> None:
    folder = commit(project(tmp_path / "shop", tmp_path))
    env = scratch(tmp_path)
    git(folder, "worktree", "add", "--quiet", "--detach", str(tmp_path / "disk"))
    (tmp_path / "disk").rename(tmp_path / "unmounted")
    killed(folder, BRANCH, env, (tmp_path / "hangs").exists)
    (left,) = (tmp_path / "tmp").iterdir()
    shutil.rmtree(left)
    (tmp_path / "go").touch()
    done = nsroute(folder, *BRANCH, env=env)
    assert done.returncode == 2
    assert "0 commits done" in done.stderr
    refused = nsroute(folder, *BRANCH, "--leftover", "resume", env=env)
    assert "cannot be resumed: it had not begun" in refused.stderr
    done = nsroute(folder, *BRANCH, "--leftover", "remove", env=env)
    assert done.returncode == 0, done.stderr
    (tmp_path / "unmounted").rename(tmp_path / "disk")
    assert str(tmp_path / "disk") in git(folder, "worktree", "list")
    assert git(folder, "worktree", "list").count("\n") == 2
