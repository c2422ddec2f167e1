"""Worker processes, one for each core."""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import sys
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import TypeVar

_Task = TypeVar("_Task")
_Result = TypeVar("_Result")


def worker_pool(
    jobs: int,
    initializer: Callable[..., None] | None = None,
    arguments: tuple[object, ...] = (),
) -> Executor:
    """A pool of ``jobs`` processes that leave interrupts to the parent.

    Each calls ``initializer`` with ``arguments`` when it starts.
    """
    # Forked workers share what is loaded; where fork is unsafe, start afresh.
    method = "fork" if sys.platform.startswith("linux") else "spawn"
    context = multiprocessing.get_context(method)
    return ProcessPoolExecutor(
        jobs,
        mp_context=context,
        initializer=_start_worker,
        initargs=(initializer, arguments),
    )


def each_alone(
    tasks: Iterable[_Task], work: Callable[[_Task], _Result]
) -> Iterator[tuple[_Task, _Result | None]]:
    """Each task in a worker of its own; None for one that kills its worker.

    For what was lost with a worker that died, killed or out of memory: so the file that
    did it is found, and the others are done.
    """
    for task in tasks:
        with worker_pool(1) as single:
            try:
                yield task, single.submit(work, task).result()
            except BrokenProcessPool:
                yield task, None


def _start_worker(
    initializer: Callable[..., None] | None, arguments: tuple[object, ...]
) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    quiet_collector()
    if initializer is not None:
        initializer(*arguments)


def quiet_collector() -> None:
    """Stop the cycle collector: syntax trees have no cycles and are many objects."""
    gc.disable()
    gc.freeze()


def default_jobs() -> int:
    """The cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
