"""Simulated imports of many modules, each first in its own process, in parallel.

A trial imports one entry in one world, with a set of units hoisted and, when that
fails, without any: what fails without them too is not held against the hoists.
"""

from __future__ import annotations

import multiprocessing
import os
import sys
from collections.abc import Collection, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace

from codemod.hoist.outcomes import Failure, Frame, Outcome, World
from codemod.hoist.simulate import Simulation
from codemod.hoist.store import Modules, Programs, Unit


@dataclass(frozen=True, slots=True, order=True)
class Trial:
    """Import ``entry`` first, in ``world``."""

    entry: str
    world: str


@dataclass(frozen=True, slots=True)
class Broken:
    """An import that fails with the hoists.

    ``known`` is true for one that fails without any hoist too.

    ``suspects`` are the units on its chain, those in the cycle if there is one.
    ``swallowed`` is true when a handler in the code caught the failure: the import
    works, but another branch runs than before.
    """

    trial: Trial
    kind: str
    message: str
    origin: str
    chain: tuple[Frame, ...]
    suspects: tuple[int, ...]
    swallowed: bool = False
    known: bool = False


class Trials:
    """Runs trials over a fixed set of modules and units; a context manager.

    With ``jobs`` above 1 and where processes can be forked, trials run in as many
    processes. ``after`` are the modules that the units are hoisted in, if those are not
    ``modules``, against which failures are known.
    """

    def __init__(
        self,
        modules: Modules,
        units: Sequence[Unit],
        jobs: int = 1,
        after: Modules | None = None,
    ) -> None:
        self._bench = _Bench(modules, units, after or modules)
        self._jobs = jobs
        self._pool: ProcessPoolExecutor | None = None

    def __enter__(self) -> Trials:
        return self

    def __exit__(self, *error: object) -> None:
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)
            self._pool = None

    def run(
        self,
        active: Collection[int],
        scopes: Sequence[tuple[Collection[str] | None, Sequence[Trial]]],
        stop_at_first: bool = False,
        confirm: bool = False,
    ) -> list[Broken]:
        """What breaks with the ``active`` units hoisted, ``known`` failures included.

        Each of ``scopes`` is the set of modules to execute (see ``Simulation``; None
        for all) and the trials to run with it. With ``stop_at_first`` one broken import
        that is not known is enough. With ``confirm``, what fails without hoists only
        when all modules run counts as known too; that takes longer. The order is that
        of the trials, whatever the number of processes.
        """
        size = sum(len(scope or ()) * len(trials) for scope, trials in scopes)
        count = sum(len(trials) for _, trials in scopes)
        if self._jobs == 1 or size < 20_000 or count < 8 or not _can_fork():
            found: list[Broken] = []
            for scope, trials in scopes:
                found += self._bench.run(active, scope, trials, stop_at_first, confirm)
                if stop_at_first and any(not item.known for item in found):
                    break
            return found
        if self._pool is None:
            _share(self._bench)
            context = multiprocessing.get_context("fork")
            self._pool = ProcessPoolExecutor(self._jobs, mp_context=context)
        chosen = frozenset(active)
        futures = [
            self._pool.submit(_run_shared, chosen, scope, part, stop_at_first, confirm)
            for scope, trials in scopes
            for part in _parts(trials, self._jobs * 4)
        ]
        results = []
        for future in futures:
            results += future.result()
            if stop_at_first and any(not item.known for item in results):
                for other in futures:
                    other.cancel()
                break
        return results


def _can_fork() -> bool:
    return hasattr(os, "fork") and sys.platform != "darwin"


def _parts(trials: Sequence[Trial], count: int) -> Iterator[Sequence[Trial]]:
    size = max(4, -(-len(trials) // count))
    for start in range(0, len(trials), size):
        yield trials[start : start + size]


class _Bench:
    """The modules with the units of the last trials hoisted; changed unit by unit."""

    def __init__(self, modules: Modules, units: Sequence[Unit], after: Modules) -> None:
        self.units = {unit.index: unit for unit in units}
        self.bare = Programs(modules)
        self.hoisted = Programs(after)
        self._memo: dict[tuple[str, str], Outcome] = {}

    def hoist(self, active: Collection[int]) -> None:
        now = self.hoisted.active
        for index in [i for i in now if i not in active]:
            self.hoisted.remove(self.units[index])
        for index in active:
            if index not in now:
                self.hoisted.add(self.units[index])

    def run(
        self,
        active: Collection[int],
        scope: Collection[str] | None,
        trials: Iterable[Trial],
        stop_at_first: bool,
        confirm: bool,
    ) -> list[Broken]:
        self.hoist(active)
        self._memo.clear()
        found: list[Broken] = []
        with deep_recursion():
            for trial in trials:
                if self._covered(trial, scope):
                    continue
                found += self._tried(trial, scope, confirm)
                if stop_at_first and any(not item.known for item in found):
                    break
        return found

    def _tried(
        self, trial: Trial, scope: Collection[str] | None, confirm: bool
    ) -> list[Broken]:
        world = World(trial.world)
        after = self._memo.get((trial.entry, trial.world))
        if after is None:
            after = Simulation(self.hoisted, world, scope).run(trial.entry)
        if after.failure is None and not after.caught:
            return []
        before = Simulation(self.bare, world, scope).run(trial.entry)
        if confirm and scope is not None and before.failure is None:
            before = Simulation(self.bare, world).run(trial.entry)
        if after.failure is not None:
            broken = self._broken(trial, after.failure, after, False)
            return [replace(broken, known=before.failure is not None)]
        if before.failure is not None:
            return []
        known = {failure.key() for failure in before.caught}
        return [
            self._broken(trial, failure, after, True)
            for failure in after.caught
            if failure.key() not in known
        ][:1]

    def _covered(self, trial: Trial, scope: Collection[str] | None) -> bool:
        """Whether the trial of a package around the entry says all about it.

        The package runs first, so whatever fails or is caught in it does here too; and
        when it loads the entry, nothing is left to run.
        """
        package = _outermost(trial.entry, scope)
        if package == trial.entry:
            return False
        key = (package, trial.world)
        if key not in self._memo:
            simulation = Simulation(self.hoisted, World(trial.world), scope)
            self._memo[key] = simulation.run(package)
        outcome = self._memo[key]
        return outcome.failure is not None or trial.entry in outcome.loaded

    def _broken(
        self, trial: Trial, failure: Failure, outcome: Outcome, swallowed: bool
    ) -> Broken:
        return Broken(
            trial=trial,
            kind=failure.kind,
            message=failure.message,
            origin=failure.origin,
            chain=failure.chain,
            suspects=self._suspects(failure, outcome),
            swallowed=swallowed,
        )

    def _suspects(self, failure: Failure, outcome: Outcome) -> tuple[int, ...]:
        chain = failure.chain
        if failure.kind == "NameError":
            # A function was called before the import that it now relies on.
            own = tuple(
                unit.index
                for unit in self.hoisted.active.values()
                if unit.module == failure.origin
                and any(failure.name in names for _, names in unit.removes)
            )
            if own:
                return own
        start = next(
            (i for i, frame in enumerate(chain) if frame.module == failure.origin), 0
        )
        for part in (chain[start:], chain):
            found = [frame.unit for frame in part if frame.unit is not None]
            if found:
                return tuple(dict.fromkeys(found))
        # No hoist on the chain: one before it changed what is loaded when.
        loaded = set(outcome.loaded)
        return tuple(
            unit.index for unit in self.hoisted.active.values() if unit.module in loaded
        )


def _outermost(entry: str, scope: Collection[str] | None) -> str:
    """The outermost package around ``entry`` in ``scope``, or ``entry`` itself."""
    if scope is not None:
        end = entry.find(".")
        while end >= 0:
            if entry[:end] in scope:
                return entry[:end]
            end = entry.find(".", end + 1)
    return entry


@contextmanager
def deep_recursion() -> Iterator[None]:
    """Let simulated imports nest as deeply as real ones can."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, 20_000))
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)


_shared: _Bench | None = None


def _share(bench: _Bench) -> None:
    """Leave ``bench`` where forked processes find it."""
    global _shared
    _shared = bench


def _run_shared(
    active: frozenset[int],
    scope: Collection[str] | None,
    trials: Sequence[Trial],
    stop_at_first: bool,
    confirm: bool,
) -> list[Broken]:
    assert _shared is not None
    return _shared.run(active, scope, trials, stop_at_first, confirm)
