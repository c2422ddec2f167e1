"""All hoists together, then back as few as it takes, until no import breaks.

1. All units are hoisted. Every module that stands in an import cycle is imported, each
   first in a process of its own, in every world; elsewhere a hoist cannot break
   anything, because no module is ever seen half initialised.
2. A broken import names the units on its chain. The fewest that are on all chains are
   taken back (greedily: the one on most chains first), and what was broken is tried
   again, until nothing is.
3. Each unit taken back is tried once more, alone, against those that stay. One that
   breaks nothing any more is hoisted after all, so in the end each unit that is kept
   breaks an import, and the chain of that import is its proof.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from codemod.hoist.graph import cycles, with_parents
from codemod.hoist.ir import OP_FROM, OP_IMPORT
from codemod.hoist.simulate import World
from codemod.hoist.store import Modules, Unit
from codemod.hoist.trials import Broken, Trial, Trials

_MOST_AT_ONCE = 240
"""Trials of one round: a broken import seldom comes alone, so a part shows enough."""


@dataclass(frozen=True, slots=True)
class Settled:
    """What can be hoisted together: the units, and for each other one its proof.

    ``rounds`` and ``trials`` count the work done.
    """

    hoisted: frozenset[int]
    proofs: Mapping[int, Broken]
    rounds: int
    trials: int


@dataclass
class Search:
    """The search for the units that can be hoisted together."""

    modules: Modules
    units: Sequence[Unit]
    edges: Mapping[str, Collection[str]]
    trials: Trials
    progress: Callable[[str], None] = lambda text: None
    hoisted: set[int] = field(default_factory=set)
    proofs: dict[int, Broken] = field(default_factory=dict)
    rounds: int = 0
    count: int = 0

    def __post_init__(self) -> None:
        self._adds = {u.index: _targets(u, self.modules) for u in self.units}
        self._of = {u.index: u for u in self.units}

    def run(self) -> Settled:
        """Find the units that can be hoisted together."""
        self.hoisted = {unit.index for unit in self.units}
        self._take_back_until_nothing_breaks()
        self._give_back_what_breaks_nothing()
        return Settled(
            frozenset(self.hoisted), dict(self.proofs), self.rounds, self.count
        )

    def without(self, units: Iterable[int], proof: Broken) -> None:
        """Take ``units`` back for ``proof``, found elsewhere."""
        for unit in units:
            if unit in self.hoisted:
                self.hoisted.discard(unit)
                self.proofs[unit] = proof

    # -- steps -----------------------------------------------------------------

    def _take_back_until_nothing_breaks(self) -> None:
        settled = False
        while not settled:
            settled = True
            for part in self._parts():
                broken = self._tried(part)
                settled = settled and not broken
                while broken:
                    self._take_back(broken)
                    again = dict.fromkeys(item.trial for item in broken)
                    broken = self._tried(self._entries(again))

    def _take_back(self, broken: Sequence[Broken]) -> None:
        """Take back units until each of ``broken`` has lost one of its suspects."""
        self.rounds += 1
        open_cases = [item for item in broken if item.suspects]
        while open_cases:
            votes = Counter(unit for item in open_cases for unit in item.suspects)
            # The one on most chains; of those the last hoisted, for a stable choice.
            chosen = max(votes, key=lambda unit: (votes[unit], unit))
            proof = next(item for item in open_cases if chosen in item.suspects)
            self.without([chosen], proof)
            open_cases = [item for item in open_cases if chosen not in item.suspects]
        self.progress(f"{len(self.proofs)} taken back")

    def _give_back_what_breaks_nothing(self) -> None:
        for unit, proof in sorted(self.proofs.items()):
            self.hoisted.add(unit)
            broken = self._breaks_with(unit, proof)
            if broken is None:
                del self.proofs[unit]
            else:
                self.hoisted.discard(unit)
                self.proofs[unit] = broken

    def _breaks_with(self, unit: int, proof: Broken) -> Broken | None:
        """What breaks once ``unit`` is hoisted too, the known proof tried first."""
        module = self._of[unit].module
        group = next((g for g in self._groups() if module in g), None)
        if group is None:
            return None
        first = [Trial(e, proof.trial.world) for e in (proof.trial.entry, module)]
        others = [Trial(e, world.value) for world in World for e in group]
        trials = list(dict.fromkeys([t for t in first if t.entry in group] + others))
        self.count += len(trials)
        for part in (trials[:2], trials[2:]):
            broken = self.trials.run(self.hoisted, [(group, part)], True)
            if broken:
                return broken[0]
        return None

    # -- trials ----------------------------------------------------------------

    def _groups(self) -> list[frozenset[str]]:
        edges: dict[str, Collection[str]] = dict(self.edges)
        added: dict[str, set[str]] = {}
        for index in self.hoisted:
            unit = self._of[index]
            added.setdefault(unit.module, set()).update(self._adds[index])
        for module, targets in added.items():
            edges[module] = targets | set(edges.get(module, ()))
        return [frozenset(group) for group in cycles(edges)]

    def _entries(
        self, only: Iterable[Trial] | None = None
    ) -> list[tuple[frozenset[str], list[Trial]]]:
        """The trials worth running: each module of a cycle first, in each world."""
        groups = self._groups()
        if only is None:
            return [
                (group, [Trial(e, w.value) for w in World for e in sorted(group)])
                for group in groups
            ]
        group_of = {module: group for group in groups for module in group}
        found: dict[frozenset[str], list[Trial]] = {}
        for trial in only:
            group = group_of.get(trial.entry)
            if group is not None:
                found.setdefault(group, []).append(trial)
        return list(found.items())

    def _parts(self) -> Iterator[list[tuple[frozenset[str], list[Trial]]]]:
        """All trials, so many at a time."""
        flat = [(group, t) for group, trials in self._entries() for t in trials]
        for start in range(0, len(flat), _MOST_AT_ONCE):
            part: dict[frozenset[str], list[Trial]] = {}
            for group, trial in flat[start : start + _MOST_AT_ONCE]:
                part.setdefault(group, []).append(trial)
            yield list(part.items())

    def _tried(
        self, entries: list[tuple[frozenset[str], list[Trial]]]
    ) -> list[Broken]:
        self.count += sum(len(trials) for _, trials in entries)
        return self.trials.run(self.hoisted, entries)


def _targets(unit: Unit, modules: Modules) -> set[str]:
    """The modules that the imports of ``unit`` ask for."""
    found: set[str] = set()
    for _, op in unit.inserts:
        if op[0] == OP_FROM:
            found.update(with_parents(op[3], modules.by_name))
            for name, _bound in op[4]:
                full = f"{op[3]}.{name}"
                if full in modules.by_name:
                    found.add(full)
        elif op[0] == OP_IMPORT:
            found.update(with_parents(op[3], modules.by_name))
    found.discard(unit.module)
    if any(op[0] in (OP_FROM, OP_IMPORT) and op[3] == unit.module for _, op in unit.inserts):
        found.add(unit.module)
    return found
