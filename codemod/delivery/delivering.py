"""A series is handed over: as a branch, as patches, or written in place.

What could stop it is asked before the work starts; then the last step is one that is
done or not: a reference, a folder's name, or files that are each replaced whole.
"""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from codemod.delivery.commits import Made, aside, make_commits, publish_branch
from codemod.delivery.git import GitError
from codemod.delivery.patches import folder_problem, write_patches
from codemod.delivery.repository import (
    Identity,
    Repository,
    branch_problem,
    date_of,
    identity_of,
)
from codemod.delivery.write import write_file
from codemod.model import Problem
from codemod.series.commit import Change, Commit, merged
from codemod.transforms.model import KeptSite


@dataclass(frozen=True, slots=True)
class Stamp:
    """How commits are signed: ``author`` as ``Name <mail>``, or git's configuration.

    A ``deterministic`` stamp takes the time from ``SOURCE_DATE_EPOCH``
    (reproducible-builds.org), else from the commit it builds on, so that the same
    input gives the same hashes.
    """

    author: str | None = None
    deterministic: bool = False


def identity_for(folder: Path, repository: Repository | None, stamp: Stamp) -> Identity:
    """Who commits and when; raises GitError when nobody knows."""
    date = None
    if stamp.deterministic:
        date = os.environ.get("SOURCE_DATE_EPOCH")
        if date is not None and not date.isdecimal():
            raise GitError(f"SOURCE_DATE_EPOCH is {date!r}, not a number of seconds")
        if date is None:
            date = "0" if repository is None else date_of(repository)
    return identity_of(folder, stamp.author, date)


def check_base(repository: Repository) -> None:
    """Raise GitError when the files at hand are not all that the project has."""
    hidden = repository.hidden()
    if hidden:
        raise GitError(
            f"a sparse checkout leaves out {len(hidden)} Python files, for example "
            f"{hidden[0]}: what they need is not known; run git sparse-checkout "
            "disable first"
        )


def check_branch(repository: Repository | None, name: str) -> None:
    """Raise GitError when no branch of that name can be made."""
    if repository is None:
        raise GitError("there is no git repository to make a branch in; see --patches")
    problem = branch_problem(repository, name)
    if problem is not None:
        raise GitError(problem)


def check_patches(folder: Path) -> None:
    """Raise GitError when patches cannot be put there."""
    problem = folder_problem(folder)
    if problem is not None:
        raise GitError(problem)


def not_in_head(repository: Repository, force: bool) -> dict[str, KeptSite]:
    """Files that commits cannot change, since HEAD does not have them as they are."""
    found = {
        path: _left(path, "untracked", "git does not track it: git add it first")
        for path in repository.untracked()
    }
    if force:
        why = "it has uncommitted changes: commit them first"
        for path in repository.uncommitted():
            found[path] = _left(path, "uncommitted", why)
    return found


def _left(path: str, reason: str, why: str) -> KeptSite:
    return KeptSite(path, 1, 1, "", "", "the whole file", reason, why)


def deliver_branch(
    repository: Repository, commits: Sequence[Commit], name: str, identity: Identity
) -> Made:
    """Make the commits and the branch; raises GitError, and then there is no branch."""
    with aside(repository) as place:
        made = make_commits(place, commits, identity)
        publish_branch(place, made, name)
    return made


def deliver_patches(
    repository: Repository | None,
    commits: Sequence[Commit],
    folder: Path,
    identity: Identity,
    subject: str,
    letter: str,
) -> list[Path]:
    """Write the series as patches; raises GitError or OSError, and then none."""
    with aside(repository) as place:
        made = make_commits(place, commits, identity)
        return write_patches(place, made, identity, folder, subject, letter)


@dataclass(frozen=True, slots=True)
class Written:
    """The files that were written in place, and those that could not be."""

    written: tuple[str, ...]
    failed: tuple[Problem, ...]


def deliver_in_place(root: Path, commits: Sequence[Commit]) -> Written:
    """Give every file its final content, each whole or not at all.

    One that has it already, from a run that was ended on the way, counts as written.
    An interrupt waits until all are: half of a series would be no commit of it.
    """
    with _interrupts_waiting():
        return _delivered_in_place(root, commits)


def _delivered_in_place(root: Path, commits: Sequence[Commit]) -> Written:
    written: list[str] = []
    failed: list[Problem] = []
    for change in merged(commits):
        if _is_done(root, change):
            written.append(change.path)
            continue
        if change.after is None:
            problem = _remove(root, change.path, change.before)
        else:
            problem = None
            if change.before is None:
                problem = _make_folder(root, change.path)
            problem = problem or write_file(
                root, change.path, change.after, change.before
            )
            if problem is None and change.before is None and change.executable:
                (root / change.path).chmod(0o755)
        if problem is None:
            written.append(change.path)
        else:
            failed.append(problem)
    return Written(tuple(written), tuple(failed))


@contextlib.contextmanager
def _interrupts_waiting() -> Iterator[None]:
    """Let interrupts wait; those that came are raised at the end."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _is_done(root: Path, change: Change) -> bool:
    target = root / change.path
    try:
        return target.read_bytes() == change.after
    except FileNotFoundError:
        return change.after is None and not target.is_symlink()
    except OSError:
        return False


def _make_folder(root: Path, path: str) -> Problem | None:
    """Make the folder of a new file, whose name a listing of the tree gave."""
    try:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        return Problem(path, 0, f"cannot be written: {error.strerror or error}")
    return None


def _remove(root: Path, path: str, expect: bytes | None) -> Problem | None:
    target = root / path
    try:
        if target.is_symlink() or target.read_bytes() != expect:
            return Problem(path, 0, "changed while we ran; not removed")
        target.unlink()
    except FileNotFoundError:
        return None
    except OSError as error:
        return Problem(path, 0, f"cannot be removed: {error.strerror or error}")
    return None
