"""What runs that ended early have left: their temporary folders and worktrees.

A run holds a lock on a file in its folder. The system takes the lock back when the
process ends, however it ends, so that a folder without one is nobody's any more. It is
a lock of the process alone (POSIX ``fcntl``), which what it has started does not keep.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from codemod.delivery import journal
from codemod.delivery.git import GitError
from codemod.delivery.repository import Repository

PREFIX = "nsroute-tree-"
_LOCK = "lock"


class Lock:
    """The lock of a run on its folder."""

    def __init__(self, folder: Path) -> None:
        self._descriptor = os.open(folder / _LOCK, os.O_RDWR | os.O_CREAT, 0o600)
        fcntl.lockf(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def release(self) -> None:
        """Give it back."""
        os.close(self._descriptor)


@dataclass(frozen=True, slots=True)
class Leftover:
    """The folder of a run that ended early, and what the run has noted in it."""

    folder: Path
    journal: journal.Journal

    @property
    def commits(self) -> int:
        """How many commits were settled."""
        return sum(hasattr(item, "changes") for item in self.journal.items)


def leftovers(root: Path, repository: Repository | None) -> list[Leftover]:
    """What runs on the project at ``root``, or in its repository, have left.

    Without git only those in the folder for temporary files are known.
    """
    folders: dict[Path, None] = {}
    if repository is not None:
        folders |= dict.fromkeys(_worktrees(repository))
    here = str(root.resolve())
    for folder in sorted(Path(tempfile.gettempdir()).resolve().glob(f"{PREFIX}*")):
        asked = journal.read_asked(folder)
        if asked is not None and asked.root == here:
            folders[folder] = None
    return [
        Leftover(folder, journal.read(folder))
        for folder in folders
        if _is_ours(folder) and not _is_running(folder)
    ]


@contextlib.contextmanager
def locked_folder(prefix: str) -> Iterator[Path]:
    """A temporary folder that is gone afterwards; dead ones of the prefix go first."""
    for dead in Path(tempfile.gettempdir()).resolve().glob(f"{prefix}*"):
        if (dead / _LOCK).is_file() and _is_ours(dead) and not _is_running(dead):
            shutil.rmtree(dead, ignore_errors=True)
    folder = Path(tempfile.mkdtemp(prefix=prefix)).resolve()
    lock = Lock(folder)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        lock.release()


def remove(leftover: Leftover, repository: Repository | None) -> None:
    """Remove the folder, and the worktree in it."""
    if repository is not None:
        remove_worktree(repository, leftover.folder / "tree")
    shutil.rmtree(leftover.folder, ignore_errors=True)


def remove_worktree(repository: Repository, path: Path) -> None:
    """Remove a worktree, there or gone, and what git has noted of it.

    Others are left alone: one on a disk that is not mounted is somebody's all the same.
    """
    with contextlib.suppress(GitError):
        repository.git("worktree", "remove", "--force", "--force", str(path))
    shutil.rmtree(path, ignore_errors=True)


def _worktrees(repository: Repository) -> Iterator[Path]:
    """The folders of the worktrees that runs have made in the repository."""
    listed = repository.git("worktree", "list", "--porcelain", "-z")
    for entry in os.fsdecode(listed).split("\0"):
        path = Path(entry.removeprefix("worktree "))
        if (
            entry.startswith("worktree ")
            and path.name == "tree"
            and path.parent.name.startswith(PREFIX)
        ):
            yield path.parent


def _is_ours(folder: Path) -> bool:
    """Whether we own a folder: anybody may put one where temporary files are."""
    try:
        status = folder.lstat()
    except FileNotFoundError:
        return True  # a worktree that is gone, of which git still knows
    return stat.S_ISDIR(status.st_mode) and status.st_uid == os.getuid()


def _is_running(folder: Path) -> bool:
    """Whether a living process holds the lock."""
    try:
        descriptor = os.open(folder / _LOCK, os.O_RDWR)
    except FileNotFoundError:
        return False
    except OSError:
        return True
    try:
        fcntl.lockf(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(descriptor)
    return False
