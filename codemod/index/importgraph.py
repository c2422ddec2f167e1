"""Which modules the import of a module runs, at module level.

Importing ``a.b.c`` runs ``a``, ``a.b`` and ``a.b.c`` (reference 5.2, 5.4.2); ``from a
import n`` also runs ``a.n`` when that is a module. Imports under ``TYPE_CHECKING`` and
inside functions do not count.
"""

from __future__ import annotations

from collections.abc import Iterator

from codemod.index.names import Names


class ImportGraph:
    """Reachability over module-level imports of the project."""

    def __init__(self, names: Names) -> None:
        self._names = names
        self._edges: dict[str, tuple[str, ...]] = {}
        self._reach: dict[str, frozenset[str]] = {}

    def edges(self, module: str) -> tuple[str, ...]:
        """The project's modules that the body of ``module`` imports directly."""
        known = self._edges.get(module)
        if known is None:
            found: dict[str, None] = {}
            for fact in self._names.module_facts(module).imports:
                if fact.where == "typing":
                    continue
                for name in (fact.module, fact.target):
                    for each in self._with_parents(name):
                        found[each] = None
            found.pop(module, None)
            known = tuple(found)
            self._edges[module] = known
        return known

    def _with_parents(self, name: str) -> Iterator[str]:
        parts = name.split(".")
        for length in range(1, len(parts) + 1):
            prefix = ".".join(parts[:length])
            if self._names.is_module(prefix):
                yield prefix

    def reachable(self, module: str) -> frozenset[str]:
        """Every module that running the body of ``module`` may run.

        The packages around ``module`` are not among them: they run, or have run, before
        its body starts.
        """
        known = self._reach.get(module)
        if known is None:
            around = set(_parents(module))
            found: set[str] = set()
            stack = list(self.edges(module))
            while stack:
                each = stack.pop()
                if each not in found and each not in around:
                    found.add(each)
                    stack += self.edges(each)
            known = frozenset(found)
            self._reach[module] = known
        return known

    def closes_cycle(self, importer: str, imported: str) -> bool:
        """Whether a module-level import of ``imported`` in ``importer`` is a cycle."""
        if not self._names.is_module(imported) or importer == imported:
            return False
        return importer in self.reachable(imported)


def _parents(module: str) -> Iterator[str]:
    while "." in module:
        module = module.rpartition(".")[0]
        yield module
