"""A commit as it is planned, and planned again without what somebody holds back.

Holding a read back must not leave half of something behind: its import, or the writer
of its field. So nothing is cut out of a change; the step is planned again with the read
decided as kept, and the files that come out otherwise are rewritten again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from codemod.model import Problem
from codemod.packs import Pack, PackError
from codemod.packs.errors import Where
from codemod.packs.steps import TRANSFORM_NAMES
from codemod.series.commit import Change, Commit, joined
from codemod.series.messages import message_of
from codemod.series.migrate import FileChange, migrate
from codemod.series.missing import Missing, missing_names
from codemod.series.steps import Part
from codemod.series.task import FileTask, combined
from codemod.series.units import components
from codemod.series.withheld import Withheld
from codemod.transforms.model import KeptSite, StepContext

if TYPE_CHECKING:
    from codemod.api import Analysis, Options
    from codemod.decisions.engine import Decided


@dataclass(frozen=True)
class Draft:
    """A commit with what it was planned from.

    ``reads`` are the reads that it converts. ``together`` are sets of its files that
    change together or not at all. ``missing`` are names that new code imports from
    modules that are nowhere to be found. ``again`` plans the commit anew with more held
    back; the commit may come out empty.
    """

    commit: Commit
    withheld: Withheld
    reads: tuple[Decided, ...]
    tasks: tuple[FileTask, ...]
    again: Callable[[Withheld], Draft]
    together: tuple[frozenset[str], ...] = ()
    missing: tuple[Missing, ...] = ()


@dataclass(frozen=True)
class Setting:
    """What the drafts of one run have in common."""

    pack: Pack
    options: Options
    line_length: int
    jobs: int


def draft_of(
    setting: Setting,
    analysis: Analysis,
    part: Part,
    withheld: Withheld,
    only: frozenset[str] | None = None,
    known: Mapping[str, tuple[FileTask, Change | Problem]] | None = None,
) -> Draft:
    """Plan one commit and rewrite its files in memory.

    ``only`` are the files of this part of a step that is cut by files; ``known`` the
    rewritten files of an earlier draft, which are taken over where nothing changed.
    """
    planned = _planned(setting, analysis, part, withheld)
    kept, findings = list(planned.kept), list(planned.findings)
    tasks = [t for t in planned.tasks if only is None or t.source.file.path in only]
    if only is not None:
        kept = [site for site in kept if site.file in only]
        findings = [site for site in findings if site.file in only]
    made = _rewritten(setting, tasks, known or {})
    changes = [c for _, c in made.values() if isinstance(c, Change)]
    problems = [p for _, p in made.values() if isinstance(p, Problem)]
    together = planned.together
    if only is None and "cleanup" in part.step.transforms:
        changes, more = _cleaned_up(setting, analysis, part, withheld, changes)
        together = components((*together, *more))
    lost = _lost(problems, planned.together, withheld)
    if lost:
        # What has to change together with a file that was rolled back stays too.
        draft = draft_of(setting, analysis, part, withheld.plus(files=lost), only, made)
        failed = [p for p in problems if p.file in lost]
        commit = replace(
            draft.commit,
            problems=tuple(sorted([*failed, *draft.commit.problems], key=_place)),
        )
        return replace(draft, commit=commit)
    anchors = {
        (task.source.file.path, read.candidate.anchor)
        for task in tasks
        for read in task.reads
    }
    reads = tuple(
        each
        for each in planned.decided
        if each.read.decision == "convert"
        and (each.read.file, each.candidate.anchor) in anchors
    )
    namespaces = {each.read.namespace or "" for each in reads} - {""}
    commit = Commit(
        step=part.step.name,
        part=part.name,
        message=message_of(part.step, part.name, changes, kept, namespaces),
        changes=tuple(changes),
        kept=tuple(kept),
        findings=tuple(findings),
        problems=tuple(problems),
    )
    return Draft(
        commit,
        withheld,
        reads,
        tuple(tasks),
        lambda more: draft_of(setting, analysis, part, more, only, made),
        together,
        tuple(missing_names(analysis, tasks)),
    )


def _cleaned_up(
    setting: Setting,
    analysis: Analysis,
    part: Part,
    withheld: Withheld,
    changes: list[Change],
) -> tuple[list[Change], list[frozenset[str]]]:
    """The changes, and what the clean-up finds when it looks at their result.

    An import that went in one file may have been the last to need one in another; the
    second value says which files so hang together.
    """
    from codemod.api import analyse_again

    alone = replace(part, step=replace(part.step, transforms=("cleanup",)))
    # Anchors are those of the text before: a file in which something was refused has
    # had its turn.
    refused = {path for path, _ in withheld.edits}
    held = Withheld(files=withheld.files, outside=withheld.outside | refused)
    whole = {change.path: change for change in changes}
    together: list[frozenset[str]] = []
    while changes:
        after = {c.path: c.after for c in changes if c.after is not None}
        analysis = analyse_again(analysis, setting.options, after)
        tasks = list(_planned(setting, analysis, alone, held).tasks)
        made = _rewritten(setting, tasks, {})
        changes = [c for _, c in made.values() if isinstance(c, Change)]
        for change in changes:
            module = analysis.index.project.by_path[change.path].module
            tail = module.rpartition(".")[2].encode()
            users = {p for p, c in whole.items() if c.before and tail in c.before}
            together.append(frozenset({change.path, *users}))
        for change in changes:
            before = whole.get(change.path)
            whole[change.path] = change if before is None else joined(before, change)
    found = [whole[path] for path in sorted(whole) if whole[path].is_one]
    return found, together


def _place(problem: Problem) -> tuple[str, int]:
    return problem.file, problem.line


def _lost(
    problems: Iterable[Problem],
    together: Iterable[frozenset[str]],
    withheld: Withheld,
) -> dict[str, KeptSite]:
    """The files that were rolled back and that others have to change together with."""
    bound = frozenset().union(*together)
    return {
        problem.file: KeptSite(
            problem.file,
            problem.line,
            1,
            "",
            "",
            "the whole file",
            "rolled-back",
            problem.message,
        )
        for problem in problems
        if problem.file in bound and problem.file not in withheld.files
    }


def planned_files(
    setting: Setting, analysis: Analysis, part: Part, withheld: Withheld
) -> list[tuple[str, ...]]:
    """The files that a step would change, in order of path.

    Those that have to change in one commit, for a field is written in one and read in
    the other, come together, where the first of them stands.
    """
    planned = _planned(setting, analysis, part, withheld)
    paths = [task.source.file.path for task in planned.tasks]
    group_of = {path: group for group in planned.together for path in group}
    groups: dict[tuple[str, ...], None] = {}
    for path in paths:
        group = group_of.get(path, frozenset({path}))
        groups[tuple(other for other in paths if other in group)] = None
    return list(groups)


@dataclass(frozen=True)
class _Planned:
    tasks: tuple[FileTask, ...]
    kept: tuple[KeptSite, ...]
    findings: tuple[KeptSite, ...]
    decided: tuple[Decided, ...]
    together: tuple[frozenset[str], ...] = ()


def _planned(
    setting: Setting, analysis: Analysis, part: Part, withheld: Withheld
) -> _Planned:
    from codemod.transforms import TRANSFORMS

    decided = tuple(_held_back(each, withheld) for each in analysis.decided)
    context = StepContext(
        analysis.index,
        setting.pack,
        analysis.routes,
        decided,
        part.step,
        setting.options,
        frozenset(withheld.files),
        withheld.outside,
        frozenset({*withheld.reads, *withheld.edits}),
    )
    together: list[frozenset[str]] = []
    tasks: list[FileTask] = []
    kept: dict[KeptSite, None] = {}
    findings: dict[KeptSite, None] = {}
    for name in TRANSFORM_NAMES:
        if name not in part.step.transforms:
            continue
        transform = TRANSFORMS.get(name)
        if transform is None:
            raise PackError.at(Where("step", 0, name), "there is no such transform")
        plan = transform.tasks(context)
        tasks += plan.tasks
        together += plan.together
        kept |= dict.fromkeys(plan.kept)
        findings |= dict.fromkeys(plan.findings)
        if name == "reads":
            kept |= dict.fromkeys(_kept_reads(context, decided, plan.kept))
    touched = {task.source.file.path for task in tasks} | {
        each.read.file
        for each in analysis.decided
        if each.read.decision == "convert"
        and context.selects(each.read.module, each.read.field)
    }
    touched |= withheld.named
    kept |= {site: None for path, site in withheld.files.items() if path in touched}
    left = withheld.files.keys() | withheld.outside
    whole = combined(t for t in tasks if t.source.file.path not in left)
    return _Planned(
        tuple(whole),
        tuple(sorted(site for site in kept if site.file not in withheld.outside)),
        tuple(sorted(site for site in findings if site.file not in withheld.outside)),
        decided,
        components(together),
    )


def _kept_reads(
    context: StepContext, decided: Iterable[Decided], named: Iterable[KeptSite]
) -> list[KeptSite]:
    """The reads of the selection that stay, unless the transform names them itself."""
    there = {(site.file, site.line, site.column) for site in named}
    return [
        KeptSite(
            read.file,
            read.line,
            read.column,
            read.function,
            "reads",
            read.text,
            read.reason or "",
            read.why or "",
        )
        for read in (each.read for each in decided)
        if read.decision == "keep"
        and (read.file, read.line, read.column) not in there
        and context.selects(read.module, read.field)
        and (read.namespace is not None or not context.step.namespaces)
    ]


def _held_back(decided: Decided, withheld: Withheld) -> Decided:
    read = decided.read
    if read.decision != "convert":
        return decided
    site = withheld.files.get(read.file)
    if site is not None:
        reason, why = site.reason, site.why
    elif (read.file, read.line, read.column) in withheld.reads:
        reason, why = "refused", withheld.reads[read.file, read.line, read.column]
    elif (read.file, read.function, read.text) in withheld.later:
        reason, why = "refused", "Refused in an earlier commit of the series."
    else:
        return decided
    kept = replace(read, decision="keep", reason=reason, why=why, replacement=None)
    return replace(decided, read=kept, accessor=None, path=(), named=None)


def _rewritten(
    setting: Setting,
    tasks: list[FileTask],
    known: Mapping[str, tuple[FileTask, Change | Problem]],
) -> dict[str, tuple[FileTask, Change | Problem]]:
    """Each task's outcome by path, made anew only where the task is another."""
    found: dict[str, tuple[FileTask, Change | Problem]] = {}
    missing: list[FileTask] = []
    for task in tasks:
        path = task.source.file.path
        before = known.get(path)
        if before is not None and before[0] == task:
            found[path] = before
        else:
            missing.append(task)
    changes, failed = migrate(
        missing, setting.line_length, setting.jobs, setting.options.progress
    )
    by_path = {task.source.file.path: task for task in missing}
    for change in changes:
        found[change.path] = by_path[change.path], _change(change)
    for problem in failed:
        found[problem.file] = by_path[problem.file], problem
    return {path: found[path] for path in sorted(found)}


def _change(change: FileChange) -> Change:
    counts = dict(change.counts)
    if change.reads:
        counts = {"reads": change.reads, **counts}
    return Change(
        change.path, change.before, change.after, tuple(counts.items()), change.notes
    )
