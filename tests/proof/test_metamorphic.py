"""The way a project is written changes no decision; any part of a plan works."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings

from codemod import api
from tests.proof.checking import OPTIONS, check, decisions, write
from tests.proof.fuzzing import Bench, bench, programs
from tests.proof.metamorphic import REWRITERS, Rewriter, crlf, tabs
from tests.proof.programs.build import Project
from tests.proof.subsets import check_subset

_FEW = settings(
    max_examples=4,
    database=None,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    phases=(Phase.generate,),
)


@pytest.mark.parametrize("rewriter", REWRITERS, ids=lambda each: each.__name__)
def test_the_same_code_written_otherwise(rewriter: Rewriter) -> None:
    @seed(7)
    @_FEW
    @given(programs())
    def attempt(project: Project) -> None:
        root = tools.folder / "project"
        write(rewriter(project), root)
        result = api.scan(root, options=OPTIONS)
        assert list(result.errors) == []
        assert decisions(rewriter(project), result.reads) == []

    with bench() as tools:
        attempt()


@pytest.mark.parametrize("rewriter", [tabs, crlf], ids=lambda each: each.__name__)
def test_the_rewrite_of_code_written_otherwise(rewriter: Rewriter) -> None:
    def attempt(tools: Bench, project: Project) -> None:
        assert check(rewriter(project), tools.folder, tools.runner) == []

    _with_programs(attempt)


def test_any_part_of_a_plan_works() -> None:
    def attempt(tools: Bench, project: Project) -> None:
        for keep in (2, 3):
            assert check_subset(tools, project, keep) == []

    _with_programs(attempt)


def _with_programs(attempt: Callable[[Bench, Project], None]) -> None:
    @seed(11)
    @_FEW
    @given(programs())
    def each(project: Project) -> None:
        attempt(tools, project)

    with bench() as tools:
        each()
