"""Diffs are what git writes, and git applies them byte for byte."""

from __future__ import annotations

import subprocess
import time
from pathlib import Path

import pytest

from codemod.delivery import diff_bytes, unified_diff

_LONG = b"".join(b"line %d\n" % number for number in range(40))

CASES = {
    "middle": (_LONG, _LONG.replace(b"line 20\n", b"changed\n")),
    "first and last": (
        _LONG,
        _LONG.replace(b"line 0\n", b"x\ny\n").replace(b"line 39\n", b""),
    ),
    "two hunks": (
        _LONG,
        _LONG.replace(b"line 5\n", b"").replace(b"line 30\n", b"a\nb\n"),
    ),
    "hunks that touch": (
        _LONG,
        _LONG.replace(b"line 5\n", b"").replace(b"line 12\n", b"a\n"),
    ),
    "repeated lines": (
        b"\n\n    pass\n\n\n    pass\n\n" * 4,
        b"\n\n    pass\n\n" * 2 + b"\n    new\n    pass\n\n" * 4,
    ),
    "crlf": (b"a\r\nb\r\nc\r\n", b"a\r\nB\r\nc\r\n"),
    "mixed newlines": (b"a\r\nb\nc\rd\r\n", b"a\r\nB\nc\rd\r\n"),
    "newline kind only": (b"a\nb\n", b"a\nb\r\n"),
    "no newline, both": (b"a\nb", b"a\nB"),
    "no newline, edit above": (b"a\nb", b"A\nb"),
    "newline gained": (b"a\nb", b"a\nb\n"),
    "newline lost": (b"a\nb\n", b"a\nb"),
    "bom": (b"\xef\xbb\xbfa = 1\nb = 2\n", b"\xef\xbb\xbfa = 3\nb = 2\n"),
    "latin-1": (
        b"# coding: latin-1\ns = '\xe9'\nx = 1\n",
        b"# coding: latin-1\ns = '\xe9'\nx = 2\n",
    ),
    "form feed": (b"a\n\x0c\nb\n", b"a\n\x0c\nB\n"),
    "to empty": (b"a\n", b""),
    "from empty": (b"", b"a\n"),
    "one line without newline": (b"a", b"b"),
}

PATHS = [
    "a.py",
    "dir/with space/b c.py",
    'quo"te.py',
    "back\\slash.py",
    "tab\there.py",
    "umlaut-ä.py",
    "umlaut ä space.py",
    "new\nline.py",
]


def _git(folder: Path, *arguments: str, data: bytes | None = None) -> bytes:
    done = subprocess.run(
        ["git", *arguments], cwd=folder, input=data, capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    _git(tmp_path, "init", "-q")
    _git(tmp_path, "config", "user.email", "a@b.c")
    _git(tmp_path, "config", "user.name", "A")
    _git(tmp_path, "config", "core.autocrlf", "false")
    return tmp_path


@pytest.mark.parametrize("name", CASES)
def test_git_applies_the_diff_byte_for_byte(repository: Path, name: str) -> None:
    before, after = CASES[name]
    file = repository / "x.py"
    file.write_bytes(before)
    _git(repository, "apply", "-", data=diff_bytes(before, after, "x.py"))
    assert file.read_bytes() == after


@pytest.mark.parametrize("name", CASES)
def test_the_diff_is_as_short_as_gits(repository: Path, name: str) -> None:
    before, after = CASES[name]
    file = repository / "x.py"
    file.write_bytes(before)
    _git(repository, "add", ".")
    file.write_bytes(after)
    theirs = _git(repository, "diff", "--text", "--numstat").split()[:2]
    lines = diff_bytes(before, after, "x.py").split(b"\n")[3:]
    added = sum(line.startswith(b"+") for line in lines)
    removed = sum(line.startswith(b"-") for line in lines)
    assert [added, removed] == [int(count) for count in theirs]


@pytest.mark.parametrize("path", PATHS)
def test_paths_are_quoted_as_git_quotes_them(repository: Path, path: str) -> None:
    file = repository / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(b"a\n")
    _git(repository, "add", ".")
    file.write_bytes(b"b\n")
    theirs = _git(repository, "diff").split(b"\n")
    ours = diff_bytes(b"a\n", b"b\n", path).split(b"\n")
    assert ours[0] == theirs[0]
    assert ours[1:] == theirs[2:]  # git's second line names the blobs
    file.write_bytes(b"a\n")
    _git(repository, "apply", "-", data=diff_bytes(b"a\n", b"b\n", path))
    assert file.read_bytes() == b"b\n"


def test_the_whole_text_of_a_diff() -> None:
    before = "".join(f"{number}\n" for number in range(1, 10))
    after = before.replace("5\n", "five\n")
    assert unified_diff(before, after, "pkg/mod.py") == (
        "diff --git a/pkg/mod.py b/pkg/mod.py\n"
        "--- a/pkg/mod.py\n"
        "+++ b/pkg/mod.py\n"
        "@@ -2,7 +2,7 @@\n"
        " 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n"
    )


def test_no_change_is_no_diff() -> None:
    assert unified_diff("a\n", "a\n", "x.py") == ""


def test_bytes_that_are_not_utf8_come_back_from_the_text() -> None:
    before, after = CASES["latin-1"]
    text = unified_diff(before, after, "x.py")
    data = text.encode("utf-8", "surrogateescape")
    assert data == diff_bytes(before, after, "x.py")
    assert b"\xe9" in data


def test_a_long_file_without_a_unique_line_is_quick(repository: Path) -> None:
    lines = [b"    pass\n", b"\n", b"    return None\n"] * 6000
    before = b"".join([b"first\n", *lines, b"last\n"])
    after = b"".join([b"new\n", *lines, b"\n", b"end\n"])
    start = time.process_time()
    diff = diff_bytes(before, after, "x.py")
    # Comparing every line with every other takes minutes; the bound is far from both.
    assert time.process_time() - start < 10
    file = repository / "x.py"
    file.write_bytes(before)
    _git(repository, "apply", "-", data=diff)
    assert file.read_bytes() == after
