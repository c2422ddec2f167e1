"""How much more importing a module would load with one of its local imports hoisted."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from codemod.hoist.facts import Imported
from codemod.hoist.graph import Closure, Edges, shortest_chain, with_parents
from codemod.hoist.ir import TopLevel
from codemod.hoist.syntax import is_first_party
from codemod.hoist.toplevel import STANDARD_LIBRARY


@dataclass(frozen=True, slots=True)
class Growth:
    """What would be loaded in addition: third-party packages, modules of the project.

    ``chain`` leads from the imported module to the first of the packages: names, each
    with the line in which it imports the next. Empty when there is no package.
    """

    packages: tuple[str, ...]
    modules: int
    chain: tuple[tuple[str, int], ...] = ()


class Loads:
    """What importing each module loads today, on some branch of its code."""

    def __init__(self, edges: Edges, closure: Closure, tops: Mapping[str, TopLevel]):
        self._edges = edges
        self._closure = closure
        self._tops = tops
        self._roots = {module.partition(".")[0] for module in tops}
        self._holders: dict[str, int] = {}
        for module, top in tops.items():
            bit = 1 << closure.number[module]
            for package, _line in top.external:
                if package not in STANDARD_LIBRARY:
                    self._holders[package] = self._holders.get(package, 0) | bit

    def growth(
        self,
        module: str,
        imported: Iterable[Imported],
        allowed: Collection[str] = (),
    ) -> Growth:
        """What ``module`` would load in addition if it imported ``imported``.

        Packages that are ``allowed`` do not count.
        """
        today = self._closure.of([module])
        added = 0
        packages: dict[str, None] = {}
        starts: list[str] = []
        for item in imported:
            if not is_first_party(item.module, self._roots):
                top = item.module.partition(".")[0]
                known = top in STANDARD_LIBRARY or top in allowed
                if not known and not self._loads(today, top):
                    packages[top] = None
                continue
            wanted = f"{item.module}.{item.name}" if item.name else item.module
            found = list(with_parents(wanted, self._tops))
            starts += found
            added |= self._closure.of(found)
        new = added & ~today
        for package, holders in self._holders.items():
            if new & holders and not today & holders and package not in allowed:
                packages[package] = None
        chain: tuple[tuple[str, int], ...] = ()
        first = next((p for p in sorted(packages) if self._loads(new, p)), None)
        if first is not None and starts:
            holders = self._holders[first] & new
            chain = shortest_chain(
                self._edges, starts[-1], self._closure.modules(holders)
            )
            last = chain[-1][0]
            line = dict(self._tops[last].external)[first]
            chain = (*chain[:-1], (last, line), (first, 0))
        elif packages:
            chain = ((min(packages), 0),)
        return Growth(tuple(sorted(packages)), new.bit_count(), chain)

    def _loads(self, bits: int, package: str) -> bool:
        return bool(bits & self._holders.get(package, 0))
