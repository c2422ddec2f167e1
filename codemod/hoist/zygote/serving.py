"""Answer requests to import modules.

The process reads one JSON request a line from the file descriptor that its first
argument names and answers one JSON line to the second's:

``{"setup": {...}}``    sys.path, stand-ins, limits; once, first
``{"paths": [...]}``    other first entries of sys.path from now on
``{"overlay": {...}, "dropped": [...]}``  module name to [path, is_package, text] that
                        are served instead of files too, and modules that no longer are
``{"import": "a.b"}``   import it in a fork, as the first module; answers its outcome

A fork that has imported a package serves for the modules in it that come next. Each
fork has its own session, no input, its output read and thrown away beyond a limit, no
network, and dies with all its children when it has answered or its time is over. When
the input ends while it runs, whoever asked is gone: then too.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import sys
import time
from typing import IO, Any

from . import standins
from .confined import become_reaper, kill, kill_orphans, wait
from .forks import Fork
from .overlay import Overlay


def main() -> None:
    """Answer requests until the input ends."""
    become_reaper()
    requests = os.fdopen(int(sys.argv[1]), "r", encoding="utf-8")
    answers = os.fdopen(int(sys.argv[2]), "w", encoding="utf-8")
    overlay = Overlay()
    server = _Server("", requests, answers)
    for line in requests:
        request = json.loads(line)
        if "setup" in request:
            server.setup = request["setup"]
            _set_up(server.setup, overlay)
            answer = {"version": list(sys.version_info[:3])}
        elif "paths" in request:
            server.forget()
            _move(request["paths"], server.setup["paths"])
            server.setup["paths"] = request["paths"]
            answer = {}
        elif "overlay" in request:
            server.forget()
            overlay.serve(request["overlay"], request["dropped"])
            answer = {}
        else:
            answer = server.imported(request["import"])
        answers.write(json.dumps(answer) + "\n")
        answers.flush()
    server.forget()


class _Server:
    """Imports modules, each in a fork; knows one package that is imported already.

    Importing ``a.b.c`` first imports ``a`` and ``a.b`` (reference 5.2), so a fork that
    has imported ``a`` can stand for every process that begins with it. Such a fork is
    kept for the modules that follow, and is a server itself, for what is in ``a``.
    ``package`` is what this process has imported, "" for nothing.
    """

    def __init__(self, package: str, requests: IO[str], answers: IO[str]) -> None:
        self.package = package
        self.requests = requests
        self.answers = answers
        self.setup: dict[str, Any] = {}
        self._warm: _Warm | None = None
        self._failed: dict[str, dict[str, Any]] = {}

    def imported(self, module: str) -> dict[str, Any]:
        """What came of importing ``module``; in doubt a fresh process says it."""
        answer = self._through_package(module)
        if answer is None:
            return self._alone(module)
        settled = answer["ok"] or answer["kind"] == "Timeout" or "package" in answer
        if settled or self.package:
            return answer
        return self._alone(module)

    def forget(self) -> None:
        """End the fork that has a package, and forget packages that failed."""
        self._failed.clear()
        if self._warm is not None:
            warm, self._warm = self._warm, None
            warm.end()
            kill_orphans()

    def _through_package(self, module: str) -> dict[str, Any] | None:
        """The answer of a fork that has the next package on the way, if one serves."""
        start = f"{self.package}." if self.package else ""
        following, dot, _ = module[len(start) :].partition(".")
        package = f"{start}{following}"
        if not dot:
            return None
        if package in self._failed:
            return self._failed[package]
        if self._warm is None or self._warm.package != package:
            failed, self._failed = self._failed, {}
            self.forget()
            self._failed = failed
            failure = self._warm_up(package)
            if failure is not None:
                return failure
        if self._warm is None:
            return None
        answer = self._warm.ask(module, self.requests.fileno(), 4 * self._timeout())
        if answer is None:
            warm, self._warm = self._warm, None
            warm.end()
            kill_orphans()
        return answer

    def _timeout(self) -> float:
        return float(self.setup["timeout"])

    def _warm_up(self, package: str) -> dict[str, Any] | None:
        """Import ``package`` in a fork that stays; the answer when that fails.

        A fork with threads does not stay: they would be missing in its own forks.
        """
        request_in, request_out = os.pipe()
        answer_in, answer_out = os.pipe()
        ends = (request_out, answer_in)
        fork = Fork(self, (request_out, answer_in))
        if fork.child == 0:
            try:
                if not fork.run(package):
                    os._exit(1)
                become_reaper()
                requests = os.fdopen(request_in, "r", encoding="utf-8")
                answers = os.fdopen(answer_out, "w", encoding="utf-8")
                server = _Server(package, requests, answers)
                server.setup = self.setup
                for line in requests:
                    answer = server.imported(json.loads(line)["import"])
                    answers.write(json.dumps(answer) + "\n")
                    answers.flush()
            finally:
                os._exit(0)
        os.close(request_in)
        os.close(answer_out)
        answer = fork.answer(stay=True)
        if answer["ok"] and answer.get("threads") == 1:
            self._warm = _Warm(package, fork.child, *ends)
            return None
        fork.end()
        for end in ends:
            os.close(end)
        if answer["ok"]:
            return None
        self._failed[package] = {**answer, "package": package}
        return self._failed[package]

    def _alone(self, module: str) -> dict[str, Any]:
        """Import ``module`` in a fork of this process, which ends then."""
        fork = Fork(self, ())
        if fork.child == 0:
            status = 1
            try:
                fork.run(module)
                status = 0
            finally:
                os._exit(status)
        return fork.answer()

    def close_in_fork(self) -> None:
        """Close what a fork of this process has no business with."""
        for stream in (self.requests, self.answers):
            os.close(stream.fileno())
        if self._warm is not None:
            self._warm.close()

    def keeps(self) -> int:
        """The process that is to live on, 0 for none."""
        return self._warm.child if self._warm is not None else 0


class _Warm:
    """A fork that has imported ``package`` and serves for what is in it."""

    def __init__(self, package: str, child: int, requests: int, answers: int) -> None:
        self.package = package
        self.child = child
        self.requests = requests
        self.answers = answers

    def ask(self, module: str, watched: int, timeout: float) -> dict[str, Any] | None:
        """Its answer; None when it is gone, late, or ``watched`` has ended."""
        try:
            os.write(self.requests, json.dumps({"import": module}).encode() + b"\n")
        except OSError:
            return None
        deadline = time.monotonic() + timeout
        data = b""
        while not data.endswith(b"\n"):
            left = max(deadline - time.monotonic(), 0.0)
            ready, _, _ = select.select([self.answers, watched], [], [], left)
            if self.answers not in ready:
                return None
            more = os.read(self.answers, 65536)
            if not more:
                return None
            data += more
        answer: dict[str, Any] = json.loads(data)
        return answer

    def end(self) -> None:
        """End it and all it runs."""
        self.close()
        kill(self.child)
        wait(self.child)

    def close(self) -> None:
        """Close the pipes to it."""
        for pipe in (self.requests, self.answers):
            with contextlib.suppress(OSError):
                os.close(pipe)


def _set_up(setup: dict[str, Any], overlay: Overlay) -> None:
    _move(setup["paths"], [])
    sys.meta_path.insert(0, overlay)
    if setup["mock"] or setup["mock_missing"]:
        standins.make_serializable()
    if setup["mock"]:
        sys.meta_path.insert(0, standins.StandInFinder(setup["mock"]))
    if setup["mock_missing"]:
        sys.meta_path.append(standins.StandInFinder((), True, setup["own"]))


def _move(paths: list[str], before: list[str]) -> None:
    sys.path[: len(before)] = []
    sys.path[:0] = paths
