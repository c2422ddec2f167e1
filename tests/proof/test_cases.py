"""Every fault that was ever found stays found."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

import pytest

from codemod import api
from tests.proof import cases
from tests.proof.cases.case import Case
from tests.proof.checking import OPTIONS, check, write
from tests.proof.fuzzing import Bench
from tests.proof.running import Runner, runner
from tests.proof.series import check_series

ALL: list[Case] = [
    case
    for module in iter_modules(cases.__path__)
    for case in getattr(import_module(f"{cases.__name__}.{module.name}"), "CASES", ())
]


@pytest.fixture(scope="module")
def programs() -> Iterator[Runner]:
    """Where programs are run."""
    with runner() as found:
        yield found


@pytest.mark.parametrize("case", ALL, ids=lambda case: case.name)
def test_case(case: Case, tmp_path: Path, programs: Runner) -> None:
    project = case.project()
    write(project, tmp_path / "shown")
    result = api.scan(tmp_path / "shown", options=OPTIONS)
    reads = [read for read in result.reads if read.file == "app/m0.py"]
    assert tuple(read.reason or read.decision for read in reads) == case.decisions

    if case.series:
        assert check_series(Bench(tmp_path, programs), project) == []
    else:
        assert check(project, tmp_path, programs) == []
    assert (tmp_path / "after/app/m0.py").read_text(encoding="utf-8") == case.after
