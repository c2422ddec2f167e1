"""Put the sample project somewhere, and run its program and its tests there.

The sample is package data: a whole project that knows nothing of nsroute, except for
one table in its ``pyproject.toml``. It is copied, never run where it is installed.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    # Python 3.10 has it only here, and 3.14 only in importlib.resources.abc.
    from importlib.abc import Traversable

PACKAGE = "quern"
"""The sample's import package, whose ``__main__`` is its program."""

TIME_LIMIT = 60.0
"""Seconds that one run of the sample's program or tests may take; both take under 1."""

_AUTHOR = "nsroute demo"
_EMAIL = "demo@nsroute.invalid"
_DATE = "2024-01-01T00:00:00+00:00"


@dataclass(frozen=True, slots=True)
class Run:
    """What one run of the sample printed, and how it ended (0 is well)."""

    code: int
    stdout: str
    stderr: str


def sample_files() -> Iterator[tuple[PurePosixPath, bytes]]:
    """Every file of the sample: its path within the project, and its content.

    The order is by path. Byte code that an installer compiled is left out.
    """
    yield from _walk(files("codemod.demo").joinpath("sample"), PurePosixPath())


def _walk(
    folder: Traversable, path: PurePosixPath
) -> Iterator[tuple[PurePosixPath, bytes]]:
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.is_dir():
            if entry.name != "__pycache__":
                yield from _walk(entry, path / entry.name)
        elif not entry.name.endswith(".pyc"):
            yield path / entry.name, entry.read_bytes()


def write_sample(target: Path) -> None:
    """Write the sample into ``target`` as a git repository with one commit.

    ``target`` is made if it is not there; a FileExistsError if it holds anything, for
    the demo must not mix with somebody's work. The commit is the same each time, hash
    included, whatever git's configuration on this machine says. A FileNotFoundError if
    there is no git, a CalledProcessError if git fails.
    """
    target.mkdir(parents=True, exist_ok=True)
    if any(target.iterdir()):
        raise FileExistsError(f"{target} is not empty: name a new or an empty folder")
    for path, content in sample_files():
        file = target.joinpath(*path.parts)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
    _git(target, "init", "--quiet", "--template=")
    _git(target, "symbolic-ref", "HEAD", "refs/heads/main")
    _git(target, "add", "--all")
    _git(target, "commit", "--quiet", "--message", "Start quern")


def _git(target: Path, *arguments: str) -> None:
    # Author and settings come with the call: the person may have none, and theirs
    # (signing, hooks, line endings) would make another commit of the same files.
    settings = {
        "user.name": _AUTHOR,
        "user.email": _EMAIL,
        "commit.gpgSign": "false",
        "core.autocrlf": "false",
        "core.fileMode": "false",
        "core.hooksPath": os.devnull,
        "core.excludesFile": os.devnull,
        "core.attributesFile": os.devnull,
    }
    options = [part for item in settings.items() for part in ("-c", "=".join(item))]
    # GIT_DIR and its kind, as a git hook sets them, would point at another repository.
    environment = {
        name: value for name, value in os.environ.items() if name[:4] != "GIT_"
    }
    fixed = {
        "GIT_AUTHOR_DATE": _DATE,
        "GIT_COMMITTER_DATE": _DATE,
        "GIT_DEFAULT_HASH": "sha1",
    }
    subprocess.run(
        ["git", *options, *arguments],
        cwd=target,
        env=environment | fixed,
        check=True,
        capture_output=True,
        text=True,
    )


def run_program(target: Path, python: str = sys.executable) -> Run:
    """Run the sample's program in a fresh interpreter; it prints a report."""
    return _run(target, python, "-m", PACKAGE)


def run_tests(target: Path, python: str = sys.executable) -> Run:
    """Run the sample's tests in a fresh interpreter; the result is on ``stderr``."""
    return _run(target, python, "-m", "unittest")


def _run(target: Path, python: str, *arguments: str) -> Run:
    # Nothing of the person's surroundings reaches the program, and it leaves nothing
    # behind: the demo compares its output and shows the tree it wrote.
    environment = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("PYTHON", "QUERN_"))
    }
    clean = {"PYTHONDONTWRITEBYTECODE": "1", "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run(
        [python, *arguments],
        cwd=target,
        env=environment | clean,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=TIME_LIMIT,
        check=False,
    )
    return Run(done.returncode, done.stdout, done.stderr)
