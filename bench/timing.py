"""Times whole processes, in pairs, and their largest memory."""

from __future__ import annotations

import os
import statistics
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Run:
    """One finished process: seconds on the clock, seconds of all its cores, exit."""

    wall: float
    cpu: float
    code: int


def run(command: Sequence[str | Path], cwd: Path | None = None) -> Run:
    """Run a command to its end with its output thrown away."""
    before = os.times()
    start = time.perf_counter()
    done = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        check=False,
    )
    wall = time.perf_counter() - start
    after = os.times()
    cpu = (
        after.children_user
        + after.children_system
        - before.children_user
        - before.children_system
    )
    return Run(wall, cpu, done.returncode)


def paired(
    first: Callable[[], Run], second: Callable[[], Run], rounds: int = 5
) -> tuple[float, float, float]:
    """Median seconds of two commands run in turn, and the median of their ratios."""
    pairs = [(first().wall, second().wall) for _ in range(rounds)]
    return (
        statistics.median(a for a, _ in pairs),
        statistics.median(b for _, b in pairs),
        statistics.median(a / b for a, b in pairs),
    )


def peak_memory(command: Sequence[str | Path], cwd: Path | None = None) -> int:
    """The largest resident memory, in MB, of any one process of a command.

    Sampled from the process table while the command runs, since a pool's workers are
    children of a child.
    """
    process = subprocess.Popen(
        [str(part) for part in command],
        cwd=cwd,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    peak = 0
    while process.poll() is None:
        for pid in _descendants(process.pid):
            peak = max(peak, _peak_of(pid))
        time.sleep(0.02)
    return peak // 1024


def _descendants(pid: int) -> list[int]:
    found = [pid]
    for task in found:
        try:
            listing = Path(f"/proc/{task}/task/{task}/children").read_text()
        except OSError:
            continue
        found += [int(child) for child in listing.split()]
    return found


def _peak_of(pid: int) -> int:
    try:
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1])
    except OSError:
        pass
    return 0
