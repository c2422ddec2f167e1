"""Mentions that pin a signature: what may reach a function other than by its calls."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

from codemod.analysis.computed_names import ComputedName
from codemod.analysis.handed_calls import CallFacts
from codemod.index.source import Source
from codemod.transforms.model import StepContext

#: A function by its dotted name, and why its signature has to stay.
Pinned = tuple[str, str]


def mentions(
    context: StepContext,
    calls: Mapping[str, CallFacts],
    methods: Mapping[str, str],
    renamed: Mapping[str, set[str]],
) -> Iterator[Pinned]:
    """Every function that something mentions in a way that nobody can follow.

    ``methods`` are the functions of interest with the path of their class, "" for none;
    ``renamed`` other last names of them.
    """
    found = _Mentions(context, calls, methods, renamed)
    yield from found.named()
    yield from found.computed()
    yield from found.shared()


class _Mentions:
    def __init__(
        self,
        context: StepContext,
        calls: Mapping[str, CallFacts],
        methods: Mapping[str, str],
        renamed: Mapping[str, set[str]],
    ) -> None:
        self._index = context.index
        self._calls = calls
        self._methods = methods
        self._by_last: dict[str, list[str]] = defaultdict(list)
        for function in methods:
            self._by_last[function.rpartition(".")[2]].append(function)
        for last, functions in renamed.items():
            self._by_last[last] += sorted(functions)
        self._tails = self._modules_with()
        #: Classes that make two others share their objects.
        self._joining = [
            f"{source.file.module}.{fact.path}"
            for source in context.index.sources.values()
            for fact in context.index.facts(source.file.path).classes
            if len(fact.bases) > 1
        ]

    def _modules_with(self) -> dict[str, set[bytes]]:
        """Last names of the modules that each function can be reached through."""
        index = self._index
        found: dict[str, set[bytes]] = defaultdict(set)
        for function in self._methods:
            module, _ = index.names.split(function)
            found[function].add(module.rpartition(".")[2].encode())
        for source in index.sources.values():
            tail = source.file.module.rpartition(".")[2].encode()
            for fact in index.facts(source.file.path).imports:
                if fact.target.rpartition(".")[2] in self._by_last:
                    for function in index.names.resolve(fact.target):
                        found[function].add(tail)
        return found

    def named(self) -> Iterator[Pinned]:
        """What is handed over, spelled in a string, or called on the unknown."""
        index = self._index
        for path, facts in self._calls.items():
            source = index.sources[path]
            for ref in facts.taken:
                for name in index.names.resolve(ref):
                    yield name, f"{path} takes it without calling it"
            for last in facts.unknown:
                for function in self._by_last.get(last, ()):
                    if self._may_reach(function, source):
                        what = f"{path} calls or sets {last}"
                        yield function, f"{what} on an object of unknown class"
            for last in facts.spelled:
                for function in self._by_last.get(last, ()):
                    yield function, f"{path} spells its name in a string"

    def _may_reach(self, function: str, source: Source) -> bool:
        """Whether ``something.name(…)`` in a file may be the function."""
        _, rest = self._index.names.split(function)
        if "." in rest:
            return True  # a method: the object may be of its class
        return any(tail in source.data for tail in self._tails[function])

    def computed(self) -> Iterator[Pinned]:
        """What a computed name may mean: ``getattr(self, "do_" + command)``."""
        for path, facts in self._calls.items():
            source = self._index.sources[path]
            why = f"{path} computes a name that may be its own"
            for name in facts.computed:
                for last, functions in self._by_last.items():
                    if not name.matches(last):
                        continue
                    for function in functions:
                        if self._may_be(name, function, source):
                            yield function, why

    def _may_be(self, name: ComputedName, function: str, source: Source) -> bool:
        """Whether what is asked for a computed name may have the function."""
        index = self._index
        module = source.file.module
        owner, _, last = function.rpartition(".")
        is_method = bool(self._methods.get(function))
        if name.base == "self":
            return is_method and self._share(owner, f"{module}.{name.owner}")
        if name.base == "globals":
            return function in index.names.resolve(f"{module}.{last}")
        if name.base:
            first, _, rest = name.base.partition(".")
            targets = [
                fact.target
                for fact in index.facts(source.file.path).imports
                if fact.bound == first
            ]
            here = f"{module}.{name.base}"
            meant = {f"{t}.{rest}" if rest else t for t in targets} or {here}
            for each in meant:
                if function in index.names.resolve(f"{each}.{last}"):
                    return True
                if any(
                    is_method and self._share(owner, n)
                    for n in index.names.resolve(each)
                ):
                    return True
        if name.says_nothing and not name.called:
            return False
        return self._may_reach(function, source)

    def shared(self) -> Iterator[Pinned]:
        """Methods whose class shares them with another class, or may."""
        index = self._index
        defined: dict[str, set[str]] = defaultdict(set)
        open_in: dict[str, str] = {}
        for path, facts in self._calls.items():
            module = index.sources[path].file.module
            for method in facts.methods:
                owner, _, name = f"{module}.{method}".rpartition(".")
                defined[name].add(owner)
                if not self._follows_bases(owner):
                    open_in.setdefault(name, path)
            for name in facts.open_methods:
                open_in.setdefault(name, path)
        for function, class_path in self._methods.items():
            if not class_path:
                continue
            owner, _, name = function.rpartition(".")
            if not self._knows_bases(owner):
                yield function, "its class has a base that is not in the project"
            if name in open_in:
                where = open_in[name]
                yield function, f"a class of {where} has a {name} and may be a child"
            for other in sorted(defined[name] - {owner}):
                if self._share(owner, other):
                    yield function, f"{other} has a {name} too"

    def _share(self, first: str, second: str) -> bool:
        """Whether one object may be of both classes: by a base, or a common child."""
        classes = self._index.classes
        if classes.related(first, second):
            return True
        return any({first, second} <= classes.ancestors(each) for each in self._joining)

    def _follows_bases(self, owner: str) -> bool:
        """Whether no base of a class is a name of the project that is no class."""
        classes, names = self._index.classes, self._index.names
        return all(
            classes.is_class(each) or not names.split(each)[0]
            for each in classes.ancestors(owner)
        )

    def _knows_bases(self, owner: str) -> bool:
        classes = self._index.classes
        return all(
            classes.is_class(each) or each in ("object", "builtins.object")
            for each in {owner, *classes.ancestors(owner)}
        )
