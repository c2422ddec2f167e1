"""Temporary files beside the files they were to replace, and what a killed run left.

Whoever makes one holds a lock on it for as long as it is there. The system takes the
lock back when the process ends, however it ends, so that a file without one is
nobody's any more. It is a lock of the process (POSIX ``fcntl``); where a file system
has none, strays stay.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

_NAME = re.compile(r"\.nsroute-[0-9a-f]{16}")


@contextlib.contextmanager
def temporary_file(folder: Path) -> Iterator[tuple[str, BinaryIO]]:
    """A new file in ``folder`` and its name; if it is still there afterwards, it goes.

    Those that dead runs have left in the folder go first.
    """
    _sweep(folder)
    while True:
        # The name is known before the file is there, so that an interrupt between its
        # making and the next line finds what to take away.
        name = str(folder / f".nsroute-{secrets.token_hex(8)}")
        try:
            with open(name, "xb", opener=_private) as file:
                with contextlib.suppress(OSError):
                    fcntl.lockf(file, fcntl.LOCK_EX)
                # Another run may have swept it away before it was locked.
                if os.fstat(file.fileno()).st_nlink:
                    yield name, file
                    return
        finally:
            with contextlib.suppress(OSError):
                Path(name).unlink()


def _private(name: str, flags: int) -> int:
    return os.open(name, flags, 0o600)


def _sweep(folder: Path) -> None:
    """Remove the files of dead runs; whatever cannot be removed stays."""
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if _NAME.fullmatch(entry.name) and entry.is_file(follow_symlinks=False):
                with contextlib.suppress(OSError):
                    _remove_if_dead(Path(entry.path))


def _remove_if_dead(stray: Path) -> None:
    descriptor = os.open(stray, os.O_RDWR | os.O_NOFOLLOW)
    try:
        owner = os.fstat(descriptor).st_uid
        fcntl.lockf(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)  # OSError: it lives
        if owner == os.getuid():
            stray.unlink()
    finally:
        os.close(descriptor)
