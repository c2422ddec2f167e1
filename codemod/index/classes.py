"""Class hierarchies across the project, as far as base classes are known names."""

from __future__ import annotations

from codemod.index.names import Names


class Classes:
    """Answers about classes named ``module.Outer.Inner``."""

    def __init__(self, names: Names) -> None:
        self._names = names
        self._bases: dict[str, tuple[str, ...]] = {}
        self._ancestors: dict[str, frozenset[str]] = {}
        self._paths: dict[str, frozenset[str]] = {}

    def is_class(self, dotted: str) -> bool:
        """Whether the name is that of a class of the project."""
        module, path = self._names.split(dotted)
        if not module or not path:
            return False
        known = self._paths.get(module)
        if known is None:
            facts = self._names.module_facts(module)
            known = self._paths[module] = frozenset(c.path for c in facts.classes)
        return path in known

    def bases(self, dotted: str) -> tuple[str, ...]:
        """The direct bases that are known names, followed to their definitions."""
        known = self._bases.get(dotted)
        if known is None:
            known = self._find_bases(dotted)
            self._bases[dotted] = known
        return known

    def _find_bases(self, dotted: str) -> tuple[str, ...]:
        module, path = self._names.split(dotted)
        if not module or not path:
            return ()
        found: list[str] = []
        for fact in self._names.module_facts(module).classes:
            if fact.path == path:
                for base in fact.bases:
                    found += sorted(self._names.resolve(base))
        return tuple(found)

    def ancestors(self, dotted: str) -> frozenset[str]:
        """All bases of a class, direct and not; a cycle in broken code ends."""
        known = self._ancestors.get(dotted)
        if known is not None:
            return known
        found: set[str] = set()
        stack = list(self.bases(dotted))
        while stack:
            base = stack.pop()
            if base not in found:
                found.add(base)
                stack += self.bases(base)
        found.discard(dotted)
        self._ancestors[dotted] = frozenset(found)
        return self._ancestors[dotted]

    def related(self, first: str, second: str) -> bool:
        """Whether instances of one may be instances of the other: same or a base."""
        return (
            first == second
            or first in self.ancestors(second)
            or second in self.ancestors(first)
        )
