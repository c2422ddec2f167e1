"""A folder with the whole tree, to run things in that must not see the person's.

In a repository it is a git worktree of HEAD, detached and in a temporary folder; where
there is no git it is a copy. The folder also holds the run's journal, and a lock as
long as the run lasts; see ``leftovers`` for what a crash leaves of it.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from codemod.delivery.git import GitError
from codemod.delivery.leftovers import PREFIX, Lock, remove_worktree
from codemod.delivery.repository import Repository, run_git
from codemod.series.commit import Change

_NEVER_COPIED = ("__pycache__", ".nsroute_cache", "*.pyc")
_NEVER_CAPTURED = frozenset(
    {"__pycache__", ".git", ".nsroute_cache", ".pytest_cache", ".mypy_cache"}
    | {".ruff_cache", ".hypothesis"}
)

_T = TypeVar("_T")


class TreeWorkspace:
    """The tree after the commits that were applied to it; made when it is needed.

    ``dirty`` brings uncommitted work of the person's along, for a change of the files
    as they are rather than of HEAD.
    """

    def __init__(
        self, source: Path, repository: Repository | None, dirty: bool = False
    ) -> None:
        self._source = source
        self._repository = repository
        self._dirty = dirty
        self._folder: Path | None = None
        self._lock: Lock | None = None
        self._root: Path | None = None
        self._applied: list[Change] = []
        #: What was written into the tree, by path; None where a file was removed.
        self._written: dict[str, bytes | None] = {}
        self._clock = int(time.time()) - 10_000_000

    @property
    def folder(self) -> Path:
        """The temporary folder of this run, which holds the tree when it is made."""
        if self._folder is None:
            self._folder = Path(tempfile.mkdtemp(prefix=PREFIX)).resolve()
            self._lock = Lock(self._folder)
        return self._folder

    @property
    def root(self) -> Path:
        """Where the project's root is in it; makes the folder."""
        if self._root is None:
            self._make()
            assert self._root is not None
            self._write(self._applied)
        return self._root

    def apply(self, changes: Sequence[Change]) -> None:
        """Make the files what they are after a commit."""
        self._applied += changes
        if self._root is not None:
            self._write(changes)

    def put(self, changes: Sequence[Change], kept: Sequence[Change]) -> None:
        """Give each of ``changes`` its new content if it is in ``kept``, else its old.

        For trying parts of a commit; ``apply`` is for the commit itself.
        """
        chosen = {change.path for change in kept}
        root = self.root
        for change in changes:
            data = change.after if change.path in chosen else change.before
            self._put(root, change, data)

    def captured(self, work: Callable[[], None]) -> tuple[Change, ...]:
        """What some work changes in the folder, which is then as it was before."""
        root = self.root
        before = _listing(root)
        saved = {path: (root / path).read_bytes() for path in before}
        modes = {path: (root / path).stat().st_mode & 0o111 for path in before}
        work()
        after = _listing(root)
        changed = []
        for path in sorted({*saved, *after}):
            old = saved.get(path)
            new = (root / path).read_bytes() if path in after else None
            if old != new:
                is_executable = new is not None and os.access(root / path, os.X_OK)
                changed.append(Change(path, old, new, executable=is_executable))
        ignored = self._ignored([c.path for c in changed if c.before is None])
        for change in changed:
            self._put(root, change, change.before)
            if change.before is not None and modes[change.path]:
                (root / change.path).chmod(0o755)
        return tuple(change for change in changed if change.path not in ignored)

    def undisturbed(self, work: Callable[[], _T]) -> _T:
        """Do some work; the files that it changed or removed are then as before.

        What it adds stays: caches, mostly, that make the next run quicker.
        """
        root = self.root
        before = _stamps(root)
        try:
            return work()
        finally:
            after = _stamps(root)
            for path in sorted(before):
                if after.get(path) != before[path]:
                    self._restore(root, path)

    def _restore(self, root: Path, path: str) -> None:
        if path in self._written:
            data = self._written[path]
        elif self._repository is not None and not self._dirty:
            with contextlib.suppress(GitError):  # it is not in the commit: a cache
                run_git(root, "checkout", "--quiet", "HEAD", "--", f":(literal){path}")
            data = (root / path).read_bytes() if (root / path).is_file() else None
        else:
            source = self._source / path
            data = source.read_bytes() if source.is_file() else None
        if data is not None:
            self._write_file(root, path, data)

    def close(self) -> None:
        """Remove the folder and what git knows of it."""
        folder, self._folder, self._root = self._folder, None, None
        if folder is None:
            return
        if self._repository is not None:
            remove_worktree(self._repository, folder / "tree")
        shutil.rmtree(folder, ignore_errors=True)
        if self._lock is not None:
            self._lock.release()

    def __enter__(self) -> TreeWorkspace:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _make(self) -> None:
        tree = self.folder / "tree"
        repository = self._repository
        if repository is None:
            ignored = shutil.ignore_patterns(*_NEVER_COPIED)
            shutil.copytree(self._source, tree, symlinks=True, ignore=ignored)
            self._root = tree
            return
        repository.git("worktree", "add", "--detach", str(tree), repository.head)
        self._root = tree / repository.prefix
        if self._dirty:
            self._bring_along(tree, repository)

    def _bring_along(self, tree: Path, repository: Repository) -> None:
        """Copy what is changed or new and not ignored; remove what is deleted."""
        listed = repository.git(
            *("ls-files", "-z", "--modified", "--deleted", "--others"),
            "--exclude-standard",
        )
        for raw in set(listed.split(b"\0")) - {b""}:
            name = os.fsdecode(raw)
            old, new = repository.top / name, tree / name
            if new.is_symlink() or new.is_file():
                new.unlink()
            if old.is_file() and not name.startswith(".nsroute_cache/"):
                new.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(old, new, follow_symlinks=False)

    def _ignored(self, paths: Sequence[str]) -> frozenset[str]:
        """Those new files that git would not take, caches of tools mostly."""
        if self._repository is None or not paths:
            return frozenset()
        data = b"".join(os.fsencode(path) + b"\0" for path in paths)
        try:
            said = run_git(self.root, "check-ignore", "-z", "--stdin", data=data)
        except GitError:  # exit code 1: none of them is
            return frozenset()
        return frozenset(os.fsdecode(said).split("\0"))

    def _write(self, changes: Sequence[Change]) -> None:
        assert self._root is not None
        for change in changes:
            self._put(self._root, change, change.after)

    def _put(self, root: Path, change: Change, data: bytes | None) -> None:
        self._written[change.path] = data
        if data is None:
            (root / change.path).unlink(missing_ok=True)
            return
        self._write_file(root, change.path, data)
        if change.before is None and change.executable:
            (root / change.path).chmod(0o755)

    def _write_file(self, root: Path, path: str, data: bytes) -> None:
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
        # Byte code is told stale by whole seconds and size (PEP 3147): let no two
        # versions of a file have the same second.
        self._clock += 1
        os.utime(target, (self._clock, self._clock))


def _stamps(root: Path) -> dict[str, tuple[int, int, int]]:
    """What tells that a file was changed, without a look into it, by path."""
    found = {}
    for path in _listing(root):
        with contextlib.suppress(OSError):
            status = (root / path).stat()
            found[path] = (status.st_mtime_ns, status.st_size, status.st_ino)
    return found


def _listing(root: Path) -> set[str]:
    """Every regular file below ``root`` that a tool may be meant to change."""
    found = set()
    for folder, names, files in os.walk(root):
        names[:] = [name for name in names if name not in _NEVER_CAPTURED]
        here = Path(folder)
        for name in files:
            path = here / name
            if name not in _NEVER_CAPTURED and not path.is_symlink():
                found.add(path.relative_to(root).as_posix())
    return found
