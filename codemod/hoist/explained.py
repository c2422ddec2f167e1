"""Decisions as a report shows them: the sentence, the chain with lines, the offer."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence

from codemod.hoist.case import Case, Keep
from codemod.hoist.facts import FileImports
from codemod.hoist.loads import Growth
from codemod.hoist.model import ChainLink, HoistDecision
from codemod.hoist.outcomes import STALE
from codemod.hoist.reasons import cycle, heavy
from codemod.hoist.trials import Broken
from codemod.model import Problem

ROLLED_BACK = "rolled-back"
"""Why an import stays whose file could not be rewritten."""


def moved(case: Case, growth: Growth) -> HoistDecision:
    """The decision for an import that is hoisted."""
    return _decision(case, added_modules=growth.modules, decision="hoist")


def kept(case: Case, keep: Keep) -> HoistDecision:
    """The decision for an import that a reason of its own keeps."""
    return _decision(case, reason=keep.reason, why=keep.why, offer=keep.offer or None)


def rolled_back(case: Case, problem: Problem) -> HoistDecision:
    """The decision for an import in a file that could not be rewritten."""
    why = f"The file stays as it is: {problem.message}"
    return _decision(case, reason=ROLLED_BACK, why=why)


def heavy_decision(
    case: Case, growth: Growth, most: int, files: Mapping[str, FileImports]
) -> HoistDecision:
    """The decision for an import that would load too much."""
    steps = list(growth.chain)
    first = steps[0][0] if steps else case.target
    chain = [_link(files, case.file.module, case.site.line, first)]
    chain += [
        _link(files, module, line, target)
        for (module, line), (target, _) in itertools.pairwise(steps)
    ]
    return _decision(
        case,
        reason=heavy.CODE,
        why=heavy.why(growth.packages, growth.modules, most),
        chain=tuple(chain),
        added_packages=growth.packages,
        added_modules=growth.modules,
    )


def cycle_decision(
    case: Case,
    proof: Broken,
    files: Mapping[str, FileImports],
    sites: Mapping[int, tuple[str, int]],
) -> HoistDecision:
    """The decision for an import that would break another.

    ``sites`` are file and line of the first local import of each unit.
    """
    links: list[ChainLink] = []
    for frame in proof.chain:
        link = _link(files, frame.module, frame.line, frame.target)
        if frame.unit is not None:
            file, line = sites.get(frame.unit, (link.file, frame.line))
            link = ChainLink(frame.module, file, line, frame.target, hoisted=True)
        elif frame.call:
            link = ChainLink(link.module, link.file, link.line, link.target, call=True)
        links.append(link)
    why = cycle.why(proof.trial.entry, proof.kind, proof.message)
    if proof.kind == STALE:
        why = cycle.stale(proof.trial.entry, proof.message)
    if proof.swallowed:
        why = cycle.swallowed(proof.trial.entry, proof.kind, proof.message)
    return _decision(
        case,
        reason=cycle.CODE,
        why=why,
        entry=proof.trial.entry,
        failure=proof.kind,
        chain=tuple(links),
        proof="real" if proof.trial.world == "real" else "simulation",
    )


def chain_text(chain: Sequence[ChainLink]) -> str:
    """A chain on one line: ``a (a.py:3) → b (b.py:1) → a``."""
    parts = [f"{link.module} ({link.file}:{link.line})" for link in chain]
    return " → ".join([*parts, chain[-1].target]) if chain else ""


def _link(
    files: Mapping[str, FileImports], module: str, line: int, target: str
) -> ChainLink:
    file = files.get(module)
    return ChainLink(module, file.path if file else "", line, target)


def _decision(case: Case, decision: str = "keep", **rest: object) -> HoistDecision:
    site = case.site
    return HoistDecision(
        file=case.file.path,
        module=case.file.module,
        line=site.line,
        column=site.column,
        function=site.function,
        text=site.text,
        name=site.bound,
        imports=str(site.imported),
        decision=decision,  # type: ignore[arg-type]
        fixes=site.used_before,
        **rest,  # type: ignore[arg-type]
    )
