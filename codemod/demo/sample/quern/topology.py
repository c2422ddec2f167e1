"""Which workers are alive.

``quern.runtime_context`` imports this module, so nothing here may import that one
before a function runs.
"""

from __future__ import annotations

from quern.placement import place

_alive: list[str] = []


def start() -> None:
    """Start as many workers as were configured."""
    from quern.runtime_context import get_args

    sa = get_args()
    _alive[:] = [f"{sa.device}:{number}" for number in range(sa.workers)]


def stop() -> None:
    """Stop every worker."""
    _alive.clear()


def lose(worker: str) -> None:
    """Take a worker that died off the list."""
    _alive.remove(worker)


def live_workers() -> int:
    """How many workers are alive."""
    return len(_alive)


def worker_of(position: int) -> str:
    """The worker that gets the text at this position of a batch."""
    return _alive[place(position)]
