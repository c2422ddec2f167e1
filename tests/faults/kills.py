"""SIGKILL at random moments of each way to deliver.

Half of the moments are anywhere in a run, half in the short time in which something is
written. By turns the process alone is killed, so that a git it has started goes on
without it, and all that it has started with it.
"""

from __future__ import annotations

import contextlib
import os
import random
import shutil
import signal
import subprocess
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from tests.faults.shop import Shop, torn
from tests.series import support

MODES = ("in-place", "branch", "patches")

_ARGUMENTS = {
    "in-place": ("apply", "--jobs", "1"),
    "branch": ("apply", "--jobs", "1", "--branch", "moved", "--deterministic"),
    "patches": ("apply", "--jobs", "1", "--patches", "../out", "--deterministic"),
}


@dataclass(frozen=True)
class Expected:
    """What a run that nobody disturbs makes, and how long it takes."""

    seconds: float
    files: dict[str, bytes]
    branches: dict[str, str]
    patches: dict[str, bytes]


@dataclass
class Kills:
    """Kills of one mode on copies of one shop, in a folder for their use."""

    shop: Shop
    mode: str
    folder: Path
    random: random.Random
    figures: Counter[str] = field(default_factory=Counter)
    expected: Expected | None = None

    def undisturbed(self) -> Expected:
        """A run to its end."""
        if self.expected is None:
            copy, environment = self._place()
            start = time.monotonic()
            done = copy.run(*_ARGUMENTS[self.mode], env=environment)
            took = time.monotonic() - start
            assert done.returncode == 0, done.stderr
            self.expected = Expected(
                took, copy.contents(), copy.branches(), _patches(copy)
            )
        return self.expected

    def once(self, number: int) -> list[str]:
        """One kill; what is wrong afterwards."""
        expected = self.undisturbed()
        copy, environment = self._place()
        old, state, branches = copy.contents(), copy.state, copy.branches()
        process = copy.start(*_ARGUMENTS[self.mode], env=environment)
        if number % 2:
            self._wait_for_delivery(copy, process, Path(environment["TMPDIR"]))
            # Writing in place is quick, making commits is not.
            part = 0.05 if self.mode == "in-place" else 0.2
            time.sleep(self.random.uniform(0, part * expected.seconds))
        else:
            time.sleep(self.random.uniform(0, 1.1 * expected.seconds))
        ended = self._kill(process, whole_group=number // 2 % 2 == 0)
        self.figures[f"{self.mode}: {'had ended' if ended else 'killed'}"] += 1
        wrong = torn(copy.contents(), old, expected.files)
        wrong += copy.is_sound()
        wrong += self._is_as_it_was_or_complete(copy, state, branches)
        wrong += self._again(copy, environment)
        return [f"{self.mode} {number}: {each}" for each in wrong]

    def _place(self) -> tuple[Shop, dict[str, str]]:
        shutil.rmtree(self.folder, ignore_errors=True)
        temporary = self.folder / "tmp"
        temporary.mkdir(parents=True)
        environment = {"TMPDIR": str(temporary), "SOURCE_DATE_EPOCH": "1600000000"}
        return self.shop.copy(self.folder / "shop"), environment

    def _wait_for_delivery(
        self, copy: Shop, process: subprocess.Popen[bytes], temporary: Path
    ) -> None:
        """Until the run has begun to write something."""
        app = copy.folder / "app"
        before = app.stat().st_mtime_ns, (app / "part0").stat().st_mtime_ns
        while process.poll() is None:
            now = app.stat().st_mtime_ns, (app / "part0").stat().st_mtime_ns
            if now != before or (
                self.mode != "in-place" and any(temporary.glob("nsroute-*/tree/*"))
            ):
                return
            time.sleep(0.002)

    def _kill(self, process: subprocess.Popen[bytes], whole_group: bool) -> bool:
        """Kill it; whether it had ended before."""
        ended = process.poll() is not None
        if whole_group:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
        process.wait()
        # A git that it left behind ends by itself.
        until = time.monotonic() + 20
        while _group_lives(process.pid) and time.monotonic() < until:
            time.sleep(0.01)
        return ended

    def _is_as_it_was_or_complete(
        self, copy: Shop, state: tuple[str, ...], branches: dict[str, str]
    ) -> list[str]:
        expected = self.undisturbed()
        wrong = []
        now = copy.branches()
        if now not in (branches, expected.branches):
            wrong.append(f"branches: {now}")
        patches = _patches(copy)
        if patches not in ({}, expected.patches):
            wrong.append(f"patches: {sorted(patches)}")
        complete = bool(patches) or now != branches
        left = copy.temporary()
        self.figures[f"{self.mode}: left a temporary file"] += bool(left)
        if self.mode == "in-place":
            now_files = copy.contents()
            complete = now_files == expected.files
            by_half = not complete and now_files != self.shop.contents()
            self.figures[f"{self.mode}: some files new, some old"] += by_half
            for path in left:
                path.unlink()
            status = support.git(
                copy.folder, "--no-optional-locks", "status", "--porcelain=v1"
            )
            if any(line[:2] not in (" M",) for line in status.splitlines()):
                wrong.append(f"git status: {status}")
            if support.git(copy.folder, "ls-files", "--stage", "-v") != state[4]:
                wrong.append("the index is another")
        elif support.state(copy.folder) != state:
            wrong.append("the checkout is not as it was")
        self.figures[f"{self.mode}: complete"] += complete
        locks = [p.name for p in (copy.folder / ".git").rglob("*.lock")]
        self.figures[f"{self.mode}: git left a lock"] += bool(locks)
        for path in (copy.folder / ".git").rglob("*.lock"):
            path.unlink()
        return wrong

    def _again(self, copy: Shop, environment: dict[str, str]) -> list[str]:
        """Whether a second run gets to the end that the first would have had."""
        expected = self.undisturbed()
        if self.mode == "branch" and copy.branches() == expected.branches:
            return []
        if self.mode == "patches" and _patches(copy) == expected.patches:
            return []
        more = ["--leftover", "remove"]
        if self.mode == "in-place":
            more.append("--force")
        done = copy.run(*_ARGUMENTS[self.mode], *more, env=environment)
        if done.returncode != 0:
            return [f"a second run ends with {done.returncode}: {done.stderr}"]
        now = copy.contents(), copy.branches(), _patches(copy)
        if now != (expected.files, expected.branches, expected.patches):
            return ["a second run comes to another end"]
        return []


def _patches(shop: Shop) -> dict[str, bytes]:
    out = shop.folder.parent / "out"
    return {path.name: path.read_bytes() for path in sorted(out.glob("*"))}


def _group_lives(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True
