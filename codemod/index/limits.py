"""What one file may cost; one that costs more is reported, and the others are done.

Nobody writes 10 MB of source by hand, and a syntax tree takes some hundred times the
room of its text. Inside a file that is small enough, a tree or a walk can still take
time and memory that the text does not show: that is measured while it happens.
"""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator
from pathlib import Path
from types import FrameType

#: Bytes of the largest file that is looked at.
LARGEST = 10_000_000
#: Seconds of processor time, so that a busy machine gives the same answer.
SECONDS = 120
#: Bytes of address space on top of what the process has already.
MEMORY = 4 * 1024**3
#: Bytes of a file that cannot cost that much, whatever is in it.
_HARMLESS = 20_000


class LimitError(Exception):
    """A file costs more than one file may; the message says what of."""


def too_large(size: int) -> str | None:
    """Why a file of so many bytes is not looked at; None when it is."""
    if size <= LARGEST:
        return None
    return (
        f"is {size / 1e6:,.0f} MB large, and no file over {LARGEST // 1_000_000} MB is "
        "looked at; --exclude it if it is data"
    )


@contextlib.contextmanager
def limited(size: int) -> Iterator[None]:
    """Raise LimitError when the work on a file takes too long or too much memory.

    ``size`` is that of the file in bytes; little ones are not worth the measuring. The
    time is seen between two steps of Python code, and only in a main thread;
    memory where the system can limit it (``setrlimit``).
    """
    try:
        if size <= _HARMLESS:
            yield
        else:
            with _in_time(), _in_memory():
                yield
    except MemoryError:
        message = f"needs more than {MEMORY // 1024**3} GB of memory, or nests too deep"
        raise LimitError(message) from None


@contextlib.contextmanager
def _in_time() -> Iterator[None]:
    if threading.current_thread() is not threading.main_thread() or not hasattr(
        signal, "setitimer"
    ):
        yield
        return
    before = signal.signal(signal.SIGPROF, _out_of_time)
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def _out_of_time(number: int, frame: FrameType | None) -> None:
    raise LimitError(f"takes more than {SECONDS} s of processor time")


@contextlib.contextmanager
def _in_memory() -> Iterator[None]:
    try:
        import resource

        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    except (ImportError, OSError):
        yield
        return
    old, hard = resource.getrlimit(resource.RLIMIT_AS)
    wanted = pages * resource.getpagesize() + MEMORY
    # Never more than a person allows.
    allowed = [limit for limit in (old, hard) if limit != resource.RLIM_INFINITY]
    resource.setrlimit(resource.RLIMIT_AS, (min([wanted, *allowed]), hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (old, hard))
