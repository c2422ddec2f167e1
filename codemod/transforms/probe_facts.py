"""Facts about probes of every file that mentions one, made in parallel when many."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from codemod.analysis.probing import ProbeFacts, probe_facts
from codemod.index.index import alias_of
from codemod.index.pool import default_jobs, worker_pool
from codemod.index.source import Source
from codemod.packs import Probes
from codemod.transforms.model import StepContext
from codemod.transforms.planning import whole_text

#: Below this many bytes a process pool costs more than it saves.
_POOL_BYTES = 1_000_000
_BATCH = 16


def all_probe_facts(context: StepContext, probes: Probes) -> dict[str, ProbeFacts]:
    """Facts by path. Names that pass a probe on under another name are followed."""
    words = frozenset(probe.rpartition(":")[2] for probe in probes.facts)
    names: set[str] = set()
    for place in (probes.call, probes.override):
        if place is not None:
            name = place.rpartition(":")[2]
            names |= {name, alias_of(name, None)}
    found = _round(context, words, words, frozenset(names))
    while more := _passed_on(context, found, words):
        words |= more
        found |= _round(context, more, words, frozenset(names))
    for path, facts in found.items():
        exports = context.index.facts(path).exports or ()
        found[path] = replace(facts, exports=tuple(exports))
    return found


def _passed_on(
    context: StepContext, found: dict[str, ProbeFacts], words: frozenset[str]
) -> frozenset[str]:
    """Module-level names that other modules can import a probe by, other than its own.

    ``from machine import is_fast as fast`` in a module makes ``module.fast`` one, if
    some file takes it from there.
    """
    bound: dict[str, set[str]] = {}
    for path in found:
        module = context.index.sources[path].file.module
        for fact in context.index.facts(path).imports:
            last = fact.target.rpartition(".")[2]
            if last in words and fact.bound != last and fact.bound not in words:
                bound.setdefault(fact.bound, set()).add(module.rpartition(".")[2])
    more = set()
    for name, carriers in bound.items():
        pattern = rb"\b" + re.escape(name.encode()) + rb"\b"
        for source in context.index.sources.values():
            if (
                name.encode() in source.data
                and source.file.module.rpartition(".")[2] not in carriers
                and any(carrier.encode() in source.data for carrier in carriers)
                and re.search(pattern, source.data)
            ):
                more.add(name)
                break
    return frozenset(more)


def _round(
    context: StepContext,
    needed: frozenset[str],
    words: frozenset[str],
    names: frozenset[str],
) -> dict[str, ProbeFacts]:
    """The facts of every file that mentions one of the needed words."""
    needles = [word.encode() for word in needed]
    wanted = [
        source
        for source in context.index.sources.values()
        if any(needle in source.data for needle in needles)
    ]
    jobs = context.options.jobs or default_jobs()
    if jobs <= 1 or sum(len(s.data) for s in wanted) < _POOL_BYTES:
        return dict(_batch(wanted, words, names))
    wanted.sort(key=lambda source: -len(source.data))
    batches = [wanted[start::_BATCH] for start in range(_BATCH)]
    with worker_pool(jobs) as pool:
        results = [pool.submit(_batch, batch, words, names) for batch in batches]
        return {path: facts for each in results for path, facts in each.result()}


def _batch(
    sources: Sequence[Source], words: frozenset[str], names: frozenset[str]
) -> list[tuple[str, ProbeFacts]]:
    found = []
    for source in sources:
        text = whole_text(source)
        if text is not None:
            file = source.file
            facts = probe_facts(text, file.module, file.is_package, words, names)
            found.append((file.path, facts))
    return found
