"""Random projects: the simulator against real interpreters, and what a plan promises."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path

from hypothesis import HealthCheck, Phase, given, settings


from . import support
from .projects import projects

QUICK = settings(
    max_examples=120,
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
        for python in support.interpreters():
            found = support.imported(root, modules, python)
            assert {m: o.kind for m, o in found.items()} == said, python
