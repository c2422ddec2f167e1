"""A series as a branch and as patches: the same tree, and nothing else touched."""

from __future__ import annotations

import os
import resource
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from tests.series import support
from tests.series.support import CACHE, FILES, PACK, commit, git, nsroute, titles, write

LATIN = CACHE.replace("def room", "# é\ndef room").encode("latin-1")

#: Files that are easily damaged on the way through a patch, by what is odd in them.
ODD: dict[str, tuple[str, bytes]] = {
    "crlf": ("app/crlf.py", CACHE.replace("\n", "\r\n").encode()),
    "mixed line ends": (
        "app/mixed.py",
        CACHE.replace("_config\n", "_config\r\n").encode(),
    ),
    "no last line end": ("app/noeol.py", CACHE.rstrip("\n").encode()),
    "crlf, no last line end": (
        "app/crlf_noeol.py",
        CACHE.rstrip("\n").replace("\n", "\r\n").encode(),
    ),
    "bom": ("app/bom.py", b"\xef\xbb\xbf" + CACHE.encode()),
    "latin-1": ("app/latin.py", b"# coding: latin-1\n" + LATIN),
    "form feed": ("app/feed.py", CACHE.replace("\n\n\n", "\n\n\f\n").encode()),
    "lone carriage return": (
        "app/lone.py",
        (CACHE + "x = 1\ry = 2\n").encode(),
    ),
    "trailing spaces": ("app/spaces.py", CACHE.replace("used):", "used):   ").encode()),
    "long line": ("app/long.py", (f"# {'x' * 3000}\n" + CACHE).encode()),
    "space in the path": ("app/a b.py", CACHE.encode()),
    "quote in the path": ('app/a"b.py', CACHE.encode()),
    "other letters in the path": ("app/größe.py", CACHE.encode()),
    "line end in the path": ("app/a\nb.py", CACHE.encode()),
    "dash in the path": ("-x.py", CACHE.encode()),
}


def deliver(folder: Path, target: Path) -> tuple[list[str], str]:
    """Make both a branch and patches; the patches applied to a fresh clone."""
    before = support.state(folder)
    branch = nsroute(folder, "apply", "--branch", "ns", "--deterministic")
    assert branch.returncode == 0, branch.stderr
    patches = nsroute(folder, "apply", "--patches", str(target), "--deterministic")
    assert patches.returncode == 0, patches.stderr
    clone = target.parent / "clone"
    git(folder, "clone", "--quiet", "--branch", "main", str(folder), str(clone))
    files = sorted(map(str, target.glob("*.patch")))
    git(clone, "am", "--quiet", *files)
    assert git(clone, "rev-parse", "HEAD^{tree}") == git(
        folder, "rev-parse", "ns^{tree}"
    )
    git(folder, "branch", "--quiet", "-D", "ns")
    assert support.state(folder) == before
    return files, str(clone)


def test_a_branch_and_patches_give_the_same_tree(tmp_path: Path) -> None:
    odd = dict(ODD.values())
    folder = commit(write(tmp_path / "shop", {**FILES, **odd}))
    git(folder, "update-index", "--chmod=+x", "tool.py", "app/a b.py")
    (folder / "tool.py").chmod(0o755)
    (folder / "app/a b.py").chmod(0o755)
    git(folder, "commit", "--quiet", "--message", "modes")
    _, clone = deliver(folder, tmp_path / "out")
    for what, (path, content) in ODD.items():
        expected = content.replace(b"get_config", b"get_cache")
        assert (Path(clone) / path).read_bytes() == expected, what
    for path in ("tool.py", "app/a b.py"):
        assert (Path(clone) / path).stat().st_mode & stat.S_IXUSR


def test_each_commit_is_one_namespace_and_stands_alone(tmp_path: Path) -> None:
    folder = commit(write(tmp_path / "shop", FILES))
    assert nsroute(folder, "apply", "--branch", "ns").returncode == 0
    assert titles(folder, "ns") == [
        "Read cache through its namespace",
        "Read net through its namespace",
    ]
    first = git(folder, "show", "ns~1:app/server.py")
    assert "config.host, config.port, get_cache().size" in first
    assert "config = get_config()" in first
    last = git(folder, "show", "ns:app/server.py")
    assert "get_net().http.host, get_net().http.port, get_cache().size" in last
    assert "get_config" not in last
    assert git(folder, "log", "-1", "--format=%an <%ae>", "ns") == (
        "Ann <ann@example.org>\n"
    )


def test_the_same_input_gives_the_same_hashes(tmp_path: Path) -> None:
    heads = []
    for number in range(2):
        folder = commit(write(tmp_path / str(number), FILES))
        options = ("--branch", "ns", "--deterministic")
        env = {"SOURCE_DATE_EPOCH": "1700000000"} if number else {}
        done = nsroute(folder, "apply", *options, env=env)
        assert done.returncode == 0, done.stderr
        options = ("--branch", "again", "--deterministic")
        done = nsroute(folder, "apply", *options, env=env)
        assert done.returncode == 0, done.stderr
        heads.append(git(folder, "log", "-1", "--format=%H %an %at %ct", "ns"))
        assert git(folder, "log", "-1", "--format=%H %an %at %ct", "again") == heads[-1]
    assert heads[0].endswith("Ann 1600000000 1600000000\n")
    assert heads[1].endswith("Ann 1700000000 1700000000\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--branch", "main"], "there is a branch main already"),
        (["--branch", "a..b"], "is no name for a branch"),
        (["--branch", "main/x"], "the branch main stands in the way of main/x"),
        (["--branch", "x", "--patches", "y"], "are two ways: choose one"),
        (["--patches", "app"], "app is not empty"),
        (["--patches", "tool.py"], "tool.py is not a folder"),
        (["--author", "Ann <a@b>"], "--author is for commits"),
        (["--branch", "x", "--author", "Ann"], "is not 'Name <mail@example.org>'"),
        (["--step", "reeds"], "there is no such step; did you mean 'reads'?"),
        (
            ["--step", "reads/nett"],
            "no such part of the step; did you mean 'reads/net'",
        ),
    ],
)
def test_what_cannot_be_delivered_is_refused(
    tmp_path: Path, arguments: list[str], message: str
) -> None:
    folder = commit(write(tmp_path / "shop", FILES))
    before = support.state(folder)
    done = nsroute(folder, "apply", *arguments)
    assert done.returncode == 2
    assert message in done.stderr
    assert support.state(folder) == before


def test_without_git_patches_are_made_all_the_same(tmp_path: Path) -> None:
    folder = write(tmp_path / "shop", FILES)
    done = nsroute(folder, "apply", "--patches", "../out")
    assert done.returncode == 0, done.stderr
    commit(folder)
    git(folder, "am", "--quiet", *sorted(map(str, (tmp_path / "out").glob("*.patch"))))
    assert "get_cache().size" in (folder / "app/cache.py").read_text()
    refused = nsroute(write(tmp_path / "other", FILES), "apply", "--branch", "ns")
    assert refused.returncode == 2
    assert "no git repository to make a branch in" in refused.stderr


def test_nobody_is_refused_before_the_work(tmp_path: Path) -> None:
    folder = commit(write(tmp_path / "shop", FILES))
    nobody = {
        f"GIT_{role}_{part}": ""
        for role in ("AUTHOR", "COMMITTER")
        for part in ("NAME", "EMAIL")
    }
    done = nsroute(folder, "apply", "--branch", "ns", env=nobody)
    assert done.returncode == 2
    assert "git does not know who you are" in done.stderr
    author = ("--author", "Ben <ben@example.org>")
    done = nsroute(folder, "apply", "--branch", "ns", *author, env=nobody)
    assert done.returncode == 0, done.stderr
    assert git(folder, "log", "-1", "--format=%an %ce", "ns") == "Ben ben@example.org\n"


def test_a_disk_that_fills_up_leaves_no_branch(tmp_path: Path) -> None:
    folder = commit(write(tmp_path / "shop", FILES))
    objects = folder / ".git/objects"
    full = tmp_path / "full"
    objects.rename(full)
    objects.symlink_to(full)
    before = support.state(folder)
    for path in (full, *(p for p in full.rglob("*") if p.is_dir())):
        path.chmod(0o555)
    try:
        if os.access(full, os.W_OK):  # root writes everywhere: a file in the way does
            for number in range(256):
                (full / f"{number:02x}").is_dir() or (full / f"{number:02x}").touch()
        done = nsroute(folder, "apply", "--branch", "ns")
    finally:
        for path in (full, *(p for p in full.rglob("*") if p.is_dir())):
            path.chmod(0o755)
    assert done.returncode == 2
    assert "nothing was delivered: git unpack-objects failed" in done.stderr
    assert support.state(folder) == before


VERIFIED = "\n[verify]\ncommand = 'true'\n"
WITH_TOOL = (
    "\n[[step]]\nname = 'tool'\ncommand = 'echo hi >> tool.py'\n"
    "[[step]]\nname = 'reads'\n"
)


@pytest.mark.parametrize("more", ["", VERIFIED, WITH_TOOL])
@pytest.mark.parametrize(
    "way", [(), ("--branch", "ns"), ("--patches", "../out")], ids=str
)
@pytest.mark.parametrize("limit", [0, 600])
def test_no_room_for_files_leaves_all_as_it_was(
    tmp_path: Path, limit: int, way: tuple[str, ...], more: str
) -> None:
    """A limit on the size of any file that the run and its git write."""
    long = CACHE + "# long\n" * 200
    files = {**FILES, "nsroute.toml": PACK + more, "app/cache.py": long}
    folder = commit(write(tmp_path / "shop", files))
    before = support.state(folder)
    done = subprocess.run(
        [sys.executable, "-m", "codemod.cli", "apply", *way],
        cwd=folder,
        env=support.environment({"TMPDIR": str(tmp_path)}),
        capture_output=True,
        text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)),
    )
    assert "Traceback" not in done.stderr
    assert "error: " in done.stderr or "app/cache.py: cannot be written" in done.stderr
    assert (folder / "app/cache.py").read_text() == long
    assert not list(folder.rglob(".nsroute-*"))
    if way or limit == 0 or more:
        assert done.returncode == 2, done.stderr
        assert support.state(folder) == before
        assert not (tmp_path / "out").exists()
    else:
        assert done.returncode == 1, done.stderr
        assert "get_net().http.port" in (folder / "tool.py").read_text()
    assert [p.name for p in tmp_path.iterdir() if p.name.startswith("nsroute-")] == []


#: The command, interrupted by the first ``os.replace`` of a source file.
INTERRUPTED = """\
import os, pathlib, signal
replace, seen = os.replace, []
def interrupting(source, target, **more):
    if str(target).endswith(".py") and not seen:
        seen.append(target)
        os.kill(os.getpid(), signal.SIGINT)
    replace(source, target, **more)
os.replace = interrupting
from codemod.cli.main import main
main()
"""


def test_an_interrupt_while_files_are_written_waits_for_the_last(
    tmp_path: Path,
) -> None:
    folder = commit(write(tmp_path / "shop", FILES))
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED, "apply"],
        cwd=folder,
        env=support.environment({"TMPDIR": str(tmp_path)}),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 130, done.stderr
    assert git(folder, "diff", "--name-only").splitlines() == [
        *("app/cache.py", "app/server.py", "tool.py")
    ]
    assert nsroute(folder, "diff").returncode == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["shop"]
