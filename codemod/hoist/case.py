"""What a keep reason may ask: one local import, its file, and the whole project."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from codemod.hoist.facts import FileImports, Imported, LocalImport, Patch


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
    present: frozenset[str] = frozenset()
    roots: frozenset[str] = frozenset()

    def missing(self, imported: Imported) -> str:
        """What of ``imported`` is not there, as far as the source shows; "" for none.

        Only for what belongs to the project; modules of other packages, and names that
        may be bound in ways that the source does not show, count as there.
        """
        module, name = imported.module, imported.name
        if module.partition(".")[0] not in self.roots or module in self.present:
            return ""
        file = self.files.get(module)
        if file is None:
            if any(known.startswith(f"{module}.") for known in self.files):
                full = f"{module}.{name}"
                there = not name or self._is_below(full) or full in self.present
                return "" if there else f"module {full!r}"
            return f"module {module!r}"
        full = f"{module}.{name}"
        if not name or self._is_below(full) or full in self.present:
            return ""
        return "" if self._has_name(file, name, set()) else f"name {name!r} in {module}"

    def _is_below(self, name: str) -> bool:
        return name in self.files or any(k.startswith(f"{name}.") for k in self.files)

    def _has_name(self, file: FileImports, name: str, seen: set[str]) -> bool:
        top = file.top
        if name in top.bound or name in top.late_names or top.opaque:
            return True
        if "__getattr__" in top.bound or name.startswith("__"):
            return True
        seen.add(file.module)
        for star in file.stars:
            other = self.files.get(star)
            if star not in seen and (
                other is None or self._has_name(other, name, seen)
            ):
                return True
        return False

    def brings(self, module: str, name: str) -> bool:
        """Whether ``from module import *`` may bind ``name``."""
        return self._brings(module, name, set())

    def _brings(self, module: str, name: str, seen: set[str]) -> bool:
        seen.add(module)
        file = self.files.get(module)
        if name.startswith("_") and (file is None or not file.has_exports):
            return False
        if file is None or name in file.top.bound or name in file.top.late_names:
            return True
        return any(self._brings(s, name, seen) for s in file.stars if s not in seen)

    def has_module(self, name: str) -> bool:
        """Whether ``name`` is a module or a folder of modules."""
        return self._is_below(name)

    def is_module(self, name: str) -> bool:
        """Whether ``name`` is a module of the project."""
        return name in self.files


@dataclass(frozen=True, slots=True)
class Case:
    """One local import to decide on.

    With ``conditions``, an ``if`` keeps it only when it asks about the platform.
    """

    site: LocalImport
    file: FileImports
    project: ProjectImports
    conditions: bool = False

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


def project_imports(
    files: Iterable[FileImports], present: Iterable[str] = ()
) -> ProjectImports:
    """The facts of all files together, by module; the first of one name counts.

    ``present`` are modules of the project that are no Python files.
    """
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
    for key, found in list(patches.items()):
        known = _canonical(key[0], by_module)
        if known != key[0]:
            patches[known, key[1]] += found
    return ProjectImports(
        files=by_module,
        patches={key: tuple(found) for key, found in patches.items()},
        wants={module: frozenset(names) for module, names in wants.items()},
        starred={module: tuple(found) for module, found in starred.items()},
        present=frozenset(present),
        roots=frozenset(module.partition(".")[0] for module in by_module),
    )


def _canonical(name: str, files: Mapping[str, FileImports]) -> str:
    """A module's own name, for one that another module has it under.

    ``api.engine`` is ``lib.engine`` where ``api`` has ``from lib import engine``.
    """
    for _ in range(8):
        if name in files:
            return name
        owner, rest = name, ""
        while owner and owner not in files:
            owner, _, part = owner.rpartition(".")
            rest = f"{part}.{rest}" if rest else part
        first, _, tail = rest.partition(".")
        found = next(
            (
                i
                for statement in (files[owner].imports if owner else ())
                for i in statement.names
                if i.bound == first
            ),
            None,
        )
        if found is None:
            return name
        target = found.module if found.asname or found.name else found.bound
        target = f"{target}.{found.name}" if found.name else target
        renamed = f"{target}.{tail}" if tail else target
        if renamed == name:
            return name
        name = renamed
    return name
