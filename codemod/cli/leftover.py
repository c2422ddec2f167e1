"""What a run that ended early has left: taken up again, taken away, or let be."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from codemod.cli.exits import UsageError
from codemod.cli.screen import Screen, count

if TYPE_CHECKING:
    from codemod.cli.options import Source
    from codemod.cli.places import Places
    from codemod.cli.series import Series
    from codemod.delivery.journal import Asked
    from codemod.delivery.leftovers import Leftover
    from codemod.delivery.repository import Repository
    from codemod.delivery.workspace import TreeWorkspace
    from codemod.series.commit import Commit, Skipped

WAYS = ("resume", "remove", "keep")


def look_for(
    root: Path, repository: Repository | None, way: str | None, screen: Screen
) -> list[Leftover]:
    """What there is to resume; UsageError when a person has to say what to do.

    With the way ``remove`` it is removed here, with ``keep`` left alone.
    """
    from codemod.delivery.leftovers import leftovers, remove

    if way not in (None, *WAYS):
        raise UsageError(f"--leftover {way}: say resume, remove or keep")
    found = leftovers(root, repository)
    if way is None and found:
        first = found[0]
        done = f", {count(first.commits, 'commit')} done"
        raise UsageError(
            f"a run that ended early left a worktree at {first.folder / 'tree'}{done}",
            "--leftover resume goes on where it stopped, --leftover remove takes it "
            "away, --leftover keep goes on without it",
        )
    if way == "resume":
        if not found:
            raise UsageError("--leftover resume: no run that ended early left anything")
        return found
    if way == "remove":
        for item in found:
            remove(item, repository)
            screen.note(f"removed the worktree {item.folder / 'tree'}")
    return []


def asked_of(
    series: Series,
    work: Source,
    places: Places,
    repository: Repository | None,
    commits: bool,
) -> Asked:
    """What this run is about, for a later one to know whether it may go on from it."""
    from codemod import __version__
    from codemod.delivery.journal import Asked, digest

    index = series.analysis.index
    options = work.options(places.only)
    terms = digest(
        (
            *(__version__, series.pack.digest, series.analysis.routes.digest),
            *("commits" if commits else "in place", "names", *series.names),
            *("only", *options.only, "include", *options.include),
            *("exclude", *options.exclude),
        )
    )
    files = sorted(index.sources.items())
    # A check may read more than Python files: of those HEAD tells.
    head = "" if repository is None else repository.head
    parts = (part for path, source in files for part in (path, source.data))
    tree = digest((head, *parts))
    return Asked(str(series.root.resolve()), terms, tree)


@dataclass
class Log:
    """The journal of a run: what an earlier one had settled, and what this one does.

    ``items`` are those of the earlier one, ``delivering`` is true when it had settled
    all. ``lasting`` says that commits are worth noting, for they took somebody's time.
    """

    workspace: TreeWorkspace
    asked: Asked
    lasting: bool
    items: tuple[Commit | Skipped, ...] = ()
    delivering: bool = False
    _noted: list[Commit | Skipped] = field(default_factory=list)

    def noting(self, items: Iterable[Commit | Skipped]) -> Iterator[Commit | Skipped]:
        """The same items, each noted when it is there."""
        from codemod.delivery import journal

        if self.lasting:
            journal.begin(self.workspace.folder, self.asked)
            for item in self.items:
                journal.note(self.workspace.folder, item)
        for number, item in enumerate(items):
            self._noted.append(item)
            if self.lasting and number >= len(self.items):
                journal.note(self.workspace.folder, item)
            yield item

    def deliver(self) -> None:
        """Note that all is settled, so that what follows can be done again."""
        from codemod.delivery import journal

        # Without a note a crash is as it ever was: the next run makes the rest.
        with contextlib.suppress(OSError):
            if not self.lasting:
                journal.begin(self.workspace.folder, self.asked)
                for item in self._noted or self.items:
                    journal.note(self.workspace.folder, item)
            journal.note_delivering(self.workspace.folder)


def log_for(
    workspace: TreeWorkspace,
    asked: Asked,
    lasting: bool,
    left: Sequence[Leftover],
    screen: Screen,
) -> tuple[Log, Leftover | None]:
    """The journal to go on with, and the leftover that it takes up, if there is one.

    UsageError when none of ``left`` is of a run like this one.
    """
    if not left:
        return Log(workspace, asked, lasting), None
    for item in left:
        if item.journal.misfit(asked) is None:
            screen.note(
                f"going on after {count(item.commits, 'commit')} of the run that "
                "ended early"
            )
            found = item.journal
            log = Log(workspace, asked, lasting, found.items, found.delivering)
            return log, item
    why = left[0].journal.misfit(asked)
    raise UsageError(
        f"the run that left {left[0].folder / 'tree'} cannot be resumed: {why}",
        "--leftover remove takes it away",
    )
