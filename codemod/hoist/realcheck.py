"""The hoists tried in a real interpreter, and taken back where it objects."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from codemod.hoist.fixpoint import Search
from codemod.hoist.outcomes import Frame
from codemod.hoist.progress import Progress, silent
from codemod.hoist.real import RealImporter, RealOutcome
from codemod.hoist.texts import Texts, units_by_module
from codemod.hoist.trials import Broken, Trial

REAL = "real"
"""The world of a trial in a real interpreter."""

_MOST_COMPARED = 40
"""Simulated failures that are tried for real too, each with a text and an import of its
own: enough to see whether the two agree, where a project has a thousand."""


@dataclass(frozen=True, slots=True)
class RealFindings:
    """What the real interpreter said.

    ``tried`` modules were imported; ``unproven`` of them could not be imported before
    any hoist either, by how they failed. ``works`` are units that the simulation took
    back and that break nothing here, with the entry that was tried.
    """

    tried: int
    unproven: Mapping[str, str]
    works: Mapping[int, str] = field(default_factory=dict)


@dataclass
class RealCheck:
    """Imports the affected modules for real, before and after."""

    search: Search
    texts: Texts
    importer: RealImporter
    modules_by_path: Mapping[str, str]
    progress: Progress = silent

    def run(self, affected: Sequence[str]) -> RealFindings:
        """Import ``affected`` before and after; take back what breaks one of them."""
        self.importer.overlay({})
        before = self._imported("importing, before", affected)
        good = [module for module in affected if before[module].ok]
        unproven = {m: _shown(o) for m, o in before.items() if not o.ok}
        works = self._simulated_failures(set(good))
        taken = self._settle(good)
        self._give_back(taken, good)
        return RealFindings(len(affected), unproven, works)

    def _settle(self, good: Sequence[str]) -> list[int]:
        """Take back units until all of ``good`` can be imported; those taken back."""
        taken: list[int] = []
        settled = False
        while not settled:
            broken = self._broken(good)
            settled = not broken
            while broken:
                chosen = self._take_back(broken)
                if not chosen:
                    break
                taken += chosen
                broken = self._broken(_one_of_each(broken))
        return taken

    def _broken(self, entries: Iterable[str]) -> list[Broken]:
        wanted = list(dict.fromkeys(entries))
        by_module = units_by_module(self.search.units, self.search.hoisted)
        self.texts.prepare(by_module)
        self.importer.overlay(self.texts.overlay(by_module.items()))
        after = self._imported("importing, after", wanted)
        return [self._described(o, by_module) for o in after.values() if not o.ok]

    def _imported(self, text: str, modules: Sequence[str]) -> dict[str, RealOutcome]:
        """The outcome for each of ``modules``, with word of how far it is."""
        return self.importer.import_all(
            modules, lambda done: self.progress(text, done, len(modules))
        )

    def _described(
        self, outcome: RealOutcome, by_module: Mapping[str, frozenset[int]]
    ) -> Broken:
        frames: list[Frame] = []
        near: list[int] = []
        steps = [(self.modules_by_path.get(f, ""), n, c) for f, n, c in outcome.chain]
        own = [step for step in steps if step[0]]
        for (module, line, _), (target, _, _) in zip(own, [*own[1:], ("", 0, "")]):
            units = by_module.get(module, frozenset())
            unit = self.texts.unit_at(module, units, line) if units else None
            frames.append(Frame(module, line, target or module, unit))
            near += sorted(units)
        suspects = [frame.unit for frame in frames if frame.unit is not None]
        # No hoist on the chain: one of the modules on it lost or gained something.
        found = tuple(dict.fromkeys(suspects or near or sorted(self.search.hoisted)))
        return Broken(
            trial=Trial(outcome.module, REAL),
            kind=outcome.kind,
            message=outcome.message,
            origin="",
            chain=tuple(frames),
            suspects=found,
        )

    def _take_back(self, broken: Sequence[Broken]) -> list[int]:
        taken: list[int] = []
        left = [item for item in broken if item.suspects]
        while left:
            votes = Counter(unit for item in left for unit in item.suspects)
            chosen = max(votes, key=lambda unit: (votes[unit], unit))
            proof = next(item for item in left if chosen in item.suspects)
            self.search.without([chosen], proof)
            taken.append(chosen)
            left = [item for item in left if chosen not in item.suspects]
        return taken

    def _give_back(self, taken: Iterable[int], good: Sequence[str]) -> None:
        """Try each unit taken back again, alone; what then breaks elsewhere goes back.

        Tried are what broke before, the unit's module and their packages, which are
        imported on the way to everything else; in the end all is.
        """
        given = 0
        able = set(good)
        for unit in sorted(set(taken)):
            proof = self.search.proofs[unit]
            self.search.hoisted.add(unit)
            module = self.search.module_of(unit)
            near = [proof.trial.entry, module, *_packages(proof.trial.entry, module)]
            broken = self._broken(entry for entry in near if entry in able)
            if broken:
                self.search.hoisted.discard(unit)
                self.search.proofs[unit] = broken[0]
            else:
                del self.search.proofs[unit]
                given += 1
        if given:
            self._settle(good)

    def _simulated_failures(self, good: set[str]) -> dict[int, str]:
        """Units that only the simulation objects to, by the entry it names."""
        works: dict[int, str] = {}
        proofs = [
            (unit, proof.trial.entry)
            for unit, proof in sorted(self.search.proofs.items())
            if proof.trial.entry in good and proof.trial.world != REAL
        ]
        for done, (unit, entry) in enumerate(proofs[:_MOST_COMPARED], 1):
            self.progress("comparing", done, min(len(proofs), _MOST_COMPARED))
            self.search.hoisted.add(unit)
            if not self._broken([entry]):
                works[unit] = entry
            self.search.hoisted.discard(unit)
        return works


def _one_of_each(broken: Sequence[Broken]) -> list[str]:
    """The entries of failures that differ: most modules fail for the same reason."""
    found: dict[tuple[object, ...], str] = {}
    for item in broken:
        key = (item.kind, item.message, item.chain[-1:], item.suspects)
        found.setdefault(key, item.trial.entry)
    return list(found.values())


def _packages(*modules: str) -> list[str]:
    """The packages around ``modules``."""
    found: dict[str, None] = {}
    for module in modules:
        while module := module.rpartition(".")[0]:
            found[module] = None
    return list(found)


def _shown(outcome: RealOutcome) -> str:
    first = outcome.message.splitlines()[0] if outcome.message else ""
    return f"{outcome.kind}: {first}" if first else outcome.kind
