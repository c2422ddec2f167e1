"""All hoists together, then back as few as it takes, until no import breaks.

1. All units are hoisted. Every module that stands in an import cycle is imported, each
   first in a process of its own, in every world, and so is every module with a hoist
   or imported by one. Elsewhere nothing is ever seen half initialised, so nothing can
   break, with one exception: a cycle that fails today when one of its modules comes
   first. Whoever would now enter it there is imported too.
2. A broken import names the units on its chain. The fewest that are on all chains are
   taken back (greedily: the one on most chains first), and what was broken is tried
   again, until nothing is.
3. Each unit taken back is tried once more, alone, against those that stay. One that
   breaks nothing any more is hoisted after all, and one that stands in the way of
   several others makes room for them. In the end each unit that is kept breaks an
   import, and the chain of that import is its proof.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from codemod.hoist.graph import (
    cycles,
    deepest_chain,
    direct_imports,
    finishing_order,
    first_of_each,
    with_parents,
)
from codemod.hoist.ir import OP_FROM, OP_IMPORT
from codemod.hoist.outcomes import FRAMES_LIMIT, MODULE_FRAMES, Frame, World
from codemod.hoist.progress import Progress, silent
from codemod.hoist.store import Modules, Programs, Unit
from codemod.hoist.trials import Broken, Trial, Trials, deep_recursion
from codemod.model import Problem

_MOST_AT_ONCE = 240
"""Trials of one round: a broken import seldom comes alone, so a part shows enough."""


TOO_DEEP = "RecursionError"
"""The kind of failure of imports that nest too deeply."""

_MOST_SWAPS = 300
"""Imports that may be tried in exchange for another one; large projects have more
kept imports than there is time to try them all."""

Work = list[tuple[frozenset[str] | None, list[Trial]]]
"""Trials by the modules that run in them; None for all."""


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
    progress: Progress = silent
    hoisted: set[int] = field(default_factory=set)
    proofs: dict[int, Broken] = field(default_factory=dict)
    bad: set[str] = field(default_factory=set)
    """Modules that cannot be imported first today either."""
    failed: dict[int, Problem] = field(default_factory=dict)
    """Units whose file could not be rewritten."""
    today: Mapping[str, Collection[str]] | None = None
    """The edges without any hoist, if ``edges`` are not those."""
    touched: frozenset[str] = frozenset()
    """Modules to import beside those in cycles."""
    rounds: int = 0
    count: int = 0
    _swaps_left: int = _MOST_SWAPS
    _edges_known: dict[tuple[str, tuple[int, ...]], Collection[str]] = field(
        default_factory=dict
    )
    """What a module imports with some of its units hoisted, by module and units."""

    def __post_init__(self) -> None:
        self._adds = {u.index: _targets(u, self.modules) for u in self.units}
        self._of = {u.index: u for u in self.units}
        order = finishing_order(self.edges)
        self._against = {
            u.index: max(
                (order[t] for t in self._adds[u.index] if t in order), default=0
            )
            - order.get(u.module, 0)
            for u in self.units
        }
        """How far the imports of a unit go against the order modules finish in now."""

    def run(self) -> Settled:
        """Find the units that can be hoisted together."""
        self.progress("simulating")
        self.hoisted = {unit.index for unit in self.units}
        self._take_back_until_nothing_breaks()
        self._give_back_what_breaks_nothing()
        while self._swapped():
            self._give_back_what_breaks_nothing()
        while deep := self._too_deep():
            self._take_back(deep)
        return Settled(
            frozenset(self.hoisted), dict(self.proofs), self.rounds, self.count
        )

    def everything_broken(self) -> list[Broken]:
        """What breaks with the units hoisted that now are; nothing is taken back."""
        found: list[Broken] = []
        for part in self._parts(self._entries()):
            found += self._tried(part, confirm=True)
        for part in self._parts(self._entering_broken()):
            found += self._tried(part)
        return found

    def without(self, units: Iterable[int], proof: Broken) -> None:
        """Take ``units`` back for ``proof``, found elsewhere."""
        for unit in units:
            if unit in self.hoisted:
                self.hoisted.discard(unit)
                self.proofs[unit] = proof

    def module_of(self, unit: int) -> str:
        """The module whose imports a unit is."""
        return self._of[unit].module

    # -- steps -----------------------------------------------------------------

    def _take_back_until_nothing_breaks(self) -> None:
        settled = False
        while not settled:
            settled = True
            for part in self._parts(self._entries()):
                settled = self._settle(part) and settled
            while deep := self._too_deep():
                settled = False
                self._take_back(deep)
            for part in self._parts(self._entering_broken()):
                settled = self._settle(part) and settled

    def _settle(self, part: Work) -> bool:
        """Take back what ``part`` breaks; whether it broke nothing."""
        broken = self._tried(part)
        whole = {trial for scope, trials in part if scope is None for trial in trials}
        clean = not broken
        while broken:
            self._take_back(broken)
            again = list(dict.fromkeys(item.trial for item in broken))
            work: Work = self._entries(t for t in again if t not in whole)
            if rest := [t for t in again if t in whole]:
                work.append((None, rest))
            broken = self._tried(work)
        return clean

    def _take_back(self, broken: Sequence[Broken]) -> None:
        """Take back units until each of ``broken`` has lost one of its suspects."""
        self.rounds += 1
        open_cases = [item for item in broken if item.suspects]
        while open_cases:
            votes = Counter(unit for item in open_cases for unit in item.suspects)
            # The one on most chains; of those the one that goes most against the order
            # that modules finish in today: it closes most circles.
            chosen = max(votes, key=lambda u: (votes[u], self._against[u], u))
            proof = next(item for item in open_cases if chosen in item.suspects)
            self.without([chosen], proof)
            open_cases = [item for item in open_cases if chosen not in item.suspects]

    def _give_back_what_breaks_nothing(self) -> None:
        for unit, proof in sorted(self.proofs.items()):
            self.hoisted.add(unit)
            broken = self._breaks_with(unit, proof)
            if broken is None:
                del self.proofs[unit]
            else:
                self.hoisted.discard(unit)
                self.proofs[unit] = broken

    def _swapped(self) -> bool:
        """Take one hoist back for two or more that it stood in the way of, if one does.

        Greed may have taken back many leaves of a cycle instead of the one hub.
        """
        in_the_way = Counter(
            unit
            for proof in self.proofs.values()
            for unit in set(proof.suspects)
            if unit in self.hoisted
        )
        for unit, count in sorted(in_the_way.items(), key=lambda i: (-i[1], i[0])):
            if count < 2 or self._swaps_left <= 0:
                return False
            self._swaps_left -= count
            self.hoisted.discard(unit)
            gained = [
                other
                for other, proof in sorted(self.proofs.items())
                if unit in proof.suspects and self._joins(other, proof)
            ]
            if len(gained) > 1:
                self.hoisted.add(unit)
                proof = self._breaks_with(unit, self.proofs[gained[0]])
                for other in gained:
                    del self.proofs[other]
                if proof is not None:
                    self.without([unit], proof)
                return True
            self.hoisted.difference_update(gained)
            self.hoisted.add(unit)
        return False

    def _joins(self, unit: int, proof: Broken) -> bool:
        """Hoist ``unit`` too if that breaks nothing now."""
        self.hoisted.add(unit)
        if self._breaks_with(unit, proof) is None:
            return True
        self.hoisted.discard(unit)
        return False

    def _breaks_with(self, unit: int, proof: Broken) -> Broken | None:
        """What breaks once ``unit`` is hoisted too, the known proof tried first."""
        module = self._of[unit].module
        group = next((g for g in self._groups() if module in g), frozenset([module]))
        first = [Trial(e, proof.trial.world) for e in (proof.trial.entry, module)]
        others = [Trial(e, w.value) for w in World for e in sorted(group)]
        trials = list(dict.fromkeys([t for t in first if t.entry in group] + others))
        single = [
            (frozenset([target]), [Trial(target, w.value) for w in World])
            for target in sorted(self._adds[unit])
        ]
        works: list[Work] = [[(group, trials[:2])], [(group, trials[2:])], [*single]]
        for work in works:
            broken = self._first_broken(work)
            if broken:
                return broken
        if proof.kind == TOO_DEEP:  # of the others all are looked at in the end
            deep = self._too_deep()
            if deep:
                return deep[0]
        return self._first_broken(self._entering_broken())

    def _first_broken(self, work: Work) -> Broken | None:
        self.count += sum(len(trials) for _, trials in work)
        found = self.trials.run(self.hoisted, work, stop_at_first=True, confirm=True)
        self.bad.update(item.trial.entry for item in found if item.known)
        return next((item for item in found if not item.known), None)

    # -- trials ----------------------------------------------------------------

    def edges_now(self) -> dict[str, Collection[str]]:
        """Which module imports which with the units hoisted that now are."""
        edges: dict[str, Collection[str]] = dict(self.edges)
        added: dict[str, dict[str, None]] = {}
        for index in sorted(self.hoisted):
            unit = self._of[index]
            targets = dict.fromkeys(sorted(self._adds[index]))
            added.setdefault(unit.module, {}).update(targets)
        for module, found in added.items():
            edges[module] = [*dict.fromkeys([*edges.get(module, ()), *found])]
        return edges

    def _groups(self) -> list[frozenset[str]]:
        return [frozenset(group) for group in cycles(self.edges_now())]

    def _too_deep(self) -> list[Broken]:
        """Imports that would nest more deeply than the recursion limit allows."""
        if len(self.edges) * MODULE_FRAMES < FRAMES_LIMIT:
            return []
        edges = self.edges_now()
        found = []
        for entry in edges:
            chain = deepest_chain(edges, entry)
            if len(chain) * MODULE_FRAMES < FRAMES_LIMIT:
                continue
            if len(deepest_chain(self.edges, entry)) >= len(chain):
                continue
            frames = []
            for module, target in itertools.pairwise(chain):
                unit = self._unit_between(module, target)
                frames.append(Frame(module, 0, target, unit))
            suspects = tuple(f.unit for f in frames if f.unit is not None)
            message = f"{len(chain)} imports wait for one another"
            trial = Trial(entry, World.BOTH.value)
            found.append(Broken(trial, TOO_DEEP, message, "", tuple(frames), suspects))
        return [item for item in found if item.suspects]

    def _unit_between(self, module: str, target: str) -> int | None:
        if target in self.edges.get(module, ()):
            return None
        for index in self.hoisted:
            if self._of[index].module == module and target in self._adds[index]:
                return index
        return None

    def _entries(self, only: Iterable[Trial] | None = None) -> Work:
        """The trials worth running: each module of a cycle first, in each world."""
        groups = self._groups()
        group_of = {module: group for group in groups for module in group}
        for module in self._touched():
            if module not in group_of:
                group_of[module] = frozenset([module])
        if only is None:
            only = [Trial(e, w.value) for w in World for e in sorted(group_of)]
        found: dict[frozenset[str], list[Trial]] = {}
        for trial in only:
            group = group_of.get(trial.entry)
            if group is not None:
                found.setdefault(group, []).append(trial)
        return list(found.items())

    def _touched(self) -> set[str]:
        """Modules with a hoist, and modules that one imports."""
        found = set(self.touched)
        for index in self.hoisted:
            found.add(self._of[index].module)
            found |= self._adds[index]
        return found

    def _entering_broken(self) -> Work:
        """Trials of modules that enter a cycle where it fails today when entered there.

        All modules run in these trials: what fails lies below the entry.
        """
        if not self.bad:
            return []
        edges = self._ordered_edges()
        today = self.edges if self.today is None else self.today
        groups = [group for group in cycles(edges) if self.bad & set(group)]
        group_of = {m: number for number, group in enumerate(groups) for m in group}
        for number, module in enumerate(sorted(self.bad - group_of.keys())):
            group_of[module] = len(groups) + number
        entries = [
            entry
            for entry in edges
            if entry not in self.bad
            and first_of_each(edges, entry, group_of) & self.bad
            and not first_of_each(today, entry, group_of) & self.bad
        ]
        return [(None, [Trial(e, w.value) for w in World for e in entries])]

    def _ordered_edges(self) -> dict[str, Collection[str]]:
        """Which module imports which, in the order it does, with the present hoists."""
        programs = Programs(self.modules, (self._of[i] for i in sorted(self.hoisted)))
        by_module: dict[str, list[int]] = {}
        for unit in programs.active.values():
            by_module.setdefault(unit.module, []).append(unit.index)
        keys = {m: (m, tuple(units)) for m, units in by_module.items()}
        missing = [m for m, key in keys.items() if key not in self._edges_known]
        with deep_recursion():
            found = direct_imports(programs, sorted(missing))
        self._edges_known |= {keys[m]: targets for m, targets in found.items()}
        ordered = {m: self._edges_known[keys[m]] for m in sorted(by_module)}
        return {**self.edges, **ordered}

    def _parts(self, entries: Work) -> Iterator[Work]:
        """All trials, so many at a time."""
        flat = [(group, trial) for group, trials in entries for trial in trials]
        for start in range(0, len(flat), _MOST_AT_ONCE):
            part: dict[frozenset[str] | None, list[Trial]] = {}
            for group, trial in flat[start : start + _MOST_AT_ONCE]:
                part.setdefault(group, []).append(trial)
            yield list(part.items())

    def _tried(self, entries: Work, confirm: bool = False) -> list[Broken]:
        self.count += sum(len(trials) for _, trials in entries)
        self.progress(f"simulating, {len(self.proofs)} taken back")
        found = self.trials.run(self.hoisted, entries, confirm=confirm)
        self.bad.update(item.trial.entry for item in found if item.known)
        return [item for item in found if not item.known]


def _targets(unit: Unit, modules: Modules) -> set[str]:
    """The modules that the imports of ``unit`` ask for."""
    found: set[str] = set()
    for _, _, op in unit.inserts:
        if op[0] == OP_FROM:
            found.update(with_parents(op[3], modules.by_name))
            for name, _bound in op[4]:
                full = f"{op[3]}.{name}"
                if full in modules.by_name:
                    found.add(full)
        elif op[0] == OP_IMPORT:
            found.update(with_parents(op[3], modules.by_name))
    found.discard(unit.module)
    if any(
        op[0] in (OP_FROM, OP_IMPORT) and op[3] == unit.module
        for _, _, op in unit.inserts
    ):
        found.add(unit.module)
    return found
