"""Each commit is tried with the project's own check; what breaks it is taken back.

When a commit fails, delta debugging (Zeller and Hildebrandt, "Simplifying and Isolating
Failure-Inducing Input", 2002) finds a smallest set of its files whose edits alone make
the check fail: one file, or two that break only together. Those files are held back,
the commit is planned again without them, and tried again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

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

    def run() -> Ran:
        return run_command(verify.command, workspace.root, verify.timeout)

    def review(draft: Draft) -> Draft:
        if not started:
            say(f"verify: {verify.command}  ({when})")
            first = run()
            if not first.ok:
                raise VerifyError(verify, first, when)
            started.append(True)
        while draft.commit.changes:
            changes = draft.commit.changes
            say(f"verify {draft.commit.name}: {verify.command}")
            try:
                workspace.put(changes, changes)
                ran = run()
                if ran.ok:
                    return draft
                say(f"verify {draft.commit.name} {ran.end}: looking for the cause")
                blamed = _smallest_failing(changes, workspace, run, say)
            finally:
                workspace.put(changes, ())
            draft = draft.again(draft.withheld.plus(files=_kept(blamed, verify, ran)))
        return draft

    return review


def _smallest_failing(
    changes: Sequence[Change], workspace: Trial, run: Callable[[], Ran], say: Say
) -> list[Change]:
    def fails(subset: Sequence[Change]) -> bool:
        workspace.put(changes, subset)
        failed = not run().ok
        names = ", ".join(change.path for change in subset[:3])
        more = f" and {len(subset) - 3} more" if len(subset) > 3 else ""
        say(f"  {'fails' if failed else 'passes'} with {names}{more}")
        return failed

    return smallest_failing(list(changes), fails)


def smallest_failing(
    items: Sequence[Change], fails: Callable[[Sequence[Change]], bool]
) -> list[Change]:
    """A subset that fails, of which no single item can be taken away (ddmin).

    ``items`` as a whole must fail, and no item at all must pass. Each subset is tried
    once.
    """
    known: dict[tuple[str, ...], bool] = {}

    def test(subset: Sequence[Change]) -> bool:
        key = tuple(item.path for item in subset)
        if key not in known:
            known[key] = fails(subset)
        return known[key]

    current = list(items)
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
    return current


def _cut(items: list[Change], pieces: int) -> list[list[Change]]:
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
