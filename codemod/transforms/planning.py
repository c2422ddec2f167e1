"""Planning the edits of one file: names that new code uses, and their imports."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from codemod.analysis.facts import Candidate, FileFacts
from codemod.decisions.naming import FileNaming, Named
from codemod.index.index import Index
from codemod.index.source import Source
from codemod.model import Anchor
from codemod.packs import Accessor
from codemod.plan import AddImport, Edit
from codemod.series.reads import Visibility, getters_of
from codemod.series.task import FileTask
from codemod.transforms.model import KeptSite


class FilePlanner:
    """Collects the edits of one transform on one file."""

    def __init__(
        self, index: Index, source: Source, facts: FileFacts | None = None
    ) -> None:
        self._index = index
        self._source = source
        self._naming = FileNaming(index, source.file, facts)
        self._edits: dict[Edit, None] = {}
        self._names: dict[tuple[str, str], None] = {}
        self._roots: set[str] = set()
        self._counts: Counter[str] = Counter()

    def choose(
        self, accessor: Accessor, candidates: Iterable[Candidate]
    ) -> dict[Candidate, Named]:
        """How each place reaches an accessor; a name of None says that it cannot."""
        return self._naming.choose(accessor, list(candidates))

    def edit(
        self, transform: str, edit: Edit, candidate: Candidate, count: int = 1
    ) -> None:
        """Add an edit that takes away a place where the record is used."""
        self._edits[edit] = None
        self._roots.update(candidate.roots)
        self._counts[transform] += count

    def use(self, accessor: Accessor, named: Named, candidate: Candidate) -> None:
        """Note that new code at a place uses an accessor by the chosen name."""
        assert named.name is not None
        self._names[named.name, f"{accessor.module}.{accessor.name}"] = None
        if not named.imported:
            return
        function = None
        if named.in_function:
            function = Anchor("function", candidate.functions[-1])
        asname = None if named.name == accessor.name else named.name
        added = AddImport(accessor.module, accessor.name, asname, function)
        self._edits[added] = None

    def task(self, visibility: Visibility) -> FileTask | None:
        """The task, None when there is nothing to do."""
        if not self._counts:
            return None
        facts = self._index.facts(self._source.file.path)
        return self.task_with(visibility.of(self._source, facts, self._roots))

    def task_with(self, visible: frozenset[str] | None) -> FileTask | None:
        """As ``task``, with the names that something outside the file may see."""
        if not self._counts:
            return None
        facts = self._index.facts(self._source.file.path)
        return FileTask(
            source=self._source,
            facts=facts,
            vocabulary=self._index.vocabulary,
            names=tuple(self._names),
            getters=getters_of(self._index, facts),
            visible=visible,
            raised=self._index.pack.record.unpublished,
            edits=tuple(self._edits),
            counts=tuple(self._counts.items()),
        )


def target_of(place: str, alias: str | None = None) -> Accessor:
    """A function of the pack, ``module:name``, as an accessor to be named."""
    module, _, name = place.partition(":")
    return Accessor("", module, name, "call", alias)


def kept_site(
    source: Source,
    candidate: Candidate,
    transform: str,
    text: str,
    why: tuple[str, str],
) -> KeptSite:
    """A place that is left, with the code and the sentence why."""
    return KeptSite(
        source.file.path,
        candidate.line,
        candidate.column,
        candidate.function,
        transform,
        text,
        *why,
    )


def whole_text(source: Source) -> str | None:
    """The text of a file, None when it cannot be decoded."""
    from codemod.model import Problem
    from codemod.project.text import decode

    text = decode(source.data, source.file.path)
    return None if isinstance(text, Problem) else text.text


def mentions(facts: FileFacts, fields: Iterable[str]) -> list[Candidate]:
    """The candidates of a file that take one of the names off the record."""
    wanted = frozenset(fields)
    return [c for c in facts.candidates if c.field in wanted]
