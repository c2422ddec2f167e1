"""Runs programs: a small process that forks a fresh child for every run.

Standard library only, so that any interpreter can run it. It reads one request a line
(``{"root": folder, "before": modules, "after": modules, "calls": expressions,
"steps": overrides}``) and answers with one line: what each step showed and how it
ended. A run that hangs is killed and says so.
"""

from __future__ import annotations

import asyncio  # noqa: F401  # loaded before the fork, so that children have it
import contextlib  # noqa: F401
import dataclasses  # noqa: F401
import importlib
import json
import os
import select
import signal
import sys
import typing  # noqa: F401
import warnings
from collections.abc import Callable
from typing import Any

_SECONDS = 20


def in_child(work: Callable[[], Any]) -> Any:
    """What ``work`` gives, done in a forked child; a text for one that dies."""
    read_end, write_end = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read_end)
        try:
            data = json.dumps(work()).encode()
            view = memoryview(data)
            while view:
                view = view[os.write(write_end, view) :]
        finally:
            os._exit(0)
    os.close(write_end)
    chunks = []
    killed = False
    while True:
        ready, _, _ = select.select([read_end], [], [], _SECONDS)
        if not ready:
            os.kill(child, signal.SIGKILL)
            killed = True
            break
        chunk = os.read(read_end, 1 << 16)
        if not chunk:
            break
        chunks.append(chunk)
    os.close(read_end)
    os.waitpid(child, 0)
    if killed:
        return "it hangs"
    return json.loads(b"".join(chunks)) if chunks else "it died"


class Runner:
    """One program in one child."""

    def __init__(self, root: str) -> None:
        sys.path.insert(0, root)
        warnings.simplefilter("ignore")
        sys.dont_write_bytecode = True
        sys.setrecursionlimit(600)
        self.root = root
        trace = importlib.import_module("app.trace")
        self.probe = importlib.import_module("app.probe")
        self.context = importlib.import_module("app.context")
        self.names = {
            "drive": trace.drive,
            "other": importlib.import_module("app.config").other,
            "app": importlib.import_module("app"),
        }
        self.seen = trace.SEEN

    def step(self, name: str, work: Callable[[], Any]) -> dict[str, Any]:
        """Do one thing; what was shown, and how it ended."""
        self.seen.clear()
        asked = self.probe.ASKED[0]
        try:
            value = work()
            ended = f"gave {type(value).__name__} {value!r}"[:60]
            if " at 0x" in ended:
                ended = f"gave {type(value).__name__}"
            said = ""
        except Exception as error:
            ended, said = f"raised {type(error).__name__}", str(error)
        return {
            "step": name,
            "shown": list(self.seen),
            "ended": ended,
            "said": said,
            "asked": self.probe.ASKED[0] - asked,
        }

    def call(self, text: str) -> dict[str, Any]:
        """Evaluate one expression of the driver."""
        return self.step(text, lambda: eval(text, dict(self.names)))

    def load(self, module: str) -> dict[str, Any]:
        """Import one module."""

        def work() -> None:
            importlib.import_module(module)

        return self.step(f"import {module}", work)


def run(request: dict[str, Any]) -> dict[str, Any]:
    """One program, before and after publishing."""
    runner = Runner(request["root"])
    steps = [runner.load(module) for module in request["before"]]
    early = [in_child(lambda c=call: runner.call(c)) for call in request["early"]]
    for values in request["steps"]:
        steps.append(
            runner.step(
                f"publish {values}", lambda v=values: runner.context.publish(**v)
            )
        )
        steps += [runner.load(module) for module in request["after"]]
        steps += [runner.call(call) for call in request["calls"]]
    reads = sorted(
        {
            (file, line, end or 0, column or 0, name)
            for file, line, end, column, name in runner.probe.EVENTS
        }
    )
    return {"steps": steps, "early": early, "reads": reads}


def main() -> None:
    """Answer requests until there are no more."""
    for line in sys.stdin:
        request = json.loads(line)
        answer = in_child(lambda: run(request))  # noqa: B023
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
