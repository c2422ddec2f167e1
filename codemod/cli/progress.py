"""A bar on the terminal for work that takes long enough to make one wonder."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING, TypeVar

from codemod.cli.screen import Screen

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

#: Seconds of work, done and to be expected, that are worth a bar; quicker work shows
#: none and loads nothing for one.
PATIENCE = 0.3


class _Shown:
    """What is on stderr while a ``with`` lasts: only on a terminal, not quietly."""

    def __init__(self, screen: Screen) -> None:
        self._shown = not screen.quiet and sys.stderr.isatty()
        self._color = screen.error_color
        self._start = time.monotonic()
        self._bar: tuple[Progress, TaskID] | None = None

    def __enter__(self: _S) -> _S:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._bar is not None:
            self._bar[0].stop()


_S = TypeVar("_S", bound=_Shown)


class Stages(_Shown):
    """Called with what is being done, and how much of how much where that is known.

    As ``Bar``, for work in stages some of which have no known length. Nothing runs
    beside the work to move it: such a thread would be in the way of forks.
    """

    def __call__(self, text: str, done: int = 0, total: int = 0) -> None:
        if not self._shown:
            return
        if self._bar is None:
            if time.monotonic() - self._start < PATIENCE:
                return
            bar = _progress(self._color, auto_refresh=False)
            bar.start()
            self._bar = bar, bar.add_task(text, total=total or None)
        bar, task = self._bar
        if total != (bar.tasks[-1].total or 0):
            # A bar that has had a length cannot lose it: another takes its place.
            bar.update(task, visible=False)
            task = bar.add_task(text, total=total or None)
            self._bar = bar, task
        bar.update(task, description=text, completed=done)
        bar.refresh()


class Bar(_Shown):
    """Called with what is done and how much there is; shows it where it helps.

    The bar is on stderr, only on a terminal and not with ``--quiet``, and gone when
    the work is done.
    """

    def __init__(self, screen: Screen, label: str) -> None:
        super().__init__(screen)
        self._label = label

    def __call__(self, done: int, total: int) -> None:
        if not self._shown:
            return
        if self._bar is None:
            elapsed = time.monotonic() - self._start
            left = elapsed * (total - done) / max(done, 1)
            if elapsed < PATIENCE or left < PATIENCE:
                return
            self._bar = self._open(total)
        bar, task = self._bar
        bar.update(task, completed=done, total=total)

    def pause(self) -> None:
        """Take the bar away while something else is shown; work brings it back."""
        if self._bar is not None:
            self._bar[0].stop()
        self._bar = None
        self._start = time.monotonic()

    def _open(self, total: int) -> tuple[Progress, TaskID]:
        bar = _progress(self._color)
        bar.start()
        return bar, bar.add_task(self._label, total=total)


def _progress(color: bool, auto_refresh: bool = True) -> Progress:
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
    )

    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=Console(stderr=True, no_color=not color),
        transient=True,
        auto_refresh=auto_refresh,
    )
