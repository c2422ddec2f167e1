"""What an operator may change while the service runs."""

from __future__ import annotations

from quern.runtime_context import get_args, get_context
from quern.serving.engine import Engine


def set_log_level(level: str) -> None:
    """Log more or less from now on."""
    get_context().override("operator", log_level=level)


def resize(workers: int, cache_entries: int) -> None:
    """Plan for another size; workers join at the next start, the cache at once."""
    get_args().override("operator", workers=workers, cache_entries=cache_entries)


def watch_closely() -> None:
    """Remember twice as many waits in new metrics, and call them slow earlier."""
    get_args().metrics_window *= 2
    get_args().slow_after = 1


def retire(engines: list[Engine]) -> str:
    """Take the last engine out of service; the name it was served by."""
    return engines.pop().service_args.served_name
