"""What a dotted name means across the project: imports followed to the definition.

``from a import f`` in the ``__init__`` of a package makes ``pkg.f`` another name of
``a.f``. A name may be bound more than once; then every meaning is given.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from codemod.analysis.facts import FileFacts
from codemod.project import SourceFile

_MAX_HOPS = 50


class Names:
    """Resolves dotted names; ``stops`` are names that are definitions by decree."""

    def __init__(
        self,
        modules: Mapping[str, SourceFile],
        facts: Callable[[str], FileFacts],
        stops: frozenset[str] = frozenset(),
    ) -> None:
        self._modules = modules
        self._facts = facts
        self._stops = stops
        self._known: dict[str, frozenset[str]] = {}

    def is_module(self, dotted: str) -> bool:
        """Whether the name is that of a module of the project."""
        return dotted in self._modules

    def module_facts(self, module: str) -> FileFacts:
        """The facts of a module of the project."""
        return self._facts(self._modules[module].path)

    def split(self, dotted: str) -> tuple[str, str]:
        """The longest prefix that is a module of the project, and the rest.

        The first part is "" for a name that starts in no module of the project.
        """
        if dotted in self._modules:
            return dotted, ""
        head, _, tail = dotted.rpartition(".")
        while head:
            if head in self._modules:
                return head, tail
            head, _, part = head.rpartition(".")
            tail = f"{part}.{tail}"
        return "", dotted

    def resolve(self, dotted: str) -> frozenset[str]:
        """Every definition the name may mean, as dotted names.

        A name that leaves the project, or that no module binds in sight, means itself.
        """
        known = self._known.get(dotted)
        if known is None:
            known = self._resolve(dotted, frozenset())
            self._known[dotted] = known
        return known

    def _resolve(self, dotted: str, seen: frozenset[str]) -> frozenset[str]:
        if dotted in self._stops or dotted in seen or len(seen) > _MAX_HOPS:
            return frozenset({dotted})
        module, rest = self.split(dotted)
        if not module or not rest:
            return frozenset({dotted})
        seen = seen | {dotted}
        name, _, tail = rest.partition(".")
        facts = self.module_facts(module)
        targets = {fact.target for fact in facts.imports if fact.bound == name}
        found: set[str] = set()
        if name in facts.definitions:
            found.add(dotted)
        elif not targets:
            targets = self.from_stars(facts, name)
        for target in targets:
            full = f"{target}.{tail}" if tail else target
            if full == dotted:
                found.add(dotted)
            else:
                found |= self._resolve(full, seen)
        return frozenset(found or {dotted})

    def from_stars(self, facts: FileFacts, name: str) -> set[str]:
        """Where ``from m import *`` may have brought a name from (7.11)."""
        found: set[str] = set()
        for fact in facts.imports:
            if fact.bound != "*" or fact.module not in self._modules:
                continue
            source = self.module_facts(fact.module)
            if source.exports is not None:
                public = name in source.exports
            else:
                public = not name.startswith("_")
            bound = name in source.definitions or any(
                i.bound in (name, "*") for i in source.imports
            )
            if public and bound:
                found.add(f"{fact.module}.{name}")
        return found
