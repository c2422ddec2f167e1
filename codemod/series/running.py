"""Running a command of the pack with a time limit, and ending all that it started."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

#: Lines of output that are kept to show what went wrong.
LAST_LINES = 20

# 126 and 127 of POSIX sh: found but no program, not found.
_NOT_STARTED = (126, 127)


@dataclass(frozen=True, slots=True)
class Ran:
    """How a command ended. ``code`` is None when it ran out of time.

    ``tail`` are the last lines that it printed, both streams in one; ``seconds`` how
    long it took.
    """

    code: int | None
    tail: tuple[str, ...]
    seconds: float

    @property
    def ok(self) -> bool:
        """Whether the command says that all is well."""
        return self.code == 0

    @property
    def started(self) -> bool:
        """Whether the shell could run it at all."""
        return self.code not in _NOT_STARTED

    @property
    def end(self) -> str:
        """How it ended, in words."""
        if self.code is None:
            return f"did not end within {self.seconds:.0f} s and was stopped"
        if not self.started:
            return "could not be started"
        if self.code < 0:
            return f"was ended by signal {-self.code}"
        return f"ended with exit code {self.code}"


def run_command(
    command: str | Sequence[str],
    folder: Path,
    timeout: float,
    extra: Mapping[str, str] | None = None,
) -> Ran:
    """Run a shell command line, or a program with arguments, in ``folder``.

    It gets a process group of its own, which is killed as a whole when the time is
    over, when it has ended and left something running, and when we are interrupted.
    """
    from codemod.delivery.git import local_environment

    environment = local_environment()
    # Files change within one second here, too fast for byte code to be told stale.
    environment |= {"PYTHONDONTWRITEBYTECODE": "1", **(extra or {})}
    environment.pop("LC_ALL", None)
    if "LC_ALL" in os.environ:
        environment["LC_ALL"] = os.environ["LC_ALL"]
    start = time.monotonic()
    with tempfile.TemporaryFile() as output:
        try:
            process = subprocess.Popen(
                command,
                shell=isinstance(command, str),
                cwd=folder,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        except OSError as error:
            return Ran(127, (str(error),), 0.0)
        code: int | None
        try:
            code = process.wait(timeout)
        except subprocess.TimeoutExpired:
            code = None
        finally:
            _end_group(process)
        output.seek(0, os.SEEK_END)
        output.seek(max(output.tell() - 65536, 0))
        text = output.read().decode("utf-8", "replace")
    lines = tuple(text.splitlines()[-LAST_LINES:])
    return Ran(code, lines, time.monotonic() - start)


def _end_group(process: subprocess.Popen[bytes]) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
