"""Which module imports which when it is imported, and what that loads in all.

grimp does not serve here: its graph has imports inside functions beside those at module
level and cannot tell them apart, knows nothing of the packages that an import runs on
its way, and has no order. The edges are asked of the simulator instead, one module at a
time, so that they are those it follows, calls at module level included.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from codemod.hoist.outcomes import World
from codemod.hoist.simulate import Simulation
from codemod.hoist.store import Programs

Edges = Mapping[str, Mapping[str, int]]
"""Module → the modules it may import → the line where it first does."""


def direct_imports(
    programs: Programs, modules: Iterable[str]
) -> dict[str, dict[str, int]]:
    """The modules that importing each of ``modules`` asks for, on any branch.

    A module's package is among them: it runs first (reference 5.3.1).
    """
    found: dict[str, dict[str, int]] = {}
    for module in modules:
        simulation = Simulation(programs, World.BOTH, scope=(module,))
        simulation.run(module)
        found[module] = {k: v for k, v in simulation.requested.items() if k != module}
    return found


def with_parents(module: str, known: Mapping[str, object]) -> Iterator[str]:
    """``module`` and the packages around it that have code, outermost first."""
    parts = module.split(".")
    for length in range(1, len(parts) + 1):
        name = ".".join(parts[:length])
        if name in known:
            yield name


def cycles(edges: Mapping[str, Iterable[str]]) -> list[tuple[str, ...]]:
    """The sets of modules that reach one another, by Tarjan's algorithm.

    Only sets with a cycle: two modules or more, or one that imports itself.
    """
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    on_stack: set[str] = set()
    stack: list[str] = []
    found: list[tuple[str, ...]] = []
    for root in edges:
        if root in index:
            continue
        work: list[tuple[str, Iterator[str]]] = [(root, iter(edges[root]))]
        index[root] = low[root] = len(index)
        stack.append(root)
        on_stack.add(root)
        while work:
            node, following = work[-1]
            for target in following:
                if target not in edges:
                    continue
                if target not in index:
                    index[target] = low[target] = len(index)
                    stack.append(target)
                    on_stack.add(target)
                    work.append((target, iter(edges[target])))
                    break
                if target in on_stack:
                    low[node] = min(low[node], index[target])
            else:
                work.pop()
                if work:
                    above = work[-1][0]
                    low[above] = min(low[above], low[node])
                if low[node] == index[node]:
                    group = []
                    while True:
                        member = stack.pop()
                        on_stack.discard(member)
                        group.append(member)
                        if member == node:
                            break
                    if len(group) > 1 or node in edges[node]:
                        found.append(tuple(sorted(group)))
    return found


@dataclass(frozen=True, slots=True)
class Closure:
    """What importing each module loads in all, as bit sets over ``names``."""

    names: Sequence[str]
    number: Mapping[str, int]
    bits: Mapping[str, int]

    def of(self, modules: Iterable[str]) -> int:
        """The bits of everything that importing ``modules`` loads."""
        found = 0
        for module in modules:
            found |= self.bits.get(module, 0)
        return found

    def modules(self, bits: int) -> list[str]:
        """The names of a bit set, in the order of their numbers."""
        found = []
        while bits:
            low = bits & -bits
            found.append(self.names[low.bit_length() - 1])
            bits ^= low
        return found


def closure(edges: Mapping[str, Iterable[str]]) -> Closure:
    """What importing each module loads, itself included, by ``edges``."""
    names = list(edges)
    number = {name: i for i, name in enumerate(names)}
    bits: dict[str, int] = {}
    for group in _components(edges):
        found = 0
        for member in group:
            found |= 1 << number[member]
            for target in edges[member]:
                found |= bits.get(target, 0)
        for member in group:
            bits[member] = found
    return Closure(names, number, bits)


def _components(edges: Mapping[str, Iterable[str]]) -> Iterator[tuple[str, ...]]:
    """Strongly connected components, those that are imported before those importing."""
    grouped: dict[str, tuple[str, ...]] = {}
    for group in cycles(edges):
        for member in group:
            grouped[member] = group
    done: set[str] = set()
    for root in edges:
        if root in done:
            continue
        work: list[tuple[tuple[str, ...], Iterator[str]]] = []
        _enter(root, grouped, edges, done, work)
        while work:
            group, following = work[-1]
            for target in following:
                if target in edges and target not in done:
                    _enter(target, grouped, edges, done, work)
                    break
            else:
                work.pop()
                yield group


def _enter(
    module: str,
    grouped: Mapping[str, tuple[str, ...]],
    edges: Mapping[str, Iterable[str]],
    done: set[str],
    work: list[tuple[tuple[str, ...], Iterator[str]]],
) -> None:
    group = grouped.get(module, (module,))
    done.update(group)
    work.append((group, iter([t for member in group for t in edges[member]])))


def shortest_chain(
    edges: Edges, start: str, ends: Iterable[str]
) -> tuple[tuple[str, int], ...]:
    """Modules from ``start`` to the nearest of ``ends``, each with its import's line.

    The line of the last one is 0. Empty when none is reached.
    """
    wanted = set(ends)
    before: dict[str, str] = {start: ""}
    queue = [start]
    for module in queue:
        if module in wanted:
            chain: list[tuple[str, int]] = [(module, 0)]
            while before[module]:
                above = before[module]
                chain.append((above, edges[above][module]))
                module = above
            return tuple(reversed(chain))
        for target in edges.get(module, ()):
            if target not in before:
                before[target] = module
                queue.append(target)
    return ()


def finishing_order(edges: Mapping[str, Iterable[str]]) -> dict[str, int]:
    """When each module finishes, if all are imported from the top: a number for each.

    Modules that nothing imports are imported first, in the order of their names, their
    imports in the order of ``edges``. A module that is low in a project finishes early.
    """
    imported = {target for targets in edges.values() for target in targets}
    order: dict[str, int] = {}
    entered: set[str] = set()
    for root in sorted(edges, key=lambda module: (module in imported, module)):
        if root in entered:
            continue
        entered.add(root)
        stack = [(root, iter(edges[root]))]
        while stack:
            module, targets = stack[-1]
            for target in targets:
                if target in edges and target not in entered:
                    entered.add(target)
                    stack.append((target, iter(edges[target])))
                    break
            else:
                stack.pop()
                order[module] = len(order)
    return order


def deepest_chain(edges: Mapping[str, Iterable[str]], entry: str) -> tuple[str, ...]:
    """The modules that are being imported at once when ``entry`` is imported first.

    Those of the moment when most are: each waits for the next one.
    """
    seen = {entry}
    path = [entry]
    stack = [iter(edges.get(entry, ()))]
    deepest: tuple[str, ...] = (entry,)
    while stack:
        for target in stack[-1]:
            if target not in seen and target in edges:
                seen.add(target)
                path.append(target)
                stack.append(iter(edges[target]))
                if len(path) > len(deepest):
                    deepest = tuple(path)
                break
        else:
            stack.pop()
            path.pop()
    return deepest


def first_of_each(
    edges: Mapping[str, Iterable[str]], entry: str, group_of: Mapping[str, int]
) -> set[str]:
    """The first module of each group that runs when ``entry`` is imported first.

    Only modules in ``group_of`` belong to a group. The imports of a module are followed
    in the order of ``edges``, its packages before itself.
    """
    if entry in group_of:
        return {entry}
    found: dict[int, str] = {}
    seen = {entry}
    stack = [iter(edges.get(entry, ()))]
    while stack:
        for target in stack[-1]:
            if target not in seen and target in edges:
                seen.add(target)
                group = group_of.get(target)
                if group is not None:
                    found.setdefault(group, target)
                else:
                    stack.append(iter(edges[target]))
                    break
        else:
            stack.pop()
    return set(found.values())
