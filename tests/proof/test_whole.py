"""The whole series, and the move of imports, on a few generated programs."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.proof.fuzzing import Bench, bench, run_batch
from tests.proof.hoisting import check_hoists
from tests.proof.programs.build import Project
from tests.proof.series import check_series

Check = Callable[[Bench, Project], list[str]]


@pytest.mark.parametrize(("check", "count"), [(check_series, 8), (check_hoists, 12)])
def test_programs_do_the_same(check: Check, count: int) -> None:
    with bench() as tools:
        assert run_batch(tools, 3, count, shrink=False, checks=check) == []
