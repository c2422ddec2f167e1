"""What is to be done to one file: reads to convert, edits of other transforms.

A task is all that a worker process needs. Tasks of several transforms on one file are
put together with ``combined``, so that a read and the write it must not lose sight of
change in one commit.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from codemod.analysis.dead import DeadQuestion
from codemod.analysis.facts import Candidate, FileFacts
from codemod.analysis.summarise import summarise
from codemod.analysis.vocabulary import Vocabulary
from codemod.index.source import Source
from codemod.model import Anchor
from codemod.plan import AddImport, Edit, ReadEdit, ReplaceExpression


@dataclass(frozen=True, slots=True)
class PlannedRead:
    """One read to convert: what it becomes, and the import that this needs.

    ``imported`` is ``(module, name, as name)`` or None when the accessor is in reach;
    ``in_function`` puts the import into the ``def`` around the read. ``text`` is given
    when the whole read becomes other source text, such as the call of a named accessor;
    then ``accessor`` and ``path`` say nothing.
    """

    candidate: Candidate
    accessor: str
    path: tuple[str, ...]
    imported: tuple[str, str, str | None] | None
    in_function: bool
    text: str | None = None


@dataclass(frozen=True, slots=True)
class WholeText:
    """The new content of a file, and what there is to say about it."""

    data: bytes
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FileTask:
    """One file to rewrite, with all that a worker process needs to do and check it.

    ``names`` are the names the new code uses, each with the dotted name it must mean;
    ``getters`` the dotted names whose call has no effect; ``visible`` the module-level
    names that something outside the file may see, None for all of them; ``raised``
    what an unpublished record raises.

    ``reads`` come from a scan, and their anchors are found again in the whole text.
    ``edits`` are those of other transforms: their anchors are of the whole text, for
    which a transform walks it (``codemod.analysis``, ``whole=True``). ``counts`` is how
    many things each transform changes here, by its name. ``unread`` are bindings to
    take away as in ``DeadQuestion``; those that can go are counted where they go, as
    ``cleanup``. ``spelled`` is as in ``DeadQuestion``. ``whole`` is a text made and
    checked elsewhere, without any edits.
    """

    source: Source
    facts: FileFacts
    vocabulary: Vocabulary
    reads: tuple[PlannedRead, ...] = ()
    names: tuple[tuple[str, str], ...] = ()
    getters: frozenset[str] = frozenset()
    visible: frozenset[str] | None = frozenset()
    raised: str | None = None
    edits: tuple[Edit, ...] = ()
    counts: tuple[tuple[str, int], ...] = ()
    unread: frozenset[tuple[str, str, int]] = frozenset()
    spelled: frozenset[str] = frozenset()
    whole: WholeText | None = None


@dataclass(frozen=True, slots=True)
class FileEdits:
    """A task's edits with anchors of the whole file, and what is found dead by them."""

    edits: tuple[Edit, ...]
    question: DeadQuestion
    facts: FileFacts


class PlanError(Exception):
    """A file's facts do not fit its text; the message says where."""


def combined(tasks: Iterable[FileTask]) -> list[FileTask]:
    """One task for each file that does what all tasks on it do, in order of path."""
    by_file: dict[str, list[FileTask]] = defaultdict(list)
    for task in tasks:
        by_file[task.source.file.path].append(task)
    return [_combined(by_file[path]) for path in sorted(by_file)]


def _combined(tasks: list[FileTask]) -> FileTask:
    first = tasks[0]
    if len(tasks) == 1:
        return first
    counts: Counter[str] = Counter()
    for task in tasks:
        counts.update(dict(task.counts))
    visible: frozenset[str] | None = frozenset()
    for task in tasks:
        if task.visible is None or visible is None:
            visible = None
        else:
            visible |= task.visible
    return FileTask(
        source=first.source,
        facts=max((task.facts for task in tasks), key=lambda facts: facts.close),
        vocabulary=first.vocabulary,
        reads=tuple(read for task in tasks for read in task.reads),
        names=tuple(dict.fromkeys(name for task in tasks for name in task.names)),
        getters=frozenset().union(*(task.getters for task in tasks)),
        visible=visible,
        raised=next((task.raised for task in tasks if task.raised), None),
        edits=tuple(dict.fromkeys(edit for task in tasks for edit in task.edits)),
        counts=tuple(counts.items()),
        unread=frozenset().union(*(task.unread for task in tasks)),
        spelled=frozenset().union(*(task.spelled for task in tasks)),
    )


def file_edits(task: FileTask, text: str) -> FileEdits:
    """The edits of a task, anchored in the whole text.

    A scan walks only what mentions a word, so its ordinals are its own; the whole file
    is walked here, and both walks must have found the same reads. Raises ``PlanError``
    when they have not.
    """
    file = task.source.file
    whole = summarise(
        text, file.module, file.is_package, task.vocabulary, close=True, whole=True
    )
    by_scan: dict[tuple[str, int], Candidate] = {}
    if task.reads:
        by_scan = _by_scan(task.facts, whole)
    edits: list[Edit] = []
    imports: dict[AddImport, None] = {}
    for read in task.reads:
        found = by_scan[read.candidate.anchor]
        anchor = Anchor(*found.anchor)  # type: ignore[arg-type]
        if read.text is not None:
            edits.append(ReplaceExpression(anchor, read.text))
        else:
            edits.append(
                ReadEdit(
                    anchor=anchor,
                    via=found.via,  # type: ignore[arg-type]
                    field=found.field,
                    accessor=read.accessor,
                    path=read.path,
                )
            )
        if read.imported is not None:
            module, name, asname = read.imported
            function = None
            if read.in_function:
                function = Anchor("function", found.functions[-1])
            imports[AddImport(module, name, asname, function)] = None
    for edit in task.edits:
        if isinstance(edit, AddImport):
            imports[edit] = None
        else:
            edits.append(edit)
    question = DeadQuestion(
        converted=frozenset(by_scan[r.candidate.anchor].anchor for r in task.reads),
        getters=task.getters,
        visible=task.visible,
        used=frozenset(name for name, _ in task.names),
        raised=task.raised,
        edits=task.edits,
        unread=task.unread,
        spelled=task.spelled,
    )
    return FileEdits((*edits, *imports), question, whole)


def _by_scan(scan: FileFacts, whole: FileFacts) -> dict[tuple[str, int], Candidate]:
    """The candidates of the whole walk by the anchors that the scan gave them.

    The whole walk may see more: a word that was found to mean the record in files that
    this one has nothing to do with, after this one was scanned.
    """
    found: dict[tuple[str, int], Candidate] = {}
    candidates = iter(whole.candidates)
    for scanned in scan.candidates:
        there = next((c for c in candidates if place(c) == place(scanned)), None)
        if there is None:
            raise PlanError(f"line {scanned.line}: the read {scanned.text} moved")
        found[scanned.anchor] = there
    return found


def place(candidate: Candidate) -> tuple[int, int, int, str]:
    """Where a candidate stands, and its field: the same in every walk over a text."""
    return candidate.line, candidate.column, candidate.end_line, candidate.field
