"""Under which name a file reaches an accessor, and where the import goes."""

from __future__ import annotations

from dataclasses import dataclass

from codemod.analysis.facts import Candidate, FileFacts
from codemod.index.index import Index, alias_of
from codemod.packs import Accessor
from codemod.project import SourceFile


@dataclass(frozen=True, slots=True)
class Named:
    """How one read reaches its accessor.

    ``name`` is None when no name is free, and ``problem`` says why. ``imported`` says
    whether an import has to be there, ``in_function`` that it goes into the ``def``
    around the read and not to module level.
    """

    name: str | None
    problem: str = ""
    imported: bool = True
    in_function: bool = False


class FileNaming:
    """Chooses names for one file: one name for each accessor wherever that works."""

    def __init__(
        self, index: Index, file: SourceFile, facts: FileFacts | None = None
    ) -> None:
        """``facts`` stand in for those of the index, which know no other names."""
        self._index = index
        self._file = file
        self._facts = facts or index.facts(file.path)
        #: Names that this file is already to use → the accessor they mean.
        self._given: dict[str, Accessor] = {}

    def choose(
        self, accessor: Accessor, candidates: list[Candidate]
    ) -> dict[Candidate, Named]:
        """A name for each read that wants the accessor in this file."""
        alias = alias_of(accessor.name, accessor.alias)
        spellings = (
            [accessor.name] if alias == accessor.name else [accessor.name, alias]
        )
        for name in spellings:
            found = {c: self._try(accessor, name, c) for c in candidates}
            if all(named.name is not None for named in found.values()):
                self._given[name] = accessor
                return found
        # No one name serves all: each read takes the first that serves it.
        chosen: dict[Candidate, Named] = {}
        for candidate in candidates:
            tries = [self._try(accessor, name, candidate) for name in spellings]
            chosen[candidate] = next(
                (named for named in tries if named.name is not None), tries[-1]
            )
            if (given := chosen[candidate].name) is not None:
                self._given[given] = accessor
        return chosen

    def _try(self, accessor: Accessor, name: str, candidate: Candidate) -> Named:
        if candidate.context == "pattern" and accessor.kind == "call":
            return Named(
                None, f"A pattern may hold a dotted name and no call, as {name}() is."
            )
        if candidate.context == "private":
            return Named(
                None,
                f"In a class Python puts the class's name before {candidate.field}, so "
                "the attribute would be another.",
            )
        if name in candidate.taken:
            return Named(None, f"{name} means something else in {candidate.function}.")
        for bound, ref in candidate.local_imports:
            if bound == name:
                if self._is_accessor(ref, accessor):
                    return Named(name, imported=False)
                return Named(
                    None, f"{name} means something else in {candidate.function}."
                )
        if self._given.get(name, accessor) != accessor:
            return Named(None, f"{name} means another accessor in this file.")
        refs = {
            *self._facts.module_names.get(name, ()),
            *self._index.names.from_stars(self._facts, name),
        }
        if not all(self._is_accessor(ref, accessor) for ref in refs):
            return Named(None, f"{name} means something else in {self._file.module}.")
        if f"{self._file.module}.{name}" in self._index.rebound:
            return Named(None, f"{name} in {self._file.module} is bound elsewhere too.")
        if (taker := self._taken_by_star(accessor, name)) is not None:
            return Named(None, f"{taker} would import {name} by *, and has another.")
        if accessor.module == self._file.module:
            return Named(name, imported=False)
        if self._imports_plainly(accessor) or not self._closes_cycle(accessor):
            return Named(name)
        if not candidate.functions:
            return Named(
                None,
                f"Importing {accessor.module} here would close an import cycle, and "
                "there is no function to import it in.",
            )
        return Named(name, in_function=True)

    def _taken_by_star(self, accessor: Accessor, name: str) -> str | None:
        """A module where the import would take the place of another name (7.11)."""
        exports = self._facts.exports
        if name.startswith("_") or (exports is not None and name not in exports):
            return None
        seen: set[str] = set()
        stack = [self._file.module]
        while stack:
            passing = stack.pop()
            for importer, imported in self._index.star_imports:
                if imported != passing or importer in seen:
                    continue
                seen.add(importer)
                stack.append(importer)
                source = self._index.sources.get(
                    self._index.project.by_module[importer].path
                )
                if source is None or name.encode() not in source.data:
                    continue
                if not self._is_accessor(f"{importer}.{name}", accessor):
                    return importer
        return None

    def _is_accessor(self, ref: str, accessor: Accessor) -> bool:
        wanted = f"{accessor.module}.{accessor.name}"
        names = self._index.names
        return names.resolve(ref) == names.resolve(wanted)

    def _imports_plainly(self, accessor: Accessor) -> bool:
        """Whether the module imports the accessor's module at its own level today."""
        return any(
            fact.where == "plain" and accessor.module in (fact.module, fact.target)
            for fact in self._facts.imports
        )

    def _closes_cycle(self, accessor: Accessor) -> bool:
        return self._index.imports.closes_cycle(self._file.module, accessor.module)
