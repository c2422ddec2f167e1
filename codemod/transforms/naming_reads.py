"""Reads of the record that become the call of a function with a name of its own."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from codemod.decisions.engine import Decided
from codemod.decisions.naming import FileNaming
from codemod.series.reads import Visibility, task_of
from codemod.series.task import FileTask, PlannedRead
from codemod.transforms.model import KeptSite, StepContext
from codemod.transforms.planning import kept_site, target_of


@dataclass(frozen=True, slots=True)
class NamedRead:
    """A read, the function of the pack (``module:name``) that replaces it, and whether
    the function is called in its place (else the read is what is called already)."""

    decided: Decided
    call: str
    called: bool


def named_tasks(
    context: StepContext, reads: Iterable[NamedRead], transform: str
) -> tuple[list[FileTask], list[KeptSite]]:
    """A task for each file, and the reads for which no name is free."""
    by_file: dict[str, list[NamedRead]] = defaultdict(list)
    for each in reads:
        by_file[each.decided.read.file].append(each)
    visible = Visibility(context.index)
    tasks: list[FileTask] = []
    kept: list[KeptSite] = []
    for path in sorted(by_file):
        source = context.index.sources[path]
        planned, names = _planned(context, by_file[path], kept, transform)
        if planned:
            tasks.append(
                task_of(context.index, source, planned, names, visible, transform)
            )
    return tasks, kept


def _planned(
    context: StepContext, reads: list[NamedRead], kept: list[KeptSite], transform: str
) -> tuple[list[PlannedRead], list[tuple[str, str]]]:
    source = context.index.sources[reads[0].decided.read.file]
    naming = FileNaming(context.index, source.file)
    by_call: dict[str, list[NamedRead]] = defaultdict(list)
    for each in reads:
        by_call[each.call].append(each)
    planned: list[PlannedRead] = []
    names: dict[tuple[str, str], None] = {}
    for call, group in by_call.items():
        accessor = target_of(call)
        chosen = naming.choose(accessor, [each.decided.candidate for each in group])
        for each in group:
            candidate = each.decided.candidate
            named = chosen[candidate]
            if named.name is None:
                why = ("name-taken", named.problem)
                site = kept_site(source, candidate, transform, candidate.text, why)
                kept.append(site)
                continue
            asname = None if named.name == accessor.name else named.name
            imported = (accessor.module, accessor.name, asname)
            planned.append(
                PlannedRead(
                    candidate,
                    "",
                    (),
                    imported if named.imported else None,
                    named.in_function,
                    f"{named.name}()" if each.called else named.name,
                )
            )
            names[named.name, f"{accessor.module}.{accessor.name}"] = None
    return planned, list(names)
