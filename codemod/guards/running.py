"""Runs the guards on an analysed project."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING

from codemod.guards import GUARDS
from codemod.guards.model import Finding, GuardContext
from codemod.guards.targets import Targets, watched_of
from codemod.index.guardfacts import build_guard_index
from codemod.model import Problem

if TYPE_CHECKING:
    from codemod.api import Analysis


@dataclass(frozen=True)
class Checked:
    """What the guards found, by file, line and column, and what could not be checked.

    ``ran`` are the guards that were run, ``made`` counts the files that were parsed
    for them.
    """

    findings: tuple[Finding, ...]
    problems: tuple[Problem, ...]
    ran: tuple[str, ...]
    made: int


def run_guards(
    analysis: Analysis,
    only: Collection[str] = (),
    jobs: int | None = None,
    cache: bool = True,
) -> Checked:
    """Every finding of the pack's guards, or of those named in ``only``.

    A finding on a line with a keep comment is suppressed. Which comments suppress
    nothing is known only when every guard was run, so ``suppressions`` runs all.
    """
    context = guard_context(analysis, jobs, cache)
    pack = analysis.pack
    wanted = [
        n for n in GUARDS if n in only or (not only and n not in pack.guards.skip)
    ]
    others = [n for n in GUARDS if n != "suppressions"]
    run = others if "suppressions" in wanted else wanted
    found: list[Finding] = []
    for name in run:
        found += GUARDS[name].findings(context)
    kept, hidden = _suppressed(context, found)
    if "suppressions" in wanted:
        kept += GUARDS["suppressions"].findings(context, hidden)
    rules = pack.guards
    listed = [
        f for f in kept if f.guard in wanted and rules.rule(f.guard).covers(f.module)
    ]
    listed.sort(key=lambda f: (f.file, f.line, f.column, f.guard, f.message))
    return Checked(
        tuple(dict.fromkeys(listed)),
        context.guards.problems,
        tuple(wanted),
        context.guards.made,
    )


def guard_context(
    analysis: Analysis, jobs: int | None = None, cache: bool = True
) -> GuardContext:
    """What the guards are given."""
    index = analysis.index
    guards = build_guard_index(index, watched_of(analysis.pack), jobs, cache)
    return GuardContext(
        analysis.pack,
        analysis.routes,
        index,
        analysis.decided,
        analysis.result,
        guards,
        Targets(analysis.pack, index.names),
        index.before_publish,
    )


def _suppressed(
    context: GuardContext, found: list[Finding]
) -> tuple[list[Finding], frozenset[tuple[str, int]]]:
    """The findings that no keep comment covers, and the places of those it does."""
    covered = {
        (file.source.file.path, line)
        for file in context.guards.files
        for comment in file.facts.comments
        for line in range(comment.first_line, comment.last_line + 1)
    }
    kept = [f for f in found if (f.file, f.line) not in covered]
    hidden = frozenset((f.file, f.line) for f in found) & covered
    return kept, hidden
