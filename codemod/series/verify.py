"""Each commit is tried with the project's own check; what breaks it is taken back.

When a commit fails, delta debugging (Zeller and Hildebrandt, "Simplifying and Isolating
Failure-Inducing Input", 2002) finds a smallest set of its files whose edits alone make
the check fail: one file, or two that break only together. Files that change together or
not at all, such as the reader and the writer of a field, count as one. Those files are
held back, the commit is planned again without them, and tried again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

from codemod.packs import Verify
from codemod.series.commit import Change
from codemod.series.draft import Draft
from codemod.series.run import Review, Workspace
from codemod.series.running import Ran, run_command
from codemod.transforms.model import KeptSite

REASON = "verify-failed"


class Trial(Workspace, Protocol):
    """A workspace in which parts of a commit can be tried."""

    def put(self, changes: Sequence[Change], kept: Sequence[Change]) -> None:
        """Give each file its new content if it is kept, else its old."""

    def undisturbed(self, work: Callable[[], Ran]) -> Ran:
        """Do some work; the files that it changed or removed are then as before."""


class VerifyError(Exception):
    """The project's check fails before a commit is tried; ``ran`` is how."""

    def __init__(self, verify: Verify, ran: Ran, when: str) -> None:
        super().__init__(verify, ran, when)
        self.verify = verify
        self.ran = ran
        self.when = when


Say = Callable[[str], None]


def verifier(
    verify: Verify, workspace: Trial, say: Say, when: str = "before any change"
) -> Review:
    """A review that runs the pack's command on each commit.

    ``say`` is told each command before it runs. The tree as it is ``when`` the first
    commit is reviewed is tried once: VerifyError when the command fails on it or cannot
    be started, for then it can tell nothing about a commit.
    """
    started: list[bool] = []

    def review(draft: Draft) -> Draft:
        if not started:
            say(f"verify: {verify.command}  ({when})")
            first = _tried(verify, workspace)
            if not first.ok:
                raise VerifyError(verify, first, when)
            started.append(True)
        while changes := draft.commit.changes:
            say(f"verify {draft.commit.name}: {verify.command}")
            search = _Search(verify, workspace, say)
            try:
                if search.passes(draft, changes):
                    return draft
                end = search.failed.end
                say(f"verify {draft.commit.name} {end}: looking for the cause")
                draft = search.without_culprits(draft)
            finally:
                workspace.put(changes, ())
        return draft

    return review


def _tried(verify: Verify, workspace: Trial) -> Ran:
    """How the command ends; a formatter in it does not spoil the next trial."""
    root = workspace.root
    return workspace.undisturbed(
        lambda: run_command(verify.command, root, verify.timeout)
    )


Unit = tuple[Change, ...]


def units_of(draft: Draft) -> list[Unit]:
    """The changes of a draft, with those that only make sense together in one."""
    group_of = {path: group for group in draft.together for path in group}
    found: dict[frozenset[str], list[Change]] = {}
    for change in draft.commit.changes:
        group = group_of.get(change.path, frozenset({change.path}))
        found.setdefault(group, []).append(change)
    return [tuple(changes) for changes in found.values()]


class _Search:
    """Looks for what makes a commit fail. ``failed`` is the last run that did."""

    failed: Ran

    def __init__(self, verify: Verify, workspace: Trial, say: Say) -> None:
        self._verify = verify
        self._workspace = workspace
        self._say = say

    def passes(self, draft: Draft, kept: Sequence[Change]) -> bool:
        """Whether the command passes with these changes of the draft alone."""
        self._workspace.put(draft.commit.changes, kept)
        ran = _tried(self._verify, self._workspace)
        if not ran.ok:
            self.failed = ran
        return ran.ok

    def without_culprits(self, draft: Draft) -> Draft:
        """The draft planned again without a smallest set of files that breaks it."""

        def fails(units: Sequence[Unit]) -> bool:
            changes = [change for unit in units for change in unit]
            failed = not self.passes(draft, changes)
            self._tell(failed, [change.path for change in changes])
            return failed

        blamed = smallest_failing(units_of(draft), fails)
        ran = self.failed
        if len(blamed) == 1 and len(blamed[0]) > 1:
            less = self._with_most_of(draft, blamed[0], ran)
            if less is not None:
                return less
        changes = [change for unit in blamed for change in unit]
        return self._taken_back(draft, changes, ran)

    def _with_most_of(self, draft: Draft, unit: Unit, ran: Ran) -> Draft | None:
        """The draft without one file of a unit, if that is enough.

        What has to stay with it stays; the rest of the other files can go on. What
        leaves the most is tried first.
        """
        paths = {change.path for change in unit}
        found: list[tuple[int, Draft, list[Change]]] = []
        for change in unit[:_MOST_TRIES]:
            again = self._taken_back(draft, [change], ran)
            rest = [c for c in again.commit.changes if c.path in paths]
            if rest:
                found.append((sum(c.edits for c in rest), again, rest))
        for _, again, rest in sorted(found, key=lambda each: -each[0]):
            self._workspace.put(draft.commit.changes, ())
            passed = self.passes(again, rest)
            self._workspace.put(again.commit.changes, ())
            self._tell(not passed, [each.path for each in rest])
            if passed:
                return again
        return None

    def _taken_back(self, draft: Draft, blamed: Sequence[Change], ran: Ran) -> Draft:
        kept = _kept(blamed, self._verify, ran)
        return draft.again(draft.withheld.plus(files=kept))

    def _tell(self, failed: bool, paths: Sequence[str]) -> None:
        names = ", ".join(paths[:3])
        more = f" and {len(paths) - 3} more" if len(paths) > 3 else ""
        self._say(f"  {'fails' if failed else 'passes'} with {names}{more}")


#: So many files of a unit are tried alone before all of it is taken back.
_MOST_TRIES = 8

_Item = TypeVar("_Item")


def smallest_failing(
    items: Sequence[_Item], fails: Callable[[Sequence[_Item]], bool]
) -> list[_Item]:
    """A subset that fails, of which no single item can be taken away (ddmin).

    ``items`` as a whole must fail, and no item at all must pass. Each subset is tried
    once.
    """
    known: dict[tuple[int, ...], bool] = {}

    def test(subset: Sequence[int]) -> bool:
        key = tuple(subset)
        if key not in known:
            known[key] = fails([items[number] for number in subset])
        return known[key]

    current = list(range(len(items)))
    pieces = 2
    while len(current) >= 2:
        chunks = _cut(current, pieces)
        smaller = next((chunk for chunk in chunks if test(chunk)), None)
        if smaller is not None:
            current, pieces = smaller, 2
            continue
        if pieces > 2:
            rests = ([i for i in current if i not in chunk] for chunk in chunks)
            smaller = next((rest for rest in rests if test(rest)), None)
            if smaller is not None:
                current, pieces = smaller, max(pieces - 1, 2)
                continue
        if pieces >= len(current):
            break
        pieces = min(pieces * 2, len(current))
    return [items[number] for number in current]


def _cut(items: list[int], pieces: int) -> list[list[int]]:
    """``items`` in so many runs of about equal length."""
    size, rest = divmod(len(items), pieces)
    found, start = [], 0
    for number in range(pieces):
        end = start + size + (number < rest)
        found.append(items[start:end])
        start = end
    return [chunk for chunk in found if chunk]


def _kept(blamed: Sequence[Change], verify: Verify, ran: Ran) -> dict[str, KeptSite]:
    tail = "\n".join(ran.tail)
    others = [change.path for change in blamed]
    sites = {}
    for change in blamed:
        together = [path for path in others if path != change.path]
        with_them = f" together with {', '.join(together)}" if together else ""
        why = f"{verify.command} {ran.end}{with_them}. It printed:\n{tail}"
        sites[change.path] = KeptSite(
            change.path, 1, 1, "", "", "the whole file", REASON, why
        )
    return sites
