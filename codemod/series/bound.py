"""Reads that convert together or not at all: those of one name that a read binds.

``(name := record).field`` loses its binding with its conversion, so every other read of
the name has to convert in the same commit.
"""

from __future__ import annotations

from collections.abc import Iterable

from codemod.decisions.engine import Decided
from codemod.index.index import Index

_Key = tuple[str, tuple[str, int]]


def bound_together(
    index: Index, wanted: Iterable[Decided], possible: Iterable[Decided]
) -> tuple[list[Decided], list[Decided]]:
    """What to convert so that the wanted reads convert, and what of them cannot.

    ``possible`` are the reads that may convert now, the wanted ones among them. The
    first value has the wanted reads that can, in their order, and then those that go
    with them.
    """
    may = {_key(each): each for each in possible}
    bound = {key: others for key in may if (others := _others(index, may[key]))}
    while stuck := {key for key in bound.keys() & may if not bound[key] <= may.keys()}:
        for key in stuck:
            del may[key]
    wanted = list(wanted)
    chosen = {_key(each): each for each in wanted if _key(each) in may}
    waiting = list(chosen)
    while waiting:
        for other in sorted(bound.get(waiting.pop(), ()) - chosen.keys()):
            chosen[other] = may[other]
            waiting.append(other)
    return list(chosen.values()), [each for each in wanted if _key(each) not in may]


def _key(each: Decided) -> _Key:
    return each.read.file, each.candidate.anchor


def _others(index: Index, each: Decided) -> frozenset[_Key]:
    """The other reads of the name that a read binds."""
    number = each.candidate.walrus
    if number < 0:
        return frozenset()
    path = each.read.file
    alias = index.facts(path).walrus_aliases[number]
    return frozenset((path, anchor) for anchor in alias.anchors)
