"""The edits that convert the reads of one file, and the clean-up they call for."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from codemod.analysis.dead import DeadQuestion
from codemod.analysis.facts import FileFacts
from codemod.analysis.vocabulary import Vocabulary
from codemod.decisions.engine import Decided, accessor_text
from codemod.index.build import Source
from codemod.index.index import Index
from codemod.model import Anchor
from codemod.plan import AddImport, Edit, ReadEdit


@dataclass(frozen=True, slots=True)
class FileTask:
    """One file to rewrite, with all that a worker process needs to do and check it.

    ``names`` are the names the new code uses, each with the dotted name it must mean.
    """

    source: Source
    edits: tuple[Edit, ...]
    question: DeadQuestion
    vocabulary: Vocabulary
    facts: FileFacts
    names: tuple[tuple[str, str], ...]


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
    facts = index.facts(source.file.path)
    edits: list[Edit] = []
    imports: dict[AddImport, None] = {}
    names: dict[tuple[str, str], None] = {}
    for each in decided:
        accessor, named = each.accessor, each.named
        assert accessor is not None and named is not None and named.name is not None
        kind, ordinal = each.candidate.anchor
        edits.append(
            ReadEdit(
                anchor=Anchor(kind, ordinal),  # type: ignore[arg-type]
                via=each.read.via,
                field=each.read.field,
                accessor=accessor_text(accessor, named.name),
                path=each.path,
            )
        )
        names[named.name, f"{accessor.module}.{accessor.name}"] = None
        if named.imported:
            asname = None if named.name == accessor.name else named.name
            function = (
                None if named.function is None else Anchor("function", named.function)
            )
            imports[AddImport(accessor.module, accessor.name, asname, function)] = None
    question = DeadQuestion(
        converted=frozenset(each.candidate.anchor for each in decided),
        getters=_getters(index, facts),
        visible=visible.of(source, facts),
        used=frozenset(name for name, _ in names),
        raised=index.pack.record.unpublished,
    )
    return FileTask(
        source=source,
        edits=(*edits, *imports),
        question=question,
        vocabulary=index.vocabulary,
        facts=facts,
        names=tuple(names),
    )


def _getters(index: Index, facts: FileFacts) -> frozenset[str]:
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

    def of(self, source: Source, facts: FileFacts) -> frozenset[str] | None:
        """The visible names, or None when all are: an ``__init__`` re-exports."""
        if source.file.is_package:
            return None
        module = source.file.module
        candidates = {fact.bound for fact in facts.imports} | set(facts.definitions)
        return frozenset(
            name
            for name in candidates
            if name and self._is_visible(name, module, source, facts)
        )

    def _is_visible(
        self, name: str, module: str, source: Source, facts: FileFacts
    ) -> bool:
        if facts.exports is not None and name in facts.exports:
            return True
        full = f"{module}.{name}"
        if full in self._references or full in self._patched:
            return True
        tail = module.rpartition(".")[2].encode()
        if any(tail in other.data for other in self._bare.get(name, ())):
            return True
        if name in self._index.vocabulary.words:
            return self._star_imported(module)
        return self._mentioned_elsewhere(name, tail, source)

    def _star_imported(self, module: str) -> bool:
        return module in self._index.star_imported

    def _mentioned_elsewhere(self, name: str, tail: bytes, source: Source) -> bool:
        """Whether another file mentions both the name and the module's own name.

        A plain search: too careful at worst. References to names that are no words of
        the pack are not kept as facts.
        """
        word = re.compile(rb"\b" + re.escape(name.encode()) + rb"\b")
        return any(
            tail in other.data and word.search(other.data)
            for other in self._index.sources.values()
            if other is not source
        )
