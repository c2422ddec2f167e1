"""The series: each step planned on the tree as the steps before have left it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from codemod.packs import Pack, PackError, Step
from codemod.packs.errors import Where, did_you_mean
from codemod.series.commit import Change, Commit, Skipped
from codemod.series.draft import Draft, Setting, draft_of, planned_files
from codemod.series.steps import Part, parts_by_namespace
from codemod.series.withheld import Withheld
from codemod.transforms.model import KeptSite

if TYPE_CHECKING:
    from codemod.api import Analysis, Options

Review = Callable[[Draft], Draft]


class Workspace(Protocol):
    """A folder with the whole tree as the last commit left it; see ``delivery``.

    It is made when its ``root`` is first asked for.
    """

    @property
    def root(self) -> Path:
        """Where the project's root is in it."""

    def apply(self, changes: Sequence[Change]) -> None:
        """Make the files what they are after a commit."""

    def captured(self, work: Callable[[], None]) -> tuple[Change, ...]:
        """What some work changes in the folder, which is then as it was before."""


@dataclass(frozen=True)
class SeriesOptions:
    """How a series is run.

    ``reviews`` see each draft in turn and may hand back another one with less in it.
    ``parts`` are the parts of steps to run, ``reads/exec``; empty for all.
    ``fixed`` are files that no commit may change, each with the reason. ``workspace``
    is the folder in which external steps run. ``done`` are the first items of the
    series, as an earlier run has settled them: they are neither planned nor reviewed.
    """

    reviews: tuple[Review, ...] = ()
    parts: tuple[str, ...] = ()
    fixed: Mapping[str, KeptSite] = field(default_factory=dict)
    workspace: Workspace | None = None
    done: tuple[Commit | Skipped, ...] = ()


def run_series(
    root: Path,
    pack: Pack,
    options: Options,
    steps: Sequence[Step],
    how: SeriesOptions | None = None,
    first: Analysis | None = None,
) -> Iterator[Commit | Skipped]:
    """The commits of the steps in order; a step or part that is empty is skipped.

    ``first`` is the analysis of the tree before the first step, if there is one
    already. Nothing is written but to the workspace. Raises as ``codemod.api.analyse``
    does.
    """
    return _Runner(root, pack, options, how or SeriesOptions(), first).run(steps)


class _Runner:
    """The tree between two steps: as it was analysed last, and what changed since."""

    def __init__(
        self,
        root: Path,
        pack: Pack,
        options: Options,
        how: SeriesOptions,
        first: Analysis | None,
    ) -> None:
        from codemod.decisions.engine import decide
        from codemod.index.pool import default_jobs
        from codemod.rewrite import style_for

        self._root = root
        self._how = how
        self._changed: dict[str, bytes] = {}
        self._only = options.only
        # Whoever narrows a run still wants no writer torn from its readers elsewhere:
        # every read is decided on, and files that were not asked for stay.
        options = replace(options, only=())
        if first is not None and self._only:
            decided = tuple(decide(first.index, pack, first.routes))
            first = replace(first, decided=decided)
        self._analysis = first
        self._refused: frozenset[tuple[str, str, str]] = frozenset()
        self._done = list(self._how.done)
        self._accepted = 0
        jobs = options.jobs or default_jobs()
        self._setting = Setting(pack, options, style_for(root).line_length, jobs)

    def run(self, steps: Sequence[Step]) -> Iterator[Commit | Skipped]:
        for step in steps:
            if step.external is not None:
                yield self._external(step)
                continue
            wanted = [p for p in self._how.parts if p.startswith(f"{step.name}/")]
            if step.name in self._how.parts:
                wanted = []
            names = []
            for part, only in self._parts(step):
                names.append(f"{step.name}/{part.name}")
                if wanted and names[-1] not in wanted:
                    continue
                yield self._again(step.name, part.name) or self._settled(
                    draft_of(
                        self._setting, self._analysed(), part, self._withheld(), only
                    )
                )
            for name in wanted:
                if name not in names:
                    hint = did_you_mean(name, names)
                    problem = f"there is no such part of the step{hint}"
                    raise PackError.at(Where("--step", 0, name), problem)

    def _parts(self, step: Step) -> Iterator[tuple[Part, frozenset[str] | None]]:
        """The parts of a step, each with the files it is limited to, if it is."""
        if step.split is None:
            yield Part(step), None
            return
        analysis = self._analysed()
        if step.split == "namespace":
            named = {n for n in analysis.routes.fields.values() if n is not None}
            parts = parts_by_namespace(step, self._setting.pack, named)
            yield from ((part, None) for part in parts or (Part(step),))
            return
        number = 0
        while True:
            analysis, before = self._analysed(), self._accepted
            groups = planned_files(
                self._setting, analysis, Part(step), self._withheld()
            )
            if not number and not groups:
                yield Part(step), None
            for batch in _batches(groups, step.split):
                number += 1
                first = analysis.index.project.by_path[min(batch)].module
                name = first if step.split == "module" else str(number)
                yield Part(step, name), batch
            if "cleanup" not in step.transforms or self._accepted == before:
                return
            # What the clean-up takes out of one file may free more in another.
            step = replace(step, transforms=("cleanup",))

    def _withheld(self) -> Withheld:
        return Withheld(
            files=self._how.fixed, later=self._refused, outside=self._outside()
        )

    def _outside(self) -> frozenset[str]:
        """The files that the run is not about."""
        from codemod.api import is_wanted

        if not self._only:
            return frozenset()
        return frozenset(
            file.path
            for file in self._analysed().index.project.files
            if not is_wanted(file.path, file.module, self._only)
        )

    def _analysed(self) -> Analysis:
        from codemod.api import analyse, analyse_again

        options = self._setting.options
        if self._analysis is None:
            self._analysis = analyse(self._root, self._setting.pack, options)
        elif self._changed:
            self._analysis = analyse_again(self._analysis, options, self._changed)
        self._changed = {}
        return self._analysis

    def _settled(self, draft: Draft) -> Commit | Skipped:
        """The commit after every review, or what to say when nothing is left of it."""
        for review in self._how.reviews:
            if draft.commit.changes:
                draft = review(draft)
        commit = draft.commit
        if not commit.changes:
            stay = len(commit.kept)
            why = f"nothing to do, {stay} stay" if stay else "nothing to do"
            return Skipped(
                commit.step,
                commit.part,
                why,
                commit.kept,
                commit.findings,
                commit.problems,
            )
        self._accept(commit)
        return commit

    def _again(self, step: str, part: str) -> Commit | Skipped | None:
        """What an earlier run has made of this part; None when it did not get there."""
        if not self._done:
            return None
        item = self._done.pop(0)
        if (item.step, item.part) != (step, part):
            raise ValueError(f"{item.name} was settled, and {step}/{part} comes now")
        if isinstance(item, Commit):
            self._accept(item)
        return item

    def _accept(self, commit: Commit) -> None:
        self._accepted += 1
        self._refused |= {
            (site.file, site.function, site.text)
            for site in commit.kept
            if site.reason == "refused"
        }
        self._advance(commit.changes)

    def _advance(self, changes: Sequence[Change]) -> None:
        workspace = self._how.workspace
        if workspace is not None:
            workspace.apply(changes)
        for change in changes:
            if change.after is not None:
                self._changed[change.path] = change.after

    def _external(self, step: Step) -> Commit | Skipped:
        from codemod.series.external import external_draft

        workspace = self._how.workspace
        if workspace is None:
            raise ValueError(f"the step {step.name} needs a workspace to run in")
        item = self._again(step.name, "") or self._settled(
            external_draft(step, workspace, self._withheld(), self._only)
        )
        if isinstance(item, Commit):
            # It may have added or removed files, or changed where fields go: from here
            # on the folder is what is analysed.
            self._root, self._analysis, self._changed = workspace.root, None, {}
            options = replace(self._setting.options, cache=False)
            self._setting = replace(self._setting, options=options)
        return item


def _batches(
    groups: Iterable[tuple[str, ...]], split: int | str
) -> Iterator[frozenset[str]]:
    """The files in commits of at most so many, but for groups that are larger.

    Of any other split than a number each group is a batch.
    """
    batch: list[str] = []
    for group in groups:
        full = not isinstance(split, int) or len(batch) + len(group) > split
        if batch and full:
            yield frozenset(batch)
            batch = []
        batch += group
    if batch:
        yield frozenset(batch)
