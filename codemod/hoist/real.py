"""Import modules for real: each first in its own process, in the project's Python.

A ``zygote`` process starts once for each job in the chosen interpreter and forks for
each module; what a fork does ends with it. A fork has no input, no network, a home and
a temporary folder that are removed at the end, bytecode caches there too, a time limit,
and its output is cut. What a module does to files elsewhere is not held back: importing
a project runs its code, as its tests do.
"""

from __future__ import annotations

import json
import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from queue import Empty, SimpleQueue
from types import TracebackType
from typing import IO, Any

_KEPT_VARIABLES = (
    "PATH",
    "LANG",
    "LC_ALL",
    "LD_LIBRARY_PATH",
    "DYLD_LIBRARY_PATH",
    "PYTHONPATH",
    "VIRTUAL_ENV",
)
_GRACE = 15.0
"""Seconds beyond a module's time after which its zygote is taken to be lost."""


class RealImportError(Exception):
    """The chosen interpreter cannot be used; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class RealOptions:
    """How modules are imported for real.

    ``python`` is the interpreter (this one by default); ``mock`` are top-level packages
    that stand-ins replace (``!torch.npu`` is what one of them lacks all the same, and
    ``torch.version.hip=None`` what an attribute is), ``mock_missing`` replaces every
    third-party package that is not installed. ``timeout`` is in seconds for each
    module, ``memory`` in bytes of address space (0: no limit), ``jobs`` the number of
    modules at a time.
    """

    python: str = sys.executable
    mock: tuple[str, ...] = ()
    mock_missing: bool = False
    timeout: float = 60.0
    memory: int = 0
    jobs: int = 2


@dataclass(frozen=True, slots=True)
class RealOutcome:
    """What came of importing ``module`` first in a process.

    ``kind`` is the exception's class, ``Timeout``, ``Exit`` for a module that left the
    interpreter, or "" when it was imported. ``kinds`` are the names along its MRO.
    ``chain`` are file, line and function of the traceback, outermost first, without
    importlib's frames.
    """

    module: str
    ok: bool
    kind: str = ""
    message: str = ""
    chain: tuple[tuple[str, int, str], ...] = ()
    kinds: tuple[str, ...] = ()
    seconds: float = 0.0
    output: str = ""


@dataclass(frozen=True, slots=True)
class OverlayText:
    """The text that a module has instead of that of its file (an absolute path)."""

    path: str
    is_package: bool
    text: str


@dataclass
class RealImporter:
    """Imports modules for real; a context manager, as it holds processes and a folder.

    ``paths`` are put at the start of ``sys.path``; ``own`` are the project's top-level
    names, for which there are never stand-ins.
    """

    paths: Sequence[str]
    own: Collection[str]
    options: RealOptions = field(default_factory=RealOptions)
    _folder: str = ""
    _zygotes: list[_Zygote] = field(default_factory=list)

    def __enter__(self) -> RealImporter:
        self._folder = tempfile.mkdtemp(prefix="nsroute-import-")
        try:
            self._zygotes = [self._start() for _ in range(max(1, self.options.jobs))]
        except BaseException:
            self.__exit__(None, None, None)
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for zygote in self._zygotes:
            zygote.stop()
        shutil.rmtree(self._folder, ignore_errors=True)

    def overlay(self, texts: Mapping[str, OverlayText]) -> None:
        """Serve ``texts`` instead of files from now on, by module name."""
        shown = {
            name: [text.path, text.is_package, text.text]
            for name, text in texts.items()
        }
        for zygote in self._zygotes:
            zygote.serve(shown, self.options.timeout)

    def move(self, paths: Sequence[str]) -> None:
        """Look for modules in ``paths`` from now on, instead of those before."""
        self.paths = paths
        for zygote in self._zygotes:
            zygote.move(list(paths), self.options.timeout)

    def import_all(
        self,
        modules: Iterable[str],
        progress: Callable[[int], None] = lambda done: None,
    ) -> dict[str, RealOutcome]:
        """Import each of ``modules`` first in its own process; outcomes by name.

        ``progress`` is called with the number of modules that are done.
        """
        queue: SimpleQueue[str] = SimpleQueue()
        names = list(dict.fromkeys(modules))
        for name in sorted(names):  # those of one package one after the other
            queue.put(name)
        found: dict[str, RealOutcome] = {}

        def work(zygote: _Zygote) -> None:
            while True:
                try:
                    name = queue.get_nowait()
                except Empty:
                    return
                found[name] = zygote.imported(name)
                progress(len(found))

        threads = [threading.Thread(target=work, args=(z,)) for z in self._zygotes]
        for thread in threads:
            thread.start()
        try:
            for thread in threads:
                thread.join()
        finally:  # interrupted: nothing more is begun
            with suppress(Empty):
                while True:
                    queue.get_nowait()
        return {name: found[name] for name in names if name in found}

    def _start(self) -> _Zygote:
        setup = {
            "paths": list(self.paths),
            "own": sorted(self.own),
            "mock": list(self.options.mock),
            "mock_missing": self.options.mock_missing,
            "timeout": self.options.timeout,
            "memory": self.options.memory,
            "folder": self._folder,
        }
        return _Zygote(self.options.python, setup, self._folder)


class _Zygote:
    """One zygote process, started again when it is lost."""

    def __init__(self, python: str, setup: dict[str, Any], folder: str) -> None:
        self._python = python
        self._setup = setup
        self._folder = folder
        self.overlay: dict[str, Any] = {}
        self._stopped = False
        self._start()

    def _start(self) -> None:
        request_in, request_out = os.pipe()
        answer_in, answer_out = os.pipe()
        script = str(Path(__file__).with_name("zygote"))
        try:
            self._process = subprocess.Popen(
                [self._python, script, str(request_in), str(answer_out)],
                pass_fds=(request_in, answer_out),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env=_environment(self._folder),
                cwd=self._folder,
                start_new_session=True,
            )
        except OSError as error:
            os.close(request_out)
            os.close(answer_in)
            raise RealImportError(
                f"{self._python}: cannot be started ({error.strerror}); name another "
                "interpreter with --python"
            ) from None
        finally:
            os.close(request_in)
            os.close(answer_out)
        self._requests: IO[bytes] = os.fdopen(request_out, "wb")
        self._answers: IO[bytes] = os.fdopen(answer_in, "rb")
        if self.ask({"setup": self._setup}, 30.0) is None:
            self.stop()
            raise RealImportError(
                f"{self._python}: is not a Python that can import modules for nsroute "
                "(3.8 or newer on a system with fork); name another with --python"
            )
        if self.overlay:
            self.ask({"overlay": self.overlay, "dropped": []}, 30.0)

    def ask(self, request: dict[str, Any], timeout: float) -> dict[str, Any] | None:
        """The answer, or None when the process is gone or does not answer in time."""
        try:
            self._requests.write(json.dumps(request).encode() + b"\n")
            self._requests.flush()
            ready, _, _ = select.select([self._answers], [], [], timeout + _GRACE)
            line = self._answers.readline() if ready else b""
            answer = json.loads(line) if line else None
        except (OSError, ValueError):
            return None
        return answer if isinstance(answer, dict) else None

    def move(self, paths: list[str], timeout: float) -> None:
        """Put ``paths`` at the start of ``sys.path`` in place of those before."""
        self.ask({"paths": paths}, timeout)
        self._setup["paths"] = paths

    def serve(self, texts: dict[str, Any], timeout: float) -> None:
        """Serve ``texts`` from now on; only what is new is handed over."""
        before, self.overlay = self.overlay, texts
        changed = {n: text for n, text in texts.items() if before.get(n) != text}
        dropped = [name for name in before if name not in texts]
        if changed or dropped:
            self.ask({"overlay": changed, "dropped": dropped}, timeout)

    def imported(self, module: str) -> RealOutcome:
        """What came of importing ``module``."""
        # Its packages, itself, and once more alone have that time each.
        answer = self.ask({"import": module}, 5 * float(self._setup["timeout"]))
        if answer is None:
            if not self._stopped:
                self._end()
                self._start()
            return RealOutcome(module, False, "Exit", "took its process down with it")
        return RealOutcome(
            module=module,
            ok=bool(answer["ok"]),
            kind=str(answer.get("kind", "")),
            message=str(answer.get("message", "")),
            chain=tuple((f, n, c) for f, n, c in answer.get("chain", ())),
            kinds=tuple(answer.get("kinds", ())),
            seconds=float(answer.get("seconds", 0.0)),
            output=str(answer.get("output", "")),
        )

    def stop(self) -> None:
        """End the process, and what it may be importing, for good."""
        self._stopped = True
        self._end()

    def _end(self) -> None:
        # At the end of its input it ends its fork, and itself. Only then the answers
        # are closed: a thread may be waiting for one.
        with suppress(OSError):
            self._requests.close()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(timeout=5.0)
        with suppress(OSError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        with suppress(OSError):
            self._answers.close()


def _environment(folder: str) -> dict[str, str]:
    import site

    kept = {name: os.environ[name] for name in _KEPT_VARIABLES if name in os.environ}
    base = site.getuserbase()
    return kept | {
        "HOME": folder,
        "TMPDIR": folder,
        "XDG_CACHE_HOME": folder,
        "PYTHONPYCACHEPREFIX": str(Path(folder) / "bytecode"),
        "PYTHONUSERBASE": base,
        "PYTHONHASHSEED": "0",
        "PYTHONUNBUFFERED": "1",
    }
