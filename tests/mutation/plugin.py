"""A pytest plugin: the tests run once as they are, then again for every mutant.

The first run notes which tests use which function. A mutant of a function then needs
only those, the quickest first, in a process forked from this one; a mutation of what a
module does when it is imported needs a fresh interpreter and all tests of its file.
"""

from __future__ import annotations

import faulthandler
import json
import os
import signal
import subprocess
import sys
import threading
import time
import traceback
from collections import defaultdict
from pathlib import Path
from types import FrameType, FunctionType

import pytest
from _pytest.runner import runtestprotocol

from tests.mutation.mutants import FOLDERS, Mutant
from tests.mutation.patching import Key, difference, key_of, loaded_functions

#: Seconds that a mutant may take beyond twice what its tests take without it.
PATIENCE = 30


class Mutation:
    """Tries mutants after the tests have passed; see the module."""

    def __init__(self, todo: list[Mutant], log: Path, until: float) -> None:
        self._todo = todo
        self._log = log
        self._until = until
        self._root = Path.cwd()
        self._folders = tuple(str(self._root / folder) for folder in FOLDERS)
        #: The tests that use a function, by file and key.
        self._users: defaultdict[tuple[str, Key], set[int]] = defaultdict(set)
        self._seconds: dict[int, float] = {}
        self._failed: list[str] = []

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """The first run, then the mutants."""
        if session.testsfailed:
            return True
        self._observe(session)
        if self._failed:
            print("fail without any mutation:", *self._failed, sep="\n  ")
            session.testsfailed = len(self._failed)
            return True
        functions: defaultdict[tuple[str, Key], list[FunctionType]] = defaultdict(list)
        for function in loaded_functions(self._folders):
            code = function.__code__
            functions[code.co_filename, key_of(code)].append(function)
        for mutant in self._todo:
            if time.monotonic() > self._until:
                print("no time left", flush=True)
                break
            outcome = self._outcome(session, mutant, functions)
            entry = {**mutant.as_json(), "outcome": outcome}
            with self._log.open("a", encoding="utf-8") as log:
                log.write(json.dumps(entry) + "\n")
        return True

    # -- the first run --------------------------------------------------------------

    def _observe(self, session: pytest.Session) -> None:
        def called(frame: FrameType, event: str, _: object) -> None:
            code = frame.f_code
            if event == "call" and code.co_filename.startswith(self._folders):
                seen.add((code.co_filename, key_of(code)))

        for number, item in enumerate(session.items):
            seen: set[tuple[str, Key]] = set()
            started = time.perf_counter()
            threading.setprofile(called)
            sys.setprofile(called)
            passed = _passes(session, number)
            sys.setprofile(None)
            threading.setprofile(None)  # type: ignore[arg-type]
            self._seconds[number] = time.perf_counter() - started
            if not passed:
                self._failed.append(item.nodeid)
            for where in seen:
                self._users[where].add(number)

    # -- a mutant -------------------------------------------------------------------

    def _outcome(
        self,
        session: pytest.Session,
        mutant: Mutant,
        functions: dict[tuple[str, Key], list[FunctionType]],
    ) -> str:
        path = str(self._root / mutant.path)
        before = Path(path).read_text(encoding="utf-8")
        after = mutant.text(before)
        if after is None or after == before:
            return "none"
        try:
            found = difference(before, after, path)
        except SyntaxError:
            return "none"  # ``if not x := y``: no Python at all
        if found.outside:
            users = {
                n for (file, _), u in self._users.items() if file == path for n in u
            }
            return self._afresh(session, Path(path), after, sorted(users))
        if not found.functions:
            return "none"  # the compiler makes the same of both
        chosen = {n for key in found.functions for n in self._users[path, key]}
        order = sorted(chosen, key=lambda n: self._seconds[n])
        limit = PATIENCE + 2 * sum(self._seconds[n] for n in order)

        def child() -> bool:
            for key, code in found.functions.items():
                for function in functions[path, key]:
                    function.__code__ = code
            return all(_passes(session, number) for number in order)

        return "survived" if _forked(child, limit) else "killed"

    def _afresh(
        self, session: pytest.Session, path: Path, after: str, users: list[int]
    ) -> str:
        """The outcome of a mutant of what an import runs: with its file changed."""
        before = path.read_text(encoding="utf-8")
        files = sorted({session.items[n].nodeid.split("::")[0] for n in users})
        command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider"]
        # Compiled files are told apart by whole seconds and size alone.
        environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
        limit = PATIENCE + 2 * sum(self._seconds.values())
        try:
            path.write_text(after, encoding="utf-8")
            os.utime(path, (2_000_000_000, 2_000_000_000))
            done = subprocess.run(
                [*command, *(files or ["tests/rewrite"])],
                env=environment,
                capture_output=True,
                timeout=limit,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return "killed"
        finally:
            path.write_text(before, encoding="utf-8")
        return "survived" if done.returncode == 0 else "killed"


def _passes(session: pytest.Session, number: int) -> bool:
    item = session.items[number]
    reports = runtestprotocol(item, log=False, nextitem=None)
    return not any(report.failed for report in reports)


def _forked(child: object, limit: float) -> bool:
    """Whether ``child`` says yes, in a process of its own and in time."""
    sys.stdout.flush()
    pid = os.fork()
    if pid == 0:
        os.setsid()
        null = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(null, stream)
        faulthandler.disable()  # a mutant may well crash
        try:
            os._exit(0 if child() else 1)  # type: ignore[operator]
        except BaseException:
            traceback.print_exc()
            os._exit(1)
    until = time.monotonic() + limit
    while time.monotonic() < until:
        ended, status = os.waitpid(pid, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status) == 0
        time.sleep(0.005)
    os.killpg(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    return False
