"""A bar on the terminal for work that takes long enough to make one wonder."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING

from codemod.cli.screen import Screen

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

#: Seconds of work, done and to be expected, that are worth a bar; quicker work shows
#: none and loads nothing for one.
PATIENCE = 0.3


class Bar:
    """Called with what is done and how much there is; shows it where it helps.

    The bar is on stderr, only on a terminal and not with ``--quiet``, and gone when
    the work is done.
    """

    def __init__(self, screen: Screen, label: str) -> None:
        self._shown = not screen.quiet and sys.stderr.isatty()
        self._color = screen.error_color
        self._label = label
        self._start = time.monotonic()
        self._bar: tuple[Progress, TaskID] | None = None

    def __enter__(self) -> Bar:
        return self

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

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._bar is not None:
            self._bar[0].stop()

    def _open(self, total: int) -> tuple[Progress, TaskID]:
        from rich.console import Console
        from rich.progress import (
            BarColumn,
            MofNCompleteColumn,
            Progress,
            TextColumn,
            TimeElapsedColumn,
        )

        bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            console=Console(stderr=True, no_color=not self._color),
            transient=True,
        )
        bar.start()
        return bar, bar.add_task(self._label, total=total)
