"""A fork that imports one module and says what came of it."""

from __future__ import annotations

import json
import os
import select
import time
from typing import IO, Any, Protocol

from .confined import isolate, kill, kill_orphans, wait

_OUTPUT_KEPT = 2000


class Forks(Protocol):
    """The process that forks: what it was told, and what it keeps."""

    requests: IO[str]
    setup: dict[str, Any]

    def close_in_fork(self) -> None:
        """Close what a fork of this process has no business with."""

    def keeps(self) -> int:
        """The process that is to live on, 0 for none."""


class Fork:
    """A fork of this process that imports one module and says what came of it."""

    def __init__(self, server: Forks, foreign: tuple[int, ...]) -> None:
        self._server = server
        self._result_in, self._result_out = os.pipe()
        self._output_in, self._output_out = os.pipe()
        self._started = time.monotonic()
        self.child = os.fork()
        if self.child == 0:
            server.close_in_fork()
            for pipe in (self._result_in, self._output_in, *foreign):
                os.close(pipe)

    def run(self, module: str) -> bool:
        """In the fork: import ``module``, answer, and say whether it was imported."""
        isolate(self._output_out, self._server.setup)
        imported = _import(module, self._result_out)
        null = os.open(os.devnull, os.O_WRONLY)
        for pipe in (1, 2):
            os.dup2(null, pipe)
        for pipe in (self._result_out, self._output_out, null):
            os.close(pipe)
        return imported

    def answer(self, stay: bool = False) -> dict[str, Any]:
        """What the fork says; unless it may ``stay``, it has ended then."""
        setup = self._server.setup
        os.close(self._result_out)
        os.close(self._output_out)
        deadline = self._started + setup["timeout"]
        watched = self._server.requests.fileno()
        texts, timed_out = _gather(self._result_in, self._output_in, watched, deadline)
        os.close(self._result_in)
        os.close(self._output_in)
        whole = texts[0].endswith(b"\n")
        status = 0 if stay and whole else self.end()
        answer = _answer(texts[0], status, timed_out, setup)
        answer["seconds"] = round(time.monotonic() - self._started, 3)
        answer["output"] = texts[1].decode("utf-8", "replace")
        return answer

    def end(self) -> int:
        """End the fork and what it started; its status."""
        if self.child < 0:
            return 0
        child, self.child = self.child, -1
        kill(child)
        status = wait(child)
        kill_orphans(self._server.keeps())
        return status


def _answer(
    result: bytes, status: int, timed_out: bool, setup: dict[str, Any]
) -> dict[str, Any]:
    if timed_out:
        message = f"did not end within {setup['timeout']} seconds"
        return {"ok": False, "kind": "Timeout", "message": message, "chain": []}
    try:
        answer: dict[str, Any] = json.loads(result.decode("utf-8"))
        return answer
    except ValueError:
        pass
    if os.WIFSIGNALED(status):
        how = f"was killed by signal {os.WTERMSIG(status)}"
    else:
        how = f"left the interpreter with status {os.WEXITSTATUS(status)}"
    return {"ok": False, "kind": "Exit", "message": how, "chain": []}


def _gather(
    result: int, output: int, requests: int, deadline: float
) -> tuple[list[bytes], bool]:
    """What the fork wrote to both pipes, until its result is whole or time is over.

    Nothing is asked while it runs, so that ``requests`` can be read only at its end.
    """
    kept = {result: b"", output: b""}
    open_pipes = [result, output]
    while result in open_pipes:
        left = deadline - time.monotonic()
        if left <= 0:
            return [kept[result], kept[output]], True
        ready, _, _ = select.select([*open_pipes, requests], [], [], left)
        if requests in ready:
            break
        for pipe in ready:
            data = os.read(pipe, 65536)
            if not data:
                open_pipes.remove(pipe)
            elif pipe == result or len(kept[pipe]) < _OUTPUT_KEPT:
                kept[pipe] += data
        if kept[result].endswith(b"\n"):
            break
    return [kept[result], kept[output][:_OUTPUT_KEPT]], False


def _import(module: str, result: int) -> bool:
    owner = os.getpid()
    try:
        try:
            __import__(module)
            answer: dict[str, Any] = {"ok": True, "threads": _threads()}
        except BaseException as error:
            answer = _described(error)
    except BaseException as error:  # a broken __str__, a recursion at its limit
        answer = {"ok": False, "kind": type(error).__name__, "message": "", "chain": []}
    if os.getpid() != owner:
        os._exit(0)  # the module forked: only the first process answers
    data = json.dumps(answer).encode() + b"\n"
    while data:
        data = data[os.write(result, data) :]
    return bool(answer["ok"])


def _threads() -> int:
    """How many threads this process has."""
    try:
        return len(os.listdir("/proc/self/task"))  # noqa: PTH208
    except OSError:
        import threading

        return threading.active_count()


def _described(error: BaseException) -> dict[str, Any]:
    chain = []
    trace = error.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        if not code.co_filename.startswith("<frozen importlib"):
            chain.append([code.co_filename, trace.tb_lineno, code.co_name])
        trace = trace.tb_next
    kinds = [kind.__name__ for kind in type(error).__mro__]
    return {
        "ok": False,
        "kind": kinds[0],
        "kinds": kinds,
        "message": str(error)[:500],
        "chain": chain[1:][-400:],
    }
