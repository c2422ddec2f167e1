"""A person goes through the hunks of each commit: yes, no, all, quit, undo, why.

The questions and the look are those of Bowler's review (Facebook's ``bowler``, MIT),
whose keys people know. What differs is what a no does: Bowler leaves the hunk out of
the patch, which can leave an import without its use. Here what the hunk changes is
kept and the commit is planned again, so that imports, aliases and writers follow; only
what somebody's own tool has changed is taken or left as text.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from codemod.cli.exits import UsageError
from codemod.cli.screen import Screen, count, safe
from codemod.cli.series import shown_diff

if TYPE_CHECKING:
    from codemod.series.commit import Change
    from codemod.series.draft import Draft
    from codemod.series.sites import Site

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
    """One question: a part of a file's diff, and the places that it changes.

    A hunk with no places follows from others (an import, an alias). What a tool has
    changed is known by the hunk's ``number``. When ``whole`` is true nobody can tell
    the parts of a file's change apart, and no leaves the file out.
    """

    change: Change
    text: bytes
    sites: tuple[Site, ...] = ()
    number: int | None = None
    whole: bool = False

    @property
    def asked(self) -> bool:
        """Whether it is a question of its own."""
        return bool(self.sites) or self.number is not None or self.whole


@dataclass
class _Session:
    """What holds from one commit to the next: take all, or nothing more."""

    take_all: bool = False
    quit: bool = False
    answers: list[bool] = field(default_factory=list)


def reviewer(screen: Screen, ask: Callable[[str], str] = input) -> Callable[..., Draft]:
    """A review that asks for every hunk; see ``codemod.series.run.SeriesOptions``."""
    session = _Session()

    from codemod.series.sites import sites_of

    def review(draft: Draft) -> Draft:
        if session.take_all:
            return draft
        sites = sites_of(draft)
        asked = [
            hunk
            for change in draft.commit.changes
            for hunk in hunks_of(change, sites.get(change.path, []))
            if hunk.asked
        ]
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
    from codemod.series.sites import refused as held_back
    from codemod.transforms.model import KeptSite

    if not refused:
        return draft
    reads, edits = held_back(site for hunk in refused for site in hunk.sites)
    hunks = {
        (hunk.change.path, hunk.number) for hunk in refused if hunk.number is not None
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
    whys = dict.fromkeys(reads, "Refused in review.")
    return draft.again(draft.withheld.plus(whys, files, edits, hunks))


def hunks_of(change: Change, sites: Sequence[Site]) -> Iterator[Hunk]:
    """The hunks of a change, each with the places that stand in its old lines."""
    from codemod.cli.series import patch_of
    from codemod.delivery.diff import hunks

    whole = Hunk(change, patch_of(change), whole=True)
    if change.before is None or change.after is None:
        yield whole
        return
    is_of_tool = not change.counts
    made: list[Hunk] = []
    left = list(sites)
    for number, (first, last, text) in enumerate(hunks(change.before, change.after)):
        inside = tuple(site for site in sites if _holds(first, last, site))
        left = [site for site in left if site not in inside]
        made.append(Hunk(change, text, inside, number if is_of_tool else None))
    homeless = tuple(site for site in left if site.read is not None)
    made[0] = replace(made[0], sites=made[0].sites + homeless)
    yield from made if any(hunk.asked for hunk in made) else [whole]


def _holds(first: int, last: int, site: Site) -> bool:
    return first <= site.last and site.first <= last


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
    for site in hunk.sites:
        yield f"{site.path}:{site.first}:{site.column}: {safe(site.text)}"
        yield f"  becomes {safe(site.becomes)}" if site.becomes else "  goes"
        if site.decided is not None:
            read = site.decided.read
            yield (
                f"  since {read.field} goes to {read.namespace}; "
                f"it is a {read.form} read"
            )
    for name, number in hunk.change.counts:
        if name != "reads":
            yield f"{hunk.change.path}: {count(number, 'edit')} by {name}"
    if hunk.number is not None:
        yield f"{hunk.change.path}: changed by the step's own tool"
    if hunk.whole:
        yield "A no leaves the whole file as it is in this commit."
