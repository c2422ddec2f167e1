"""A person goes through the hunks of each commit: yes, no, all, quit, undo, why.

The questions and the look are those of Bowler's review (Facebook's ``bowler``, MIT),
whose keys people know. What differs is what a no does: Bowler leaves the hunk out of
the patch, which can leave an import without its use. Here the reads of the hunk are
kept and the commit is planned again, so that imports, aliases and writers follow.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from codemod.cli.exits import UsageError
from codemod.cli.screen import Screen, count, safe
from codemod.cli.series import shown_diff

if TYPE_CHECKING:
    from codemod.decisions.engine import Decided
    from codemod.series.commit import Change
    from codemod.series.draft import Draft

_KEYS = {
    "y": "yes: take this hunk",
    "n": "no: keep what it changes as it is",
    "a": "all: take this hunk and all that follow",
    "q": "quit: take neither this hunk nor any that follows",
    "u": "undo: back to the hunk before",
    "w": "why: the decision behind each change of the hunk",
    "?": "this help",
}


@dataclass(frozen=True)
class Hunk:
    """One question: a part of a file's diff, and the reads that it converts.

    A hunk with no reads follows from others (an import, an alias), unless the file has
    edits of other kinds: then ``whole`` is true and no leaves the file out.
    """

    change: Change
    text: bytes
    reads: tuple[Decided, ...]
    whole: bool = False


@dataclass
class _Session:
    """What holds from one commit to the next: take all, or nothing more."""

    take_all: bool = False
    quit: bool = False
    answers: list[bool] = field(default_factory=list)


def reviewer(screen: Screen, ask: Callable[[str], str] = input) -> Callable[..., Draft]:
    """A review that asks for every hunk; see ``codemod.series.run.SeriesOptions``."""
    session = _Session()

    def review(draft: Draft) -> Draft:
        hunks = [
            hunk for change in draft.commit.changes for hunk in hunks_of(change, draft)
        ]
        asked = [hunk for hunk in hunks if hunk.reads or hunk.whole]
        if session.take_all:
            return draft
        if session.quit:
            answers = [False] * len(asked)
        else:
            title = f"{draft.commit.name}: {draft.commit.title}"
            screen.line(screen.paint(safe(title), "yellow", "bold"))
            answers = _asked(screen, asked, session, ask)
        return without(draft, [h for h, taken in zip(asked, answers) if not taken])

    return review


def without(draft: Draft, refused: Sequence[Hunk]) -> Draft:
    """The draft planned again with what these hunks change kept as it is."""
    from codemod.transforms.model import KeptSite

    if not refused:
        return draft
    reads = {
        (each.read.file, each.read.line, each.read.column): "Refused in review."
        for hunk in refused
        for each in hunk.reads
    }
    files = {
        hunk.change.path: KeptSite(
            hunk.change.path,
            *(1, 1, "", "review", "the whole file"),
            reason="refused",
            why="Refused in review.",
        )
        for hunk in refused
        if hunk.whole
    }
    return draft.again(draft.withheld.plus(reads, files))


def hunks_of(change: Change, draft: Draft) -> Iterator[Hunk]:
    """The hunks of a change, each with the reads that stand in its old lines."""
    from codemod.delivery.diff import hunks

    mine = [each for each in draft.reads if each.read.file == change.path]
    counts = dict(change.counts)
    others = not counts or any(n for name, n in counts.items() if name != "reads")
    if others or change.before is None or change.after is None:
        from codemod.cli.series import patch_of

        yield Hunk(change, patch_of(change), tuple(mine), whole=True)
        return
    found = list(hunks(change.before, change.after))
    for number, (first, last, text) in enumerate(found):
        inside = tuple(
            each
            for each in mine
            if _holds(first, last, each) or (number == 0 and not _held(found, each))
        )
        yield Hunk(change, text, inside)


def _holds(first: int, last: int, each: Decided) -> bool:
    return first <= each.read.line <= last


def _held(found: Sequence[tuple[int, int, bytes]], each: Decided) -> bool:
    return any(_holds(first, last, each) for first, last, _ in found)


def _asked(
    screen: Screen,
    hunks: Sequence[Hunk],
    session: _Session,
    ask: Callable[[str], str],
) -> list[bool]:
    """The answer to each hunk, in order."""
    answers: list[bool] = []
    while len(answers) < len(hunks):
        hunk = hunks[len(answers)]
        _show(screen, hunk, len(answers) + 1, len(hunks))
        key = _key(screen, hunk, ask)
        if key == "u":
            if not answers:
                screen.line("This is the first hunk of the commit.")
            else:
                answers.pop()
        elif key == "a":
            session.take_all = True
            answers += [True] * (len(hunks) - len(answers))
        elif key == "q":
            session.quit = True
            answers += [False] * (len(hunks) - len(answers))
        else:
            answers.append(key == "y")
    return answers


def _show(screen: Screen, hunk: Hunk, number: int, of: int) -> None:
    path = safe(hunk.change.path)
    screen.line()
    screen.line(screen.paint(f"{path}  ({number} of {of})", "bold"))
    screen.lines(shown_diff(screen, hunk.text))


def _key(screen: Screen, hunk: Hunk, ask: Callable[[str], str]) -> str:
    """The answer of a person: y, n, a, q or u; help and reasons are given here."""
    while True:
        try:
            said = ask("Apply this hunk [y,n,a,q,u,w,?]? ").strip().lower()
        except EOFError:
            raise UsageError(
                "the answers ended before the hunks did; nothing was written",
                "answer q to take what was accepted so far",
            ) from None
        if said == "?":
            screen.lines(f"{key} - {meaning}" for key, meaning in _KEYS.items())
        elif said == "w":
            screen.lines(_reasons(hunk))
        elif said in _KEYS:
            return said
        elif said:
            screen.line(f"{safe(said)}: none of y, n, a, q, u, w, ?")
        sys.stdout.flush()


def _reasons(hunk: Hunk) -> Iterator[str]:
    for each in hunk.reads:
        read = each.read
        yield f"{read.file}:{read.line}:{read.column}: {safe(read.text)}"
        yield f"  becomes {safe(read.replacement or '')}"
        yield f"  since {read.field} goes to {read.namespace}; it is a {read.form} read"
    others = {n: c for n, c in hunk.change.counts if n != "reads"}
    for name, number in others.items():
        yield f"{hunk.change.path}: {count(number, 'edit')} by {name}"
    if hunk.whole:
        yield "A no leaves the whole file as it is in this commit."
