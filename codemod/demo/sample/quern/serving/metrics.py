"""How long requests waited."""

from __future__ import annotations

from collections import deque

import quern.runtime_context as rc
from quern.runtime_context import get_serving
from quern.schedule import Request


def window() -> int:
    """How many waits to remember; a metric may be made before startup."""
    try:
        return rc.get_args().metrics_window
    except ValueError:
        return 8


def slow_limit() -> int | None:
    """The wait from which on a request was slow, or None before startup."""
    try:
        config = rc.get_args()
    except ValueError:
        return None
    return config.slow_after


class Metrics:
    """The waits that came last, in batches."""

    def __init__(self) -> None:
        self.waits: deque[int] = deque(maxlen=window())
        self.log: list[str] = []

    def observe(self, request: Request) -> None:
        """Note how long a request waited."""
        self.waits.append(request.waited)
        if get_serving().log_level == "debug":
            self.log.append(f"{request.number} {request.engine} {request.waited}")

    def slow(self) -> int:
        """How many of the waits were slow."""
        return sum(wait >= rc.get_args().slow_after for wait in self.waits)

    def summary(self) -> str:
        """One line for the report."""
        limit = getattr(rc.get_args(), "slow_after", 0)
        longest = max(self.waits, default=0)
        return f"{len(self.waits)} waits, longest {longest}, {self.slow()} over {limit}"
