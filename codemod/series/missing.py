"""Names that new code would import from modules that are nowhere."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from codemod.series.task import FileTask

if TYPE_CHECKING:
    from codemod.api import Analysis


@dataclass(frozen=True, slots=True)
class Missing:
    """A name, dotted, whose module is neither in the project nor beside the routes.

    ``file`` is the first that would import it. ``installed`` says that the project has
    nothing of its top-level package, so that it may be a library's.
    """

    name: str
    file: str
    installed: bool


def missing_names(analysis: Analysis, tasks: Iterable[FileTask]) -> Iterator[Missing]:
    """The names that tasks import from modules that nobody has, each once."""
    routes, modules = analysis.routes, analysis.index.project.by_module
    beside = {
        accessor.module
        for accessor in routes.accessors
        if accessor.root not in routes.missing_accessors
    }
    packages = {module.partition(".")[0] for module in modules}
    seen: set[str] = set()
    for task in tasks:
        for _, name in task.names:
            module = name.rpartition(".")[0]
            if name not in seen and module not in modules and module not in beside:
                installed = name.partition(".")[0] not in packages
                yield Missing(name, task.source.file.path, installed)
            seen.add(name)
