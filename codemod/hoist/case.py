"""What a keep reason may ask: one local import, its file, and the whole project."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from codemod.hoist.facts import FileImports, LocalImport, Patch


@dataclass(frozen=True, slots=True)
class ProjectImports:
    """All files of a project, and what they say about one another's names.

    ``patches`` are by module and attribute ("" for the module as a whole), ``wants`` by
    module: the names other files take from it; ``starred`` by module: the files that
    take everything.
    """

    files: Mapping[str, FileImports]
    patches: Mapping[tuple[str, str], tuple[Patch, ...]]
    wants: Mapping[str, frozenset[str]]
    starred: Mapping[str, tuple[str, ...]]

    def is_module(self, name: str) -> bool:
        """Whether ``name`` is a module of the project."""
        return name in self.files


@dataclass(frozen=True, slots=True)
class Case:
    """One local import to decide on."""

    site: LocalImport
    file: FileImports
    project: ProjectImports

    @property
    def target(self) -> str:
        """The module whose import is moved: that of a submodule taken by ``from``."""
        imported = self.site.imported
        full = f"{imported.module}.{imported.name}"
        if imported.name and self.project.is_module(full):
            return full
        return imported.module


@dataclass(frozen=True, slots=True)
class Keep:
    """Why an import stays: a reason's code, its sentence, and what to do instead."""

    reason: str
    why: str
    offer: str = ""
    line: int = 0
    chain: tuple[str, ...] = field(default=())


def project_imports(files: Iterable[FileImports]) -> ProjectImports:
    """The facts of all files together, by module; the first of one name counts."""
    by_module: dict[str, FileImports] = {}
    patches: defaultdict[tuple[str, str], list[Patch]] = defaultdict(list)
    wants: defaultdict[str, set[str]] = defaultdict(set)
    starred: defaultdict[str, list[str]] = defaultdict(list)
    for file in files:
        by_module.setdefault(file.module, file)
        for patch in file.patches:
            patches[patch.module, patch.name].append(patch)
        for module, name in file.wants:
            wants[module].add(name)
        for module in file.stars:
            starred[module].append(file.module)
    return ProjectImports(
        files=by_module,
        patches={key: tuple(found) for key, found in patches.items()},
        wants={module: frozenset(names) for module, names in wants.items()},
        starred={module: tuple(found) for module, found in starred.items()},
    )
