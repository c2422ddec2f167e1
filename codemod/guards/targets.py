"""The names that guards look for: what the pack calls by ``module:name``."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from codemod.analysis.guard_facts import Watched
from codemod.index.names import Names
from codemod.index.record import dotted
from codemod.packs import Accessor, Pack


def watched_of(pack: Pack) -> Watched:
    """The words of everything the guards look for."""
    places = [
        *(f"{a.module}:{a.name}" for a in pack.accessors),
        *(d.call for d in pack.derived.values()),
        *(c.call for c in pack.configured.values()),
        *(w.call for w in pack.writers.values()),
        *pack.guards.rule("legacy").calls,
    ]
    probes: list[str] = []
    if pack.probes is not None:
        probes = [pack.probes.call, *pack.probes.facts]
    modules = pack.guards.rule("local-imports").modules
    return Watched(
        names=frozenset(_last(place) for place in places),
        probes=frozenset(_last(place) for place in probes),
        modules=frozenset(_part(glob) for glob in modules),
        methods=frozenset(pack.writers),
        parameters=frozenset(pack.record.attributes),
        classes=frozenset([_last(pack.record.cls)] if pack.record.cls else []),
        all_imports=pack.guards.rule("shadowing").names == "imports",
    )


def _last(place: str) -> str:
    return dotted(place).rpartition(".")[2]


def _part(glob: str) -> str:
    """The last part of a module glob that is a plain name: it has to be spelled."""
    plain = [part for part in glob.split(".") if part.isidentifier()]
    return plain[-1] if plain else ""


class Targets:
    """What each name of the pack means, followed to its definition."""

    def __init__(self, pack: Pack, names: Names) -> None:
        self._pack = pack
        self._names = names

    def meaning(self, ref: str) -> frozenset[str]:
        """Every definition that a dotted name may mean."""
        return self._names.resolve(ref) | {ref}

    def _all(self, places: Iterable[str]) -> frozenset[str]:
        return frozenset(
            name for place in places for name in self.meaning(dotted(place))
        )

    def of(self, place: str) -> frozenset[str]:
        """The definitions of one ``module:name``."""
        return self._all([place])

    @cached_property
    def accessors(self) -> dict[str, Accessor]:
        """The accessors by every name they are defined by."""
        return {
            name: accessor
            for accessor in self._pack.accessors
            for name in self.of(f"{accessor.module}:{accessor.name}")
        }

    @cached_property
    def derived(self) -> frozenset[str]:
        """The functions that answer for derived members."""
        return self._all(d.call for d in self._pack.derived.values())

    @cached_property
    def configured(self) -> dict[str, str]:
        """The functions that give a configured size, and its field."""
        return {
            name: each.field
            for each in self._pack.configured.values()
            for name in self.of(each.call)
        }

    @cached_property
    def legacy(self) -> frozenset[str]:
        """The retired getters."""
        return self._all(self._pack.guards.rule("legacy").calls)

    @cached_property
    def probes(self) -> dict[str, str]:
        """The probes, and the attribute of the address that answers each."""
        if self._pack.probes is None:
            return {}
        return {
            name: fact
            for place, fact in self._pack.probes.facts.items()
            for name in self.of(place)
        }

    @cached_property
    def address(self) -> frozenset[str]:
        """What returns the object that answers every probe."""
        probes = self._pack.probes
        return self.of(probes.call) if probes is not None else frozenset()

    @cached_property
    def answers(self) -> frozenset[str]:
        """Everything that answers only once the record is published."""
        return frozenset(self.accessors) | self.derived | frozenset(self.configured)
