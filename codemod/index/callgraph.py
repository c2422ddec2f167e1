"""What runs before the record is published, followed from the process entry points.

Calls are followed in the order a function makes them: what stands behind the publish
call, in the same path through the function, runs after it. A call in another arm of an
``if``, ``try`` or ``match`` than the publish call does not run behind it. Code that the
calls in sight do not lead to is not known to run before publishing.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from codemod.analysis.calls import CallFact, CallFacts, FunctionFact, call_facts
from codemod.index.index import Index
from codemod.index.record import dotted
from codemod.index.store import FOLDER, FactStore, analysis_digest, digest
from codemod.model import Problem
from codemod.packs import PackError, Publish
from codemod.packs.errors import did_you_mean
from codemod.project.text import decode as decode_text

STORE = "calls"

#: A function: its module and its dotted path in it.
Place = tuple[str, str]

#: Steps of a chain that are followed at most; broken code may chain without end.
_MAX_STEPS = 40


@dataclass(frozen=True, slots=True)
class _Edge:
    """A call that leads to functions of the project, with how it is run."""

    call: CallFact
    fact: FunctionFact
    targets: tuple[Place, ...]


class CallGraph:
    """The functions of a project, and what each of them calls."""

    def __init__(self, index: Index, cache: bool = True) -> None:
        self._index = index
        self._names = index.names
        self._store = FactStore(index.project.root / FOLDER if cache else None, STORE)
        self._base = digest(analysis_digest(), b"calls")
        self._facts: dict[str, CallFacts] = {}
        self._functions: dict[str, dict[str, list[FunctionFact]]] = {}
        self._active: set[str] = set()
        self._edges: dict[Place, tuple[_Edge, ...]] = {}

    def save(self) -> None:
        """Keep what was made for the next run."""
        self._store.save()

    # -- facts ------------------------------------------------------------------

    def _module(self, module: str) -> CallFacts:
        known = self._facts.get(module)
        if known is None:
            known = self._load(module)
            self._facts[module] = known
            by_path: dict[str, list[FunctionFact]] = {}
            for fact in known.functions:
                by_path.setdefault(fact.path, []).append(fact)
            self._functions[module] = by_path
        return known

    def _load(self, module: str) -> CallFacts:
        source = self._index.sources.get(self._index.project.by_module[module].path)
        if source is None:
            return CallFacts()
        name = module.encode("utf-8", "surrogatepass")
        package = b"p" if source.file.is_package else b"m"
        key = digest(self._base, source.data, name, package)
        data = self._store.get(key)
        if data is None:
            text = decode_text(source.data, source.file.path)
            if isinstance(text, Problem):
                return CallFacts()
            facts = call_facts(text.text, module, source.file.is_package)
            self._store.put(key, _encode(facts))
            return facts
        return _decode(data)

    def functions(self, place: Place) -> list[FunctionFact]:
        """The definitions of a function; more than one where branches define it."""
        module, path = place
        if not self._names.is_module(module):
            return []
        self._module(module)
        return self._functions[module].get(path, [])

    def function_names(self, module: str) -> list[str]:
        """The dotted paths of the functions of a module."""
        self._module(module)
        return list(self._functions[module])

    def inner(self, place: Place) -> Iterator[Place]:
        """The functions defined in a function."""
        module, path = place
        for other in self._functions.get(module, ()):
            if other.startswith(f"{path}."):
                yield module, other

    # -- meaning ----------------------------------------------------------------

    def places(self, chain: str) -> tuple[Place, ...]:
        """The functions of the project that a chain means when it is called."""
        found: dict[Place, None] = {}
        for kind, name in self._values(chain):
            for place in self._called(kind, name):
                found[place] = None
        return tuple(found)

    def _called(self, kind: str, name: str) -> Iterator[Place]:
        if kind == "class" or kind == "instance":
            methods = ("__init__", "__new__", "__post_init__")
            for method in methods if kind == "class" else ("__call__",):
                yield from self._method(name, method)
        elif kind == "function":
            module, path = self._names.split(name)
            yield module, path

    def _values(self, chain: str) -> set[tuple[str, str]]:
        """What a chain may be: a ``class``, ``instance`` or ``function``, by name."""
        if chain in self._active:
            return set()
        self._active.add(chain)
        try:
            root, *steps = chain.split(" ")
            values: set[tuple[str, str]]
            if root[0] == "@":
                values = {("instance", n) for n in self._classes(root[1:])}
            elif root[0] == "^":
                values = {("super", n) for n in self._classes(root[1:])}
            else:
                values = self._meaning(root)
            for step in steps[:_MAX_STEPS]:
                after: set[tuple[str, str]] = set()
                for kind, name in values:
                    if step == "()":
                        after |= self._result(kind, name)
                    else:
                        after |= self._attribute(kind, name, step[1:])
                values = after
            return values
        finally:
            self._active.discard(chain)

    def _classes(self, ref: str) -> set[str]:
        return {n for n in self._names.resolve(ref) if self._index.classes.is_class(n)}

    def _meaning(self, ref: str) -> set[tuple[str, str]]:
        """What a dotted name is."""
        found: set[tuple[str, str]] = set()
        for name in self._names.resolve(ref):
            if self._index.classes.is_class(name):
                found.add(("class", name))
                continue
            module, path = self._names.split(name)
            if not module or not path:
                continue
            if self.functions((module, path)):
                found.add(("function", name))
                continue
            owner, _, attribute = name.rpartition(".")
            if self._index.classes.is_class(owner):
                found |= self._attribute("class", owner, attribute)
        return found

    def _result(self, kind: str, name: str) -> set[tuple[str, str]]:
        """What a call gives."""
        if kind == "class":
            return {("instance", name)}
        if kind != "function":
            return set()
        module, path = self._names.split(name)
        return {
            ("instance", cls)
            for fact in self.functions((module, path))
            for ref in fact.returns
            for cls in self._classes(ref)
        }

    def _attribute(self, kind: str, name: str, attribute: str) -> set[tuple[str, str]]:
        """What an attribute of a class or an instance is."""
        if kind == "function":
            return set()
        found = {
            ("function", f"{module}.{path}")
            for module, path in self._method(name, attribute, kind == "super")
        }
        if found or kind == "super":
            return found
        if attribute in ("start", "run"):  # of a Thread or Process of the project's own
            found |= {("function", ".".join(p)) for p in self._method(name, "run")}
        for cls in self._mro(name):
            for chain in self._held(cls, attribute):
                found |= self._values(chain)
        return found

    def _held(self, cls: str, attribute: str) -> Iterator[str]:
        module, path = self._names.split(cls)
        for owner, name, chains in self._module(module).attributes:
            if owner == path and name == attribute:
                yield from chains

    def _method(self, cls: str, name: str, above: bool = False) -> Iterator[Place]:
        """The method that an instance of a class has, by its bases from the left."""
        for number, owner in enumerate(self._mro(cls)):
            if above and number == 0:
                continue
            module, path = self._names.split(owner)
            place = (module, f"{path}.{name}")
            if self.functions(place):
                yield place
                return

    def _mro(self, cls: str) -> list[str]:
        """A class and its known bases, depth first from the left."""
        found: dict[str, None] = {}
        stack = [cls]
        while stack:
            each = stack.pop()
            if each not in found and self._index.classes.is_class(each):
                found[each] = None
                stack += reversed(self._index.classes.bases(each))
        return list(found)

    # -- edges ------------------------------------------------------------------

    def edges(self, place: Place) -> tuple[_Edge, ...]:
        """The calls of a function that lead to functions of the project, in order.

        A decorated function is run by what its decorators return: their inner
        functions come first.
        """
        known = self._edges.get(place)
        if known is None:
            known = tuple(self._find_edges(place))
            self._edges[place] = known
        return known

    def _find_edges(self, place: Place) -> Iterator[_Edge]:
        for fact in self.functions(place):
            for chain in fact.decorators:
                wrappers = [
                    inner
                    for wrapper in self.places(chain)
                    for inner in (*self.inner(wrapper), wrapper)
                ]
                if wrappers:
                    call = CallFact((chain,), fact.line, -1)
                    yield _Edge(call, fact, tuple(wrappers))
            for call in fact.calls:
                targets = dict.fromkeys(
                    target for chain in call.chains for target in self.places(chain)
                )
                if targets:
                    yield _Edge(call, fact, tuple(targets))


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
        names = graph._names
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

    def _reached(self) -> dict[Place, tuple[_Edge, ...]]:
        """Every function that the entries lead to, with its calls."""
        found: dict[Place, tuple[_Edge, ...]] = {}
        stack = list(self._entries)
        while stack:
            place = stack.pop()
            if place in found:
                continue
            if place in self._publishers:
                found[place] = ()
                continue
            found[place] = self._graph.edges(place)
            for edge in found[place]:
                stack += edge.targets
        return found

    def _publishing_of(self, reached: dict[Place, tuple[_Edge, ...]]) -> set[Place]:
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
        self, reached: dict[Place, tuple[_Edge, ...]]
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


def _encode(facts: CallFacts) -> bytes:
    import msgspec

    data: bytes = msgspec.msgpack.encode(facts)
    return data


@lru_cache(maxsize=1)
def _decoder() -> Any:
    import msgspec

    return msgspec.msgpack.Decoder(CallFacts)


def _decode(data: bytes) -> CallFacts:
    facts: CallFacts = _decoder().decode(data)
    return facts
