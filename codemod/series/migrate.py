"""Rewrites files by their tasks: each alone, checked, rolled back whole if wrong."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator, Sequence
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from codemod.analysis.dead import dead_edits
from codemod.index.build import Progress
from codemod.index.limits import LimitError, limited
from codemod.index.pool import each_alone, worker_pool
from codemod.model import Problem
from codemod.plan import AddImport, Edit, FilePlan
from codemod.project.text import decode, encode
from codemod.series.task import FileTask, PlanError, file_edits

if TYPE_CHECKING:
    from codemod.rewrite import Style


@dataclass(frozen=True, slots=True)
class FileChange:
    """A file as it was and as it becomes.

    ``reads`` counts the converted ones, ``counts`` what each transform changed.
    """

    path: str
    before: bytes
    after: bytes
    reads: int
    notes: tuple[str, ...] = ()
    counts: tuple[tuple[str, int], ...] = ()


#: Below this many files a process pool costs more than it saves.
_POOL_FILES = 4


def migrate(
    tasks: Sequence[FileTask],
    line_length: int,
    jobs: int,
    progress: Progress | None = None,
) -> tuple[list[FileChange], list[Problem]]:
    """Rewrite every file of the tasks; the changes, and the files rolled back."""
    changes: list[FileChange] = []
    failed: list[Problem] = []
    for done, result in enumerate(_results(tasks, line_length, jobs), 1):
        if isinstance(result, Problem):
            failed.append(result)
        elif result.after != result.before:
            changes.append(result)
        if progress is not None:
            progress(done, len(tasks))
    changes.sort(key=lambda change: change.path)
    failed.sort(key=lambda problem: (problem.file, problem.line))
    return changes, failed


def _results(
    tasks: Sequence[FileTask], line_length: int, jobs: int
) -> Iterator[FileChange | Problem]:
    if jobs <= 1 or len(tasks) < _POOL_FILES:
        for task in tasks:
            yield migrate_file(task, line_length)
        return
    from concurrent.futures import as_completed

    # Loaded before the fork, so that every worker shares it.
    import codemod.rewrite.rewriting  # noqa: F401

    ordered = sorted(tasks, key=lambda task: -len(task.source.data))
    lost: list[FileTask] = []
    with worker_pool(jobs) as pool:
        futures = {pool.submit(migrate_file, t, line_length): t for t in ordered}
        for future in as_completed(futures):
            try:
                yield future.result()
            except BrokenProcessPool:
                lost.append(futures[future])
    for task, result in each_alone(
        lost, partial(migrate_file, line_length=line_length)
    ):
        message = "a worker process died while it rewrote this file"
        yield result or Problem(task.source.file.path, 1, message)


def migrate_file(task: FileTask, line_length: int) -> FileChange | Problem:
    """Rewrite one file in memory and check it; a problem means: left as it was."""
    try:
        with limited(len(task.source.data)):
            return _migrated(task, line_length)
    except LimitError as error:
        return Problem(task.source.file.path, 1, f"rolled back: the rewrite {error}")


def _migrated(task: FileTask, line_length: int) -> FileChange | Problem:
    from codemod.rewrite import RewriteError, Style, rewrite
    from codemod.verify.reread import problems_of

    file = task.source.file
    if task.whole is not None:
        whole, before = task.whole, task.source.data
        return FileChange(
            file.path, before, whole.data, 0, whole.notes, counts=task.counts
        )
    text = decode(task.source.data, file.path)
    if isinstance(text, Problem):
        return text
    try:
        planned = file_edits(task, text.text)
    except PlanError as error:
        return Problem(file.path, 1, f"rolled back: {error}")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tree = ast.parse(text.text)
    dead = dead_edits(
        tree, file.module, file.is_package, task.vocabulary, planned.question
    )
    del tree
    edits = (*planned.edits, *dead)
    plan = FilePlan(file.path, file.module, file.is_package, edits)
    try:
        style = Style(line_length=line_length)
        rewritten = rewrite(text.text, plan, style)
        cleaned = _without_emptied_blocks(text.text, rewritten.text, plan, style)
        after = encode(cleaned, text)
    except RewriteError as error:
        return Problem(file.path, error.line, f"rolled back: {error.message}")
    except (UnicodeEncodeError, RecursionError) as error:
        return Problem(file.path, 1, f"rolled back: {error}")
    wrong = problems_of(task, planned, dead, cleaned)
    if wrong:
        return Problem(file.path, 1, f"rolled back: {'; '.join(wrong[:3])}")
    return FileChange(
        file.path,
        task.source.data,
        after,
        len(task.reads),
        rewritten.notes,
        _counted(task, dead),
    )


def _without_emptied_blocks(
    before: str, after: str, plan: FilePlan, style: Style
) -> str:
    """``after`` without blocks for the type checker that a dead import has emptied."""
    if "TYPE_CHECKING" not in after or after == before:
        return after
    from codemod.hoist.typing_blocks import without_emptied_blocks

    where = plan.path, plan.module, plan.is_package
    return without_emptied_blocks(before, after, *where, style)


def _counted(task: FileTask, dead: Sequence[Edit]) -> tuple[tuple[str, int], ...]:
    """The task's counts, with the unread bindings that could go."""
    if not task.unread:
        return task.counts
    places = {(kind, ordinal) for _, kind, ordinal in task.unread}
    anchors = [edit.anchor for edit in dead if not isinstance(edit, AddImport)]
    gone = sum((a.kind, a.ordinal) in places for a in anchors if a is not None)
    counts = dict(task.counts)
    return tuple({**counts, "cleanup": counts.get("cleanup", 0) + gone}.items())
