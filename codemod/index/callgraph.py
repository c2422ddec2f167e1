"""Who calls whom in a project, through names, instances, and what runs elsewhere.

Calls are followed on known classes, through constructors, threads, processes and
decorators; one that leads to nothing in sight leads to nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from codemod.analysis.calls import CallFact, CallFacts, FunctionFact, call_facts
from codemod.index.index import Index
from codemod.index.store import FOLDER, FactStore, analysis_digest, digest
from codemod.model import Problem
from codemod.project.text import decode as decode_text

STORE = "calls"

#: A function: its module and its dotted path in it.
Place = tuple[str, str]

#: Steps of a chain that are followed at most; broken code may chain without end.
_MAX_STEPS = 40


@dataclass(frozen=True, slots=True)
class Edge:
    """A call of something of the project, with how it is run.

    ``targets`` are the functions it leads to; none for a class without an ``__init__``.
    """

    call: CallFact
    fact: FunctionFact
    targets: tuple[Place, ...]


class CallGraph:
    """The functions of a project, and what each of them calls."""

    def __init__(self, index: Index, cache: bool = True) -> None:
        self._index = index
        self.names = index.names
        self._store = FactStore(index.project.root / FOLDER if cache else None, STORE)
        self._base = digest(analysis_digest(), b"calls")
        self._facts: dict[str, CallFacts] = {}
        self._functions: dict[str, dict[str, list[FunctionFact]]] = {}
        self._active: set[str] = set()
        self._known: dict[str, set[tuple[str, str]]] = {}
        self._edges: dict[Place, tuple[Edge, ...]] = {}
        self._methods: dict[tuple[str, str, bool], tuple[Place, ...]] = {}
        self._orders: dict[str, list[str]] = {}
        self._attributes: dict[str, dict[tuple[str, str], list[str]]] = {}

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
        if not self.names.is_module(module):
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
            module, path = self.names.split(name)
            yield module, path

    def _values(self, chain: str) -> set[tuple[str, str]]:
        """What a chain may be: a ``class``, ``instance`` or ``function``, by name."""
        if chain in self._active:
            return set()
        if self._active:
            # In the middle of another chain some of this one may be left out.
            return self._find_values(chain)
        known = self._known.get(chain)
        if known is None:
            known = self._known[chain] = self._find_values(chain)
        return known

    def _find_values(self, chain: str) -> set[tuple[str, str]]:
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
        return {n for n in self.names.resolve(ref) if self._index.classes.is_class(n)}

    def _meaning(self, ref: str) -> set[tuple[str, str]]:
        """What a dotted name is."""
        found: set[tuple[str, str]] = set()
        for name in self.names.resolve(ref):
            if self._index.classes.is_class(name):
                found.add(("class", name))
                continue
            module, path = self.names.split(name)
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
        module, path = self.names.split(name)
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

    def _held(self, cls: str, attribute: str) -> Iterable[str]:
        module, path = self.names.split(cls)
        known = self._attributes.get(module)
        if known is None:
            known = self._attributes[module] = {}
            for owner, name, chains in self._module(module).attributes:
                known.setdefault((owner, name), []).extend(chains)
        return known.get((path, attribute), ())

    def _method(self, cls: str, name: str, above: bool = False) -> tuple[Place, ...]:
        """The method that an instance of a class has, by its bases from the left.

        None of its own with ``above``; empty when no class of the project has it.
        """
        key = cls, name, above
        known = self._methods.get(key)
        if known is None:
            known = self._methods[key] = self._find_method(cls, name, above)
        return known

    def _find_method(self, cls: str, name: str, above: bool) -> tuple[Place, ...]:
        for owner in self._mro(cls)[above:]:
            module, path = self.names.split(owner)
            place = (module, f"{path}.{name}")
            if self.functions(place):
                return (place,)
        return ()

    def _mro(self, cls: str) -> list[str]:
        """A class and its known bases, depth first from the left."""
        known = self._orders.get(cls)
        if known is None:
            known = self._orders[cls] = self._find_mro(cls)
        return known

    def _find_mro(self, cls: str) -> list[str]:
        found: dict[str, None] = {}
        stack = [cls]
        while stack:
            each = stack.pop()
            if each not in found and self._index.classes.is_class(each):
                found[each] = None
                stack += reversed(self._index.classes.bases(each))
        return list(found)

    # -- edges ------------------------------------------------------------------

    def edges(self, place: Place) -> tuple[Edge, ...]:
        """The calls that a function makes of what the project has, in order.

        A decorated function is run by what its decorators return: their inner
        functions come first.
        """
        known = self._edges.get(place)
        if known is None:
            known = tuple(self._find_edges(place))
            self._edges[place] = known
        return known

    def _find_edges(self, place: Place) -> Iterator[Edge]:
        for fact in self.functions(place):
            for chain in fact.decorators:
                wrappers = [
                    inner
                    for wrapper in self.places(chain)
                    for inner in (*self.inner(wrapper), wrapper)
                ]
                if wrappers:
                    call = CallFact((chain,), fact.line, -1)
                    yield Edge(call, fact, tuple(wrappers))
            for call in fact.calls:
                apart = self._processes(call)
                targets = tuple(p for p in self._targets(call) if p not in apart)
                # Without targets it may still make instances, or mean an override.
                if targets or any(c[0] == "@" or self._values(c) for c in call.chains):
                    yield Edge(call, fact, targets)
                if apart:
                    yield Edge(replace(call, kind="process"), fact, apart)

    def _targets(self, call: CallFact) -> Iterator[Place]:
        for place in dict.fromkeys(p for c in call.chains for p in self.places(c)):
            if call.kind != "read" or self._is_property(place):
                yield place

    def _is_property(self, place: Place) -> bool:
        return any(fact.is_property for fact in self.functions(place))

    def _processes(self, call: CallFact) -> tuple[Place, ...]:
        """The ``run`` of processes of the project's own that a call starts."""
        return tuple(
            place
            for chain in call.chains
            if chain.endswith(" .start")
            for kind, name in self._values(chain.removesuffix(" .start"))
            if kind == "instance" and self._is_process(name)
            for place in self._method(name, "run")
        )

    def _is_process(self, cls: str) -> bool:
        ancestors = self._index.classes.ancestors(cls)
        return any(each.rpartition(".")[2].endswith("Process") for each in ancestors)

    # -- overrides --------------------------------------------------------------

    def constructed(self, edges: Iterable[Edge]) -> Iterator[str]:
        """The classes that calls make instances of, or call a method of."""
        for edge in edges:
            for chain in edge.call.chains:
                yield from (n for kind, n in self._values(chain) if kind == "class")
                if chain[0] not in "@^":
                    yield from self._classes(chain.partition(" ")[0].rpartition(".")[0])

    def below(self, constructed: Iterable[str]) -> dict[str, list[str]]:
        """The constructed classes below each class, by its name."""
        found: dict[str, list[str]] = {}
        for each in sorted(constructed):
            for ancestor in self._index.classes.ancestors(each):
                found.setdefault(ancestor, []).append(each)
        return found

    def overrides(
        self, edge: Edge, below: Mapping[str, Sequence[str]]
    ) -> Iterator[Place]:
        """The methods that a call on ``self`` or a parameter may mean besides.

        Those of classes below the one that is named, if somebody makes instances of
        them (rapid type analysis, Bacon and Sweeney, OOPSLA 1996).
        """
        for chain in edge.call.chains:
            receiver, _, method = chain.partition(" ")
            if receiver[0] != "@" or " " in method or method == "()":
                continue
            for cls in self._classes(receiver[1:]):
                for each in below.get(cls, ()):
                    for place in (
                        self._method(each, method[1:])
                        if method
                        else self._called("class", each)  # ``cls()``
                    ):
                        if edge.call.kind != "read" or self._is_property(place):
                            yield place


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
