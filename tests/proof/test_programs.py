"""A fixed set of generated programs; ``python -m tests.proof`` tries more."""

from __future__ import annotations

import pytest

from tests.proof.fuzzing import bench, run_batch

_SEEDS = range(6)
_PROGRAMS = 10


@pytest.mark.parametrize("number", _SEEDS)
def test_programs_do_the_same_before_and_after(number: int) -> None:
    with bench() as tools:
        assert run_batch(tools, number, _PROGRAMS, shrink=False) == []
    # They were worth trying: they have reads, converted ones, and reads that ran.
    figures = tools.figures
    assert figures.programs >= _PROGRAMS
    assert figures.reasons["convert"] > 10 * _PROGRAMS
    assert figures.run > 20 * _PROGRAMS
