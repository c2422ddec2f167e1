"""The diff of a plan: bytes that ``git apply`` takes, or lines in colour."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from codemod.cli.screen import Screen, count, safe

if TYPE_CHECKING:
    from codemod.api import Plan
    from codemod.series.migrate import FileChange

_TITLE = ("diff --git ", "index ", "--- ", "+++ ")


def show_diff(screen: Screen, changes: Iterable[FileChange]) -> None:
    """Print the diff of each file: exact where a program reads it, else made safe."""
    from codemod.delivery import diff_bytes

    for change in changes:
        data = diff_bytes(change.before, change.after, change.path)
        if screen.terminal or screen.color:
            screen.lines(_shown(screen, data))
        else:
            screen.data(data)


def _shown(screen: Screen, data: bytes) -> Iterator[str]:
    title = True
    for line in data.decode("utf-8", "backslashreplace").removesuffix("\n").split("\n"):
        # A removed line of source can look like a title: only those before @@ are.
        title = line.startswith("diff --git ") or (title and line.startswith(_TITLE))
        yield screen.paint(safe(line.removesuffix("\r")), *_styles(line, title))


def _styles(line: str, title: bool) -> tuple[str, ...]:
    if title:
        return ("bold",)
    return {"@": ("cyan",), "+": ("green",), "-": ("red",)}.get(line[:1], ())


def say_rolled_back(screen: Screen, plan: Plan) -> None:
    """Name the files that a plan leaves alone, and what an edit did besides."""
    for change in plan.changes:
        for note in change.notes:
            screen.note(f"note: {safe(change.path)}: {safe(note)}")
    for problem in plan.rolled_back:
        screen.warn(f"{problem.file}:{problem.line}: {problem.message}")


def amount(changes: Iterable[FileChange]) -> str:
    """``35 reads in 13 files``."""
    listed = list(changes)
    reads = count(sum(change.reads for change in listed), "read")
    return f"{reads} in {count(len(listed), 'file')}"
