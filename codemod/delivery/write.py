"""A file is replaced whole or not at all.

The new content goes to a temporary file in the same directory, which then takes the
old one's name (``os.replace``, atomic by POSIX ``rename``). Whenever the process ends,
by Ctrl-C, SIGKILL or power failure, the name holds the old or the new content, whole.
"""

from __future__ import annotations

import contextlib
import os
import stat
from pathlib import Path, PurePosixPath

from codemod.delivery.strays import temporary_file
from codemod.model import Problem


def write_file(
    root: Path, path: str, data: bytes, expect: bytes | None
) -> Problem | None:
    """Replace ``root / path`` by ``data``; return why not when that is refused.

    ``expect`` is what the file held when it was read: a file that changed since is
    left alone. None means that there must be no such file yet.

    Mode bits are kept, the owner where the system allows it. A symlink inside the root
    stays a link and the file it leads to is replaced; one that leads out of the root,
    and a path that does, is refused. Other hard links to the file keep the old content.
    A temporary file is left behind only when the process is killed, and goes with the
    next file that is written in its directory.
    """
    target = _target(root, path)
    if isinstance(target, Problem):
        return target
    try:
        changed = _changed(target, path, expect)
        if changed is None:
            changed = _replace(target, path, data, expect)
    except OSError as error:
        return Problem(path, 0, f"cannot be written: {error.strerror or error}")
    return changed


def _target(root: Path, path: str) -> Path | Problem:
    """Return the real file behind ``path``, which lies inside the root."""
    parts = PurePosixPath(path).parts
    if not parts or PurePosixPath(path).is_absolute() or ".." in parts:
        return Problem(path, 0, "is no path inside the root; not written")
    try:
        real_root = root.resolve(strict=True)
        target = real_root.joinpath(*parts).resolve()
    except (OSError, RuntimeError) as error:
        return Problem(path, 0, f"cannot be written: {error}")
    if not target.is_relative_to(real_root):
        return Problem(path, 0, f"leads out of the root, to {target}; not written")
    return target


def _changed(target: Path, path: str, expect: bytes | None) -> Problem | None:
    """Return a problem when the file is not what was read."""
    try:
        mode = target.lstat().st_mode
    except FileNotFoundError:
        if expect is None:
            return None
        return Problem(path, 0, "was deleted while we ran; not written")
    if not stat.S_ISREG(mode):
        kind = "a directory" if stat.S_ISDIR(mode) else "no regular file"
        return Problem(path, 0, f"is {kind} now; not written")
    if expect is None:
        return Problem(path, 0, "exists already; not written")
    if target.read_bytes() != expect:
        message = "changed while we ran; not written: run again to take it as it is now"
        return Problem(path, 0, message)
    return None


def _replace(
    target: Path, path: str, data: bytes, expect: bytes | None
) -> Problem | None:
    with temporary_file(target.parent) as (name, file):
        file.write(data)
        file.flush()
        _take_over_status(file.fileno(), target)
        os.fsync(file.fileno())
        # Asked again as late as can be: writing takes a while on a slow disk.
        changed = _changed(target, path, expect)
        if changed is None:
            os.replace(name, target)  # noqa: PTH105 - the name of an open descriptor
        return changed


def _take_over_status(descriptor: int, target: Path) -> None:
    """Give the new file the owner and mode bits of the old one, or a new file's."""
    try:
        status = target.stat()
    except FileNotFoundError:
        umask = os.umask(0)
        os.umask(umask)
        os.fchmod(descriptor, 0o666 & ~umask)
        return
    own = os.fstat(descriptor)
    if (own.st_uid, own.st_gid) != (status.st_uid, status.st_gid):
        # Only root may give a file away; the group alone may still be possible.
        try:
            os.fchown(descriptor, status.st_uid, status.st_gid)
        except OSError:
            with contextlib.suppress(OSError):
                os.fchown(descriptor, -1, status.st_gid)
    # After the owner, since a change of owner clears set-user-ID (chown(2)).
    os.fchmod(descriptor, stat.S_IMODE(status.st_mode))
