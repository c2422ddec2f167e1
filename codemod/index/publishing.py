"""What runs before the record is published, followed from the process entry points.

Calls are followed in the order a function makes them: what stands behind the publish
call, in the same path through the function, runs after it. A call in another arm of an
``if``, ``try`` or ``match`` than the publish call does not run behind it. Code that the
calls in sight do not lead to is not known to run before publishing.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from codemod.analysis.calls import CallFact, FunctionFact
from codemod.index.callgraph import CallGraph, Edge, Place
from codemod.index.index import Index
from codemod.index.record import dotted
from codemod.packs import PackError, Publish
from codemod.packs.errors import did_you_mean


@dataclass(frozen=True, slots=True)
class _Early:
    """A function that runs early: from whom, and where in it the record is published.

    ``published`` are the calls that publish, each with its function; a line behind one
    of them is not early.
    """

    chain: tuple[str, ...]
    published: tuple[tuple[CallFact, FunctionFact], ...]


class PublishOrder:
    """Says of each line whether it may run before the record is published."""

    def __init__(self, graph: CallGraph, publish: Publish) -> None:
        self._graph = graph
        names = graph.names
        self._publishers = {
            names.split(name)
            for name in (dotted(publish.call), *names.resolve(dotted(publish.call)))
        }
        self._entries = [
            names.split(name)
            for entry in publish.entries
            for name in sorted(names.resolve(dotted(entry)))
        ]
        reached = self._reached()
        self._publishing = self._publishing_of(reached)
        self._early = self._find_early(reached)

    def before(self, module: str, function: str, line: int) -> str:
        """The chain of calls by which a line runs before publishing, or ""."""
        # The body of a class runs with the function that it stands in.
        while function and not self._graph.functions((module, function)):
            function = function.rpartition(".")[0]
        early = self._early.get((module, function))
        if early is None:
            return ""
        if any(_is_behind(line, call, fact) for call, fact in early.published):
            return ""
        return " → ".join(early.chain)

    def _reached(self) -> dict[Place, tuple[Edge, ...]]:
        """Every function that the entries lead to, with its calls.

        The more classes are seen to have instances, the more a method may mean.
        """
        constructed: set[str] = set()
        while True:
            found = self._walked(self._graph.below(constructed))
            edges = [edge for each in found.values() for edge in each]
            more = set(self._graph.constructed(edges)) - constructed
            if not more:
                return found
            constructed |= more

    def _walked(
        self, below: Mapping[str, Sequence[str]]
    ) -> dict[Place, tuple[Edge, ...]]:
        found: dict[Place, tuple[Edge, ...]] = {}
        stack = list(self._entries)
        while stack:
            place = stack.pop()
            if place in found:
                continue
            if place in self._publishers:
                found[place] = ()
                continue
            found[place] = tuple(
                self._with_overrides(edge, below) for edge in self._graph.edges(place)
            )
            for edge in found[place]:
                stack += edge.targets
        return found

    def _with_overrides(self, edge: Edge, below: Mapping[str, Sequence[str]]) -> Edge:
        more = set(self._graph.overrides(edge, below)) - set(edge.targets)
        if not more:
            return edge
        return replace(edge, targets=(*edge.targets, *sorted(more)))

    def _publishing_of(self, reached: dict[Place, tuple[Edge, ...]]) -> set[Place]:
        """The functions that publish, themselves or by a call."""
        callers: dict[Place, set[Place]] = {}
        for place, edges in reached.items():
            for edge in edges:
                if edge.call.kind != "process":
                    for target in edge.targets:
                        callers.setdefault(target, set()).add(place)
        found = set(self._publishers)
        stack = list(found)
        while stack:
            for caller in callers.get(stack.pop(), ()):
                if caller not in found:
                    found.add(caller)
                    stack.append(caller)
        return found

    def _find_early(
        self, reached: dict[Place, tuple[Edge, ...]]
    ) -> dict[Place, _Early]:
        found: dict[Place, _Early] = {}
        waiting: deque[tuple[Place, tuple[str, ...]]] = deque()
        for place in self._entries:
            if place in reached:
                waiting.append((place, (_shown(place),)))
        for place, edges in reached.items():
            for edge in edges:
                if edge.call.kind == "process":
                    for target in edge.targets:
                        start = f"Process in {_shown(place)}"
                        waiting.append((target, (start, _shown(target))))
        while waiting:
            place, chain = waiting.popleft()
            if place in found or place in self._publishers or place not in reached:
                continue
            edges = reached[place]
            published = tuple(
                (edge.call, edge.fact)
                for edge in edges
                if edge.call.kind == "call" and self._publishing & {*edge.targets}
            )
            found[place] = _Early(chain, published)
            for edge in edges:
                if edge.call.kind == "process":
                    continue
                if any(
                    _is_after(edge.call, call, fact)
                    for call, fact in published
                    if fact is edge.fact
                ):
                    continue
                for target in edge.targets:
                    waiting.append((target, (*chain, _shown(target))))
        return found


def _shown(place: Place) -> str:
    return ".".join(part for part in place if part)


def _is_after(call: CallFact, publishing: CallFact, fact: FunctionFact) -> bool:
    """Whether a call runs behind the one that publishes, in one path through both."""
    if call.order <= publishing.order:
        return False
    return not _excluded(call.line, publishing.line, fact)


def _is_behind(line: int, publishing: CallFact, fact: FunctionFact) -> bool:
    return line > publishing.line and not _excluded(line, publishing.line, fact)


def _excluded(first: int, second: int, fact: FunctionFact) -> bool:
    """Whether two lines are in different arms of one statement."""
    arms = _arms(fact, first)
    others = _arms(fact, second)
    return any(arms[s] != others[s] for s in arms.keys() & others.keys())


def _arms(fact: FunctionFact, line: int) -> dict[int, int]:
    return {
        branch.statement: branch.arm
        for branch in fact.branches
        if branch.first_line <= line <= branch.last_line
    }


def publish_order(index: Index, publish: Publish, cache: bool = True) -> PublishOrder:
    """The order of a project around its publish call.

    Raises PackError for an entry that is no function of the project, and for a publish
    call that is none of a module that is in the project: nothing would be followed, and
    every check of what runs before would pass.
    """
    graph = CallGraph(index, cache)
    for number, entry in enumerate(publish.entries):
        _check_function(index, graph, entry, ("publish", "entries", number))
    if index.names.is_module(publish.call.partition(":")[0]):
        _check_function(index, graph, publish.call, ("publish", "call"))
    order = PublishOrder(graph, publish)
    graph.save()
    return order


def _check_function(
    index: Index, graph: CallGraph, place: str, key: tuple[str | int, ...]
) -> None:
    names = index.names
    if any(graph.functions(names.split(n)) for n in names.resolve(dotted(place))):
        return
    module, _, name = place.partition(":")
    if names.is_module(module):
        hint = did_you_mean(name, graph.function_names(module))
        problem = f"module {module!r} has no function {name!r}{hint}"
    else:
        hint = did_you_mean(module, index.project.by_module)
        problem = f"there is no module {module!r} below the root{hint}"
    raise PackError.at(index.pack.where(*key), problem)
