"""Many programs, one after another, with what was found wrong about any of them."""

from __future__ import annotations

import shutil
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from tests.proof.checking import Figures, check
from tests.proof.programs.build import FEATURES, Project, program
from tests.proof.programs.draw import Draw
from tests.proof.running import Runner, runner


class WrongError(AssertionError):
    """nsroute was wrong about a program."""


@st.composite
def programs(
    draw: Callable[..., object], features: frozenset[str] = FEATURES
) -> Project:
    """Generated projects."""
    return program(Draw(draw), features)


@dataclass
class Bench:
    """A folder and a process to try programs with."""

    folder: Path
    runner: Runner
    figures: Figures = field(default_factory=Figures)
    #: Edits of a series by transform, and imports by what became of them.
    edits: Counter[str] = field(default_factory=Counter)
    hoists: Counter[str] = field(default_factory=Counter)

    def try_program(self, project: Project) -> list[str]:
        """What nsroute gets wrong about a program."""
        return check(project, self.folder, self.runner, self.figures)


@contextmanager
def bench() -> Iterator[Bench]:
    """A bench for a while."""
    folder = Path(tempfile.mkdtemp(prefix="nsroute-proof-"))
    try:
        with runner() as found:
            yield Bench(folder, found)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def kind_of(wrong: str) -> str:
    """What kind of fault a message is about."""
    return wrong.partition(":")[0]


def run_batch(
    tools: Bench,
    number: int,
    count: int,
    keep: Path | None = None,
    until: float | None = None,
    shrink: bool = True,
    checks: Callable[[Bench, Project], list[str]] = Bench.try_program,
) -> list[str]:
    """Try ``count`` programs of one seed; the fault of the first wrong one.

    ``shrink`` makes it small first, which takes minutes. ``keep`` is a folder for the
    files of that program. After ``until`` (seconds of the
    monotonic clock) nothing more is tried.
    """
    first: list[str] = []
    last: list[str] = []

    @seed(number)
    @settings(
        max_examples=count,
        database=None,
        deadline=None,
        print_blob=False,
        report_multiple_bugs=False,
        suppress_health_check=list(HealthCheck),
        phases=(Phase.generate, Phase.shrink) if shrink else (Phase.generate,),
    )
    @given(programs())
    def attempt(project: Project) -> None:
        if until is not None and time.monotonic() > until and not first:
            return
        wrong = checks(tools, project)
        # One fault at a time: another kind that turns up while shrinking can wait.
        if wrong and (not first or kind_of(wrong[0]) == kind_of(first[0])):
            first[:] = first or wrong
            last[:] = wrong
            if keep is not None:
                shutil.rmtree(keep, ignore_errors=True)
                shutil.copytree(tools.folder, keep)
                (keep / "wrong.txt").write_text("\n".join(wrong), encoding="utf-8")
            raise WrongError("\n".join(wrong))

    try:
        attempt()
    except WrongError:
        return last
    return []
