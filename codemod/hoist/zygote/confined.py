"""What a process of the system may do, and its end, with all that it started."""

from __future__ import annotations

import contextlib
import os
import signal
from typing import Any


def isolate(output: int, setup: dict[str, Any]) -> None:
    """Give this process a session, no input, no network and the limits of ``setup``."""
    _die_with_parent()
    os.setsid()
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.dup2(output, 1)
    os.dup2(output, 2)
    os.chdir(setup["folder"])
    if not _leave_network():
        _forbid_sockets()
    try:
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if setup["memory"]:
            resource.setrlimit(resource.RLIMIT_AS, (setup["memory"], setup["memory"]))
    except (ImportError, ValueError, OSError):
        pass


def _leave_network() -> bool:
    """Enter a network namespace that holds nothing; true when the system allows it."""
    try:
        import ctypes

        new_user, new_network = 0x10000000, 0x40000000
        libc = ctypes.CDLL(None, use_errno=True)
        user, group = os.getuid(), os.getgid()
        if libc.unshare(new_user | new_network) != 0:
            return False
        _write("/proc/self/setgroups", "deny")
        _write("/proc/self/uid_map", f"{user} {user} 1")
        _write("/proc/self/gid_map", f"{group} {group} 1")
        return True
    except (ImportError, OSError, AttributeError):
        return False


def _write(path: str, text: str) -> None:
    with contextlib.suppress(OSError), open(path, "w") as file:  # noqa: PTH123
        file.write(text)


def _forbid_sockets() -> None:
    import socket

    def refuse(*args: Any, **kwargs: Any) -> Any:
        raise OSError("no network while modules are imported to try a hoist")

    for name in ("connect", "connect_ex", "bind"):
        setattr(socket.socket, name, refuse)
    for name in ("getaddrinfo", "create_connection"):
        setattr(socket, name, refuse)


def become_reaper() -> None:
    """Make orphans of killed forks children of this process (Linux)."""
    pr_set_child_subreaper = 36
    _prctl(pr_set_child_subreaper, 1)


def _die_with_parent() -> None:
    """Have the system kill this process when its parent is killed (Linux)."""
    pr_set_pdeathsig = 1
    _prctl(pr_set_pdeathsig, signal.SIGKILL)


def _prctl(option: int, value: int) -> None:
    try:
        import ctypes

        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)
    except (ImportError, OSError, AttributeError):
        pass


def kill(child: int) -> None:
    """Kill a process, and its group when it leads one."""
    for kill in (os.killpg, os.kill):
        with contextlib.suppress(OSError):
            kill(child, signal.SIGKILL)


def wait(child: int) -> int:
    """The status of a child that has ended, or ends."""
    while True:
        try:
            return os.waitpid(child, 0)[1]
        except InterruptedError:
            continue


def kill_orphans(but: int = 0) -> None:
    """Kill every child of this process, and what they leave behind, ``but`` one."""
    for _ in range(100):
        children = [child for child in _children() if child != but]
        for child in children:
            kill(child)
        try:
            pid, _status = os.waitpid(-1, 0 if children else os.WNOHANG)
        except ChildProcessError:
            return
        if not pid and not children:
            return


def _children() -> list[int]:
    try:
        path = f"/proc/self/task/{os.getpid()}/children"
        with open(path) as file:  # noqa: PTH123
            return [int(pid) for pid in file.read().split()]
    except (OSError, ValueError):
        return []
