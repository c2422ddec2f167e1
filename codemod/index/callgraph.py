"""Who calls whom in a project, through names, instances, and what runs elsewhere.

Calls are followed on known classes, through constructors, threads, processes and
decorators; one that leads to nothing in sight leads to nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
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
    """A call that leads to functions of the project, with how it is run."""

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
        self._edges: dict[Place, tuple[Edge, ...]] = {}

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

    def _held(self, cls: str, attribute: str) -> Iterator[str]:
        module, path = self.names.split(cls)
        for owner, name, chains in self._module(module).attributes:
            if owner == path and name == attribute:
                yield from chains

    def _method(self, cls: str, name: str, above: bool = False) -> Iterator[Place]:
        """The method that an instance of a class has, by its bases from the left."""
        for number, owner in enumerate(self._mro(cls)):
            if above and number == 0:
                continue
            module, path = self.names.split(owner)
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

    def edges(self, place: Place) -> tuple[Edge, ...]:
        """The calls of a function that lead to functions of the project, in order.

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
                targets = dict.fromkeys(
                    target for chain in call.chains for target in self.places(chain)
                )
                if targets:
                    yield Edge(call, fact, tuple(targets))


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
