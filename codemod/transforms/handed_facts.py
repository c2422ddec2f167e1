"""Facts for the clean-up of every file that has to be looked at, in parallel."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeVar

from codemod.analysis.computed_names import WORDS
from codemod.analysis.handed import HandedFacts, handed_facts
from codemod.analysis.handed_calls import CallFacts, call_facts
from codemod.analysis.vocabulary import Vocabulary
from codemod.index.pool import default_jobs, worker_pool
from codemod.index.source import Source
from codemod.transforms.model import StepContext
from codemod.transforms.planning import whole_text

Facts = TypeVar("Facts")

#: Below this many bytes a process pool costs more than it saves.
_POOL_BYTES = 1_000_000
_BATCHES = 16


def all_handed(context: StepContext) -> dict[str, HandedFacts]:
    """The first look, at every file that mentions the record or a probe."""
    index = context.index
    probes: frozenset[str] = frozenset()
    if context.pack.probes is not None:
        probes = frozenset(p.rpartition(":")[2] for p in context.pack.probes.facts)
    vocabulary = index.vocabulary
    words = [w.encode() for w in (vocabulary.words | vocabulary.classes | probes)]
    wanted = [s for s in index.sources.values() if any(w in s.data for w in words)]
    make = partial(_handed, vocabulary=vocabulary, probes=probes)
    return mapped(wanted, make, context.options.jobs)


def all_calls(context: StepContext, names: frozenset[str]) -> dict[str, CallFacts]:
    """The second look, at every file that mentions a function of interest.

    And at those that may compute the name of one.
    """
    if not names:
        return {}
    wanted = [
        source
        for source in context.index.sources.values()
        if any(word in source.data for word in (*WORDS, *map(str.encode, names)))
    ]
    return mapped(wanted, partial(_calls, names=names), context.options.jobs)


def passed_on(context: StepContext, names: frozenset[str]) -> dict[str, set[str]]:
    """Other names that modules import the functions by, with what each may mean.

    ``from low import f as g`` in a module makes ``module.g`` another name of ``low.f``,
    and whoever imports ``g`` from there calls ``f``.
    """
    found: dict[str, set[str]] = {}
    words = names
    while True:
        more: dict[str, set[str]] = {}
        for source in _mentioning(context, words):
            for fact in context.index.facts(source.file.path).imports:
                if (
                    fact.target.rpartition(".")[2] in words
                    and fact.bound not in words
                    and "." in fact.target
                ):
                    more.setdefault(fact.bound, set()).update(
                        context.index.names.resolve(fact.target)
                    )
        if not more:
            return found
        found |= more
        words = words | more.keys()


def _mentioning(context: StepContext, names: frozenset[str]) -> list[Source]:
    needles = [name.encode() for name in names]
    return [
        source
        for source in context.index.sources.values()
        if any(needle in source.data for needle in needles)
    ]


def mapped(
    sources: Sequence[Source], make: Callable[[Source], Facts], jobs: int | None
) -> dict[str, Facts]:
    """What ``make`` gives for each file, by path; worker processes when it is much."""
    jobs = jobs or default_jobs()
    if jobs <= 1 or sum(len(s.data) for s in sources) < _POOL_BYTES:
        return {source.file.path: make(source) for source in sources}
    ordered = sorted(sources, key=lambda source: -len(source.data))
    batches = [ordered[start::_BATCHES] for start in range(_BATCHES)]
    with worker_pool(jobs) as pool:
        results = [pool.submit(_batch, batch, make) for batch in batches]
        return {path: facts for each in results for path, facts in each.result()}


def _batch(
    sources: Sequence[Source], make: Callable[[Source], Facts]
) -> list[tuple[str, Facts]]:
    return [(source.file.path, make(source)) for source in sources]


def _handed(
    source: Source, vocabulary: Vocabulary, probes: frozenset[str]
) -> HandedFacts:
    text = whole_text(source)
    if text is None:
        return HandedFacts()
    file = source.file
    return handed_facts(text, file.module, file.is_package, vocabulary, probes)


def _calls(source: Source, names: frozenset[str]) -> CallFacts:
    text = whole_text(source)
    if text is None:
        return CallFacts()
    return call_facts(text, source.file.module, source.file.is_package, names)
