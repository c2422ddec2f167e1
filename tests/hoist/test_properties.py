"""Random projects: the simulator against real interpreters, what a plan promises."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path

from hypothesis import HealthCheck, Phase, given, settings

from . import support
from .projects import projects, projects_with_local_imports

QUICK = settings(
    max_examples=60,
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
    phases=[Phase.explicit, Phase.generate, Phase.shrink],
)


@QUICK
@given(projects())
def test_simulation_is_what_python_does(files: Mapping[str, str]) -> None:
    modules = [support.module_of(path)[0] for path in files]
    said = {m: support.kind(support.simulated(files, m)) for m in modules}
    with tempfile.TemporaryDirectory() as folder:
        root = support.write(Path(folder), files)
        for python in {support.interpreters()[0], support.interpreters()[-1]}:
            found = support.imported(root, modules, python)
            assert {m: o.kind for m, o in found.items()} == said, python


@settings(QUICK, max_examples=30)
@given(projects_with_local_imports())
def test_a_plan_breaks_nothing_and_is_maximal(files: Mapping[str, str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        plan = support.planned(root, files)
        assert (plan.errors, plan.rolled_back) == ((), ())
        assert support.still_imports(root, plan, files) == []
        support.check_maximal(root, plan, files)
