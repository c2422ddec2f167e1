"""The edits that convert the reads of one file, and the clean-up they call for."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence

from codemod.analysis.facts import FileFacts
from codemod.decisions.engine import Decided, accessor_text
from codemod.index.index import Index
from codemod.index.source import Source
from codemod.series.nested import on_the_way
from codemod.series.task import FileTask, PlannedRead


def read_tasks(index: Index, decided: Iterable[Decided]) -> list[FileTask]:
    """A task for each file that has a read to convert, in order of path."""
    by_file: dict[str, list[Decided]] = defaultdict(list)
    for each in decided:
        if each.read.decision == "convert":
            by_file[each.read.file].append(each)
    visible = Visibility(index)
    return [
        _task(index, index.sources[path], by_file[path], visible)
        for path in sorted(by_file)
    ]


def _task(
    index: Index, source: Source, decided: list[Decided], visible: Visibility
) -> FileTask:
    names: dict[tuple[str, str], None] = {}
    reads: list[PlannedRead] = []
    candidates = [each.candidate for each in decided]
    inside = on_the_way(candidates, candidates)
    for each in decided:
        accessor, named = each.accessor, each.named
        assert accessor is not None and named is not None and named.name is not None
        asname = None if named.name == accessor.name else named.name
        reads.append(
            PlannedRead(
                each.candidate,
                accessor_text(accessor, named.name),
                each.path,
                (accessor.module, accessor.name, asname)
                if named.imported and each.candidate not in inside
                else None,
                named.in_function,
            )
        )
        if each.candidate not in inside:
            names[named.name, f"{accessor.module}.{accessor.name}"] = None
    return task_of(index, source, reads, names, visible, "reads")


def task_of(
    index: Index,
    source: Source,
    reads: Sequence[PlannedRead],
    names: Iterable[tuple[str, str]],
    visible: Visibility,
    transform: str,
) -> FileTask:
    """The task of one file that does the planned reads, counted for a transform.

    ``names`` are the names the new code uses, each with the dotted name it must mean.
    """
    facts = index.facts(source.file.path)
    return FileTask(
        source=source,
        reads=tuple(reads),
        facts=facts,
        vocabulary=index.vocabulary,
        names=tuple(names),
        getters=getters_of(index, facts),
        visible=visible.of(
            source, facts, {name for read in reads for name in read.candidate.roots}
        ),
        raised=index.pack.record.unpublished,
        counts=((transform, len(reads)),),
    )


def getters_of(index: Index, facts: FileFacts) -> frozenset[str]:
    """The dotted names by which this file calls a getter of the record."""
    refs = {o[1] for c in facts.candidates for o in c.origins if o[0] == "call"}
    return frozenset(r for r in refs if index.record.getter_status(r) == "yes")


class Visibility:
    """Which module-level names of a file something outside it may see."""

    def __init__(self, index: Index) -> None:
        self._index = index
        self._references: set[str] = set()
        self._patched: set[str] = set()
        self._bare: dict[str, list[Source]] = defaultdict(list)
        for source in index.close_sources():
            facts = index.facts(source.file.path)
            self._references |= facts.references
            for text in facts.patched:
                if "." in text:
                    self._patched.add(text)
                else:
                    self._bare[text].append(source)

    def of(
        self, source: Source, facts: FileFacts, names: Iterable[str]
    ) -> frozenset[str] | None:
        """Those of the names, which edits take values from, that something may see.

        None when all names are visible: an ``__init__`` re-exports.
        """
        if source.file.is_package:
            return None
        module = source.file.module
        return frozenset(
            name for name in names if self._is_visible(name, module, source, facts)
        )

    def _is_visible(
        self, name: str, module: str, source: Source, facts: FileFacts
    ) -> bool:
        if facts.exports is not None and name in facts.exports:
            return True
        full = f"{module}.{name}"
        if full in self._references or full in self._patched:
            return True
        bound = {fact.bound for fact in facts.imports} | facts.definitions
        if name not in bound:
            return False
        tail = module.rpartition(".")[2].encode()
        if any(tail in other.data for other in self._bare.get(name, ())):
            return True
        if name in self._index.vocabulary.words:
            return self._seen_by_star(name, module, frozenset({module}))
        return self._mentioned_elsewhere(name, tail, source)

    def _seen_by_star(self, name: str, module: str, asked: frozenset[str]) -> bool:
        """Whether a module that imports everything from this one may use the name.

        One that never mentions it passes it on only to those that import everything
        from it in turn; a package passes on what it has.
        """
        for importer, imported in self._index.star_imports:
            if imported != module or importer in asked:
                continue
            file = self._index.project.by_module[importer]
            source = self._index.sources.get(file.path)
            if source is None or file.is_package or name.encode() in source.data:
                return True
            if self._seen_by_star(name, importer, asked | {importer}):
                return True
        return False

    def _mentioned_elsewhere(self, name: str, tail: bytes, source: Source) -> bool:
        """Whether another file takes the name from the module, for all one can tell.

        A search of the text: too careful at worst. References to names that are no
        words of the pack are not kept as facts. A file of another package has to name
        the module's package too.
        """
        plain = name.encode()
        taking = _taking(plain, tail)
        package = source.file.module.rpartition(".")[0]
        around = package.rpartition(".")[2].encode()
        return any(
            plain in other.data
            and tail in other.data
            and (
                around in other.data or other.file.module.rpartition(".")[0] == package
            )
            and taking.search(other.data) is not None
            for other in self._index.sources.values()
            if other is not source
        )


def _taking(name: bytes, module: bytes) -> re.Pattern[bytes]:
    """Finds what may take a name from a module, given the last part of its name.

    An import of it, or of everything, from a module of that last name; the name as an
    attribute of anything, or in a dotted string; and the name as a string that is an
    argument, for ``patch.object(module, "name")`` and ``getattr``.
    """
    word, last = re.escape(name), re.escape(module)
    names = rb"(?:\((?:[^()#]|#[^\n]*\n)*|[^\n(]*(?:\\\r?\n[^\n]*)*)"
    return re.compile(
        rb"\bfrom\s+[\w.]*\b%b\s+import\s*%b(?:\b%b\b|\*)" % (last, names, word)
        + rb"|\.\s*%b\b" % word
        + rb"|[(,=]\s*[rRuUbB]?[\"']%b[\"']\s*[,)]" % word
    )
