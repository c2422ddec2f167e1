"""What a series is made of: commits, each the change of some files with its message."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from codemod.model import Problem
from codemod.transforms.model import KeptSite


@dataclass(frozen=True, slots=True)
class Change:
    """One file before and after a commit; None where there is no such file.

    ``counts`` is how many places each transform edited, ``notes`` what an edit did
    besides. ``executable`` matters for a new file only: an edit keeps the mode.
    """

    path: str
    before: bytes | None
    after: bytes | None
    counts: tuple[tuple[str, int], ...] = ()
    notes: tuple[str, ...] = ()
    executable: bool = False

    @property
    def edits(self) -> int:
        """How many places were edited, 0 where nobody counted."""
        return sum(number for _, number in self.counts)

    @property
    def is_one(self) -> bool:
        """Whether anything is different afterwards."""
        return self.before != self.after


@dataclass(frozen=True, slots=True)
class Commit:
    """One commit of the series.

    ``step`` is the step's name and ``part`` what its split makes of it, else empty.
    ``message`` is whole, ``title`` its first line. ``kept`` are places of the step's
    selection that stay, each with its reason; ``findings`` what a person has to see to;
    ``problems`` files that were rolled back.
    """

    step: str
    part: str
    message: str
    changes: tuple[Change, ...]
    kept: tuple[KeptSite, ...] = ()
    findings: tuple[KeptSite, ...] = ()
    problems: tuple[Problem, ...] = ()

    @property
    def title(self) -> str:
        """The first line of the message."""
        return self.message.split("\n", 1)[0]

    @property
    def name(self) -> str:
        """``step`` or ``step/part``: what a person calls it by."""
        return f"{self.step}/{self.part}" if self.part else self.step


@dataclass(frozen=True, slots=True)
class Skipped:
    """A step, or a part of one, that changes nothing, and why."""

    step: str
    part: str
    why: str
    kept: tuple[KeptSite, ...] = ()
    findings: tuple[KeptSite, ...] = ()
    problems: tuple[Problem, ...] = ()

    @property
    def name(self) -> str:
        """``step`` or ``step/part``: what a person calls it by."""
        return f"{self.step}/{self.part}" if self.part else self.step


def merged(commits: Iterable[Commit]) -> tuple[Change, ...]:
    """Every file of a series as it was before the first commit and is after the last.

    A file that ends as it was is left out. The order is by path.
    """
    found: dict[str, Change] = {}
    for commit in commits:
        for change in commit.changes:
            first = found.get(change.path)
            found[change.path] = change if first is None else joined(first, change)
    return tuple(found[path] for path in sorted(found) if found[path].is_one)


def joined(first: Change, second: Change) -> Change:
    """Two changes of one file, the second made of what the first has left."""
    counts: dict[str, int] = dict(first.counts)
    for name, number in second.counts:
        counts[name] = counts.get(name, 0) + number
    return Change(
        second.path,
        first.before,
        second.after,
        tuple(counts.items()),
        tuple(dict.fromkeys((*first.notes, *second.notes))),
        first.executable or second.executable,
    )
