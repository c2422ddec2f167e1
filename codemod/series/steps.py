"""Which steps a migration has, in order, and the parts that a split cuts one into."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from codemod.packs import Pack, PackError, Step, module_matches
from codemod.packs.errors import Where, did_you_mean


@dataclass(frozen=True, slots=True)
class Part:
    """A step narrowed to what goes into one commit; ``name`` is empty for the whole."""

    step: Step
    name: str = ""


#: The transforms of the default series after the reads, each with the pack's table
#: that it needs; in order: what looks for unused names comes last.
_LATER = ("derived", "configured", "probes", "cleanup")


def series_of(pack: Pack) -> tuple[Step, ...]:
    """The pack's steps, or the default series for a pack that names none.

    By default reads, with the writers of the same fields where the pack has writers,
    are cut by the first name of their namespace, since a reviewer can hold one
    namespace in mind; then comes each other transform that the pack has a table for.
    """
    if pack.steps:
        return pack.steps
    together = ("reads", "writers") if _has(pack, "writers") else ("reads",)
    steps = [Step("reads", together, split="namespace")]
    steps += [Step(name, (name,)) for name in _LATER if _has(pack, name)]
    return tuple(steps)


def _has(pack: Pack, table: str) -> bool:
    """Whether there is a transform that the pack says something of."""
    from codemod.transforms import TRANSFORMS

    return table in TRANSFORMS and bool(getattr(pack, table, None))


def chosen(steps: tuple[Step, ...], names: Iterable[str]) -> tuple[Step, ...]:
    """The steps a person asks for, in the series' order; all when none is named.

    Raises PackError for a name that no step has.
    """
    wanted = tuple(names)
    known = [step.name for step in steps]
    for name in wanted:
        if name.partition("/")[0] not in known:
            raise PackError.at(
                Where("--step", 0, name),
                f"there is no such step{did_you_mean(name, known)} "
                f"(there: {', '.join(known)})",
            )
    heads = {name.partition("/")[0] for name in wanted}
    return tuple(step for step in steps if not wanted or step.name in heads)


def parts_by_namespace(
    step: Step, pack: Pack, namespaces: Iterable[str]
) -> tuple[Part, ...]:
    """A part for each first name of the namespaces that the step selects.

    They are in the order of the pack's accessors, which does not depend on what the
    tree holds, so that one more read moves no commit.
    """
    groups: dict[str, set[str]] = {}
    for namespace in namespaces:
        if not step.namespaces or module_matches(step.namespaces, namespace):
            groups.setdefault(namespace.partition(".")[0], set()).add(namespace)
    places: dict[str, int] = {}
    for accessor in pack.accessors:
        root = accessor.root.partition(".")[0]
        line = pack.where("accessors", accessor.root).line
        places[root] = min(line, places.get(root, line))
    ordered = sorted(groups, key=lambda root: (places.get(root, 0), root))
    return tuple(
        Part(replace(step, namespaces=tuple(sorted(groups[root]))), root)
        for root in ordered
    )
