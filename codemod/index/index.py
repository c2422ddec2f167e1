"""The project index: facts of all files, merged, with every cross-file answer."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

from codemod.analysis.facts import AttributeStore, FileFacts
from codemod.analysis.guard_facts import Watched
from codemod.analysis.vocabulary import Vocabulary
from codemod.index.build import (
    Built,
    Progress,
    build_facts,
    outer_facts,
    read_sources,
)
from codemod.index.classes import Classes
from codemod.index.importgraph import ImportGraph
from codemod.index.names import Names
from codemod.index.pool import default_jobs
from codemod.index.record import RecordIndex, dotted
from codemod.index.source import Source
from codemod.index.store import FOLDER, FactStore, decode, has_problem
from codemod.index.summary import Job
from codemod.model import Problem
from codemod.packs import Pack
from codemod.project import Project

if TYPE_CHECKING:
    from codemod.index.publishing import PublishOrder

#: Rounds of looking for names that pass the record on. Real chains end after two.
_MAX_ROUNDS = 8

#: What a star import holds. It begins with plain text, which is found many times
#: quicker than a word's boundary; a backslash may join the lines (reference 2.1.6).
_STAR = re.compile(rb"import[\s\\]*\*")


@dataclass
class Index:
    """Everything known of a project. Facts are decoded when they are asked for.

    ``guards`` are the guards' facts of files that were parsed for this run, by path and
    whether they were taken for close.
    """

    project: Project
    pack: Pack
    vocabulary: Vocabulary
    sources: dict[str, Source]
    encoded: dict[str, bytes]
    close: frozenset[str]
    parsed: frozenset[str]
    problems: list[Problem]
    store: FactStore
    guards: dict[tuple[str, bool], bytes] = field(default_factory=dict)
    _decoded: dict[str, FileFacts] = field(default_factory=dict)

    def __post_init__(self) -> None:
        stops = {
            dotted(p) for p in (*self.pack.record.calls, *self.pack.record.objects)
        }
        self.names = Names(self.project.by_module, self.facts, frozenset(stops))
        self.classes = Classes(self.names)
        self.imports = ImportGraph(self.names)
        stores: dict[str, list[tuple[str, AttributeStore]]] = defaultdict(list)
        for source in self.close_sources():
            for store in self.facts(source.file.path).stores:
                stores[store.attribute].append((source.file.module, store))
        self.record = RecordIndex(self.pack, self.names, self.classes, stores)

    def facts(self, path: str) -> FileFacts:
        """The facts of one file; empty ones for a file that could not be read."""
        known = self._decoded.get(path)
        if known is None:
            data = self.encoded.get(path)
            known = FileFacts() if data is None else decode(data)
            if known.syntax_only and known.problem is None:
                known = outer_facts(self.sources[path], self.store)
            self._decoded[path] = known
        return known

    @cached_property
    def _close_sources(self) -> list[Source]:
        return [self.sources[path] for path in sorted(self.close)]

    @cached_property
    def star_imports(self) -> frozenset[tuple[str, str]]:
        """Which module imports everything from which, by ``import *``."""
        return frozenset(
            (source.file.module, fact.module)
            for path, source in self.sources.items()
            if _STAR.search(source.data)
            for fact in self.facts(path).imports
            if fact.bound == "*"
        )

    @cached_property
    def rebound(self) -> frozenset[str]:
        """Names in modules that something else gives another object.

        Those of the pack are the record by decree.
        """
        found: set[str] = set()
        for source in self.close_sources():
            for each in self.facts(source.file.path).rebound:
                statuses = self.record.combined(each.origins, source.file.module)
                statuses |= {
                    self.record.getter_status(o[1])
                    for o in each.origins
                    if o[0] == "ref"
                }
                if "yes" not in statuses:
                    found.add(each.name)
        return frozenset(found) - {
            dotted(p) for p in (*self.pack.record.calls, *self.pack.record.objects)
        }

    @cached_property
    def publish_order(self) -> PublishOrder | None:
        """What runs before publishing; None when the pack does not say how to publish.

        Made when it is asked for: it follows calls through files that a scan has not
        looked into.
        """
        if self.pack.publish is None:
            return None
        from codemod.index.publishing import publish_order

        return publish_order(self, self.pack.publish, self.store.folder is not None)

    def before_publish(self, module: str, function: str, line: int) -> str:
        """The chain of calls by which a line runs before publishing, or ""."""
        order = self.publish_order
        return "" if order is None else order.before(module, function, line)

    def close_sources(self) -> list[Source]:
        """The files that mention a word of the pack, in order of path."""
        return self._close_sources


def vocabulary_of(pack: Pack) -> Vocabulary:
    """The words of a pack."""
    record = pack.record
    accessors: set[str] = set()
    for accessor in pack.accessors:
        accessors |= {accessor.name, alias_of(accessor.name, accessor.alias)}
    named = (pack.derived, pack.configured, pack.writers)
    for entry in (entry for table in named for entry in table.values()):
        name = entry.call.rpartition(":")[2]
        accessors |= {name, alias_of(name, None)}
    return Vocabulary(
        getters=_last_names(record.calls),
        objects=_last_names(record.objects),
        attributes=frozenset(record.attributes),
        classes=_last_names([record.cls] if record.cls else []),
        accessors=frozenset(accessors),
        access=record.access,
    )


def alias_of(name: str, alias: str | None) -> str:
    """The name an accessor gets where its own is taken."""
    return alias or f"{name}_namespace"


def _last_names(places: Iterable[str]) -> frozenset[str]:
    return frozenset(re.split(r"[:.]", place)[-1] for place in places)


def build_index(
    project: Project,
    pack: Pack,
    *,
    jobs: int | None = None,
    cache: bool = True,
    progress: Progress | None = None,
    overlay: Mapping[str, bytes] | None = None,
    meanwhile: Callable[[], None] | None = None,
    watched: Watched | None = None,
) -> Index:
    """Summarise every file of a project and merge the facts.

    Names that pass the record on under another spelling (a re-export ``as``, a module
    alias, a stash in a base class of another file) become words of the vocabulary, and
    the files that mention them are looked at again, until nothing new is found.
    ``overlay`` stands in for the bytes of some files: the tree as it would be.
    ``meanwhile`` is called once while worker processes are busy, for what the caller
    has to do anyway; what it raises ends the build.
    With ``watched`` files that are parsed are looked at for the guards too.
    """
    jobs = jobs or default_jobs()
    folder = project.root / FOLDER if cache else None
    store = FactStore(folder)
    read, problems = read_sources(project.root, project.files, overlay or {})
    problems = [*project.errors, *problems]
    sources = {source.file.path: source for source in read}
    vocabulary = vocabulary_of(pack)
    job = Job(vocabulary, watched)
    built = build_facts(read, job, store, jobs, progress, meanwhile)
    problems += built.problems
    index = Index(
        project,
        pack,
        vocabulary,
        sources,
        built.encoded,
        built.close,
        built.parsed,
        problems,
        store,
        built.guards,
    )
    carried: set[tuple[str, str]] = set()
    for _ in range(_MAX_ROUNDS):
        wider, again = _widened(index, carried)
        if not again:
            break
        more = build_facts(again, Job(wider, watched), store, jobs)
        problems += more.problems
        index = _merged(index, wider, more)
    for path, data in index.encoded.items():
        if has_problem(data):
            problem = index.facts(path).problem
            assert problem is not None
            problems.append(Problem(path, *problem))
    problems.sort(key=lambda p: (p.file, p.line, p.message))
    return index


def _merged(index: Index, vocabulary: Vocabulary, more: Built) -> Index:
    """The index with some facts made anew; what is decoded of the others stays."""
    kept = {
        path: facts
        for path, facts in index._decoded.items()
        if path not in more.encoded
    }
    return Index(
        index.project,
        index.pack,
        vocabulary,
        index.sources,
        {**index.encoded, **more.encoded},
        index.close | more.close,
        index.parsed | more.parsed,
        index.problems,
        index.store,
        {**index.guards, **more.guards},
        kept,
    )


def _widened(
    index: Index, carried: set[tuple[str, str]]
) -> tuple[Vocabulary, list[Source]]:
    """The vocabulary with newly found words, and the files that mention one.

    ``carried`` are the names and modules that were looked for; the new ones are added.
    A known name is a new word in files that have it from another module.
    """
    old = index.vocabulary
    own = vocabulary_of(index.pack).words
    carriers: dict[str, set[str]] = defaultdict(set)
    getters: set[str] = set()
    objects: set[str] = set()
    for source in index.close_sources():
        module = source.file.module
        facts = index.facts(source.file.path)
        for name, kind in index.record.exported_words(module, facts).items():
            if name not in old.words:
                (getters if kind == "getter" else objects).add(name)
            if name not in own and (name, module) not in carried:
                carried.add((name, module))
                carriers[name].add(module)
    stashes = index.record.stash_words() - old.stashes
    if not (carriers or stashes):
        return old, []
    wider = replace(
        old,
        getters=old.getters | getters,
        objects=old.objects | objects,
        stashes=old.stashes | stashes,
    )
    tails = {
        name: frozenset(m.rpartition(".")[2] for m in _with_stars(index, modules))
        for name, modules in carriers.items()
    }
    again = [s for s in index.sources.values() if _mentions(s.data, tails, stashes)]
    return wider, again


def _with_stars(index: Index, modules: set[str]) -> set[str]:
    """Modules with those that import everything from them, and so on."""
    found = set(modules)
    while True:
        above = {
            importer
            for importer, imported in index.star_imports
            if imported in found and importer not in found
        }
        if not above:
            return found
        found |= above


def _mentions(
    data: bytes, carriers: Mapping[str, frozenset[str]], stashes: Iterable[str]
) -> bool:
    """Whether a file may use a new word: a stash as an attribute, in quotes or in the
    body of a class, or an exported name together with a module that carries it."""
    for stash in stashes:
        word = stash.encode()
        if word in data and _may_stash(word, data):
            return True
    for name, modules in carriers.items():
        # ``from . import name`` does not name the module.
        if name.encode() in data and (
            b"from ." in data or any(m.encode() in data for m in modules)
        ):
            return True
    return False


def _may_stash(word: bytes, data: bytes) -> bool:
    """Whether a word stands as an attribute, in quotes, or first in an indented line.

    Looks before each place of the word, which is quicker than a pattern that has to
    try every line.
    """
    for found in re.finditer(word + rb"\b", data):
        place = found.start()
        if data[max(place - 1, 0) : place] in _BEFORE_ATTRIBUTE:
            return True
        line = max(data.rfind(b"\n", 0, place), data.rfind(b"\r", 0, place)) + 1
        if _INDENTED.search(data[line:place]):
            return True
    return False


_BEFORE_ATTRIBUTE = frozenset([b".", b'"', b"'"])
#: What stands before a name that an indented statement binds.
_INDENTED = re.compile(rb"^[ \t]+(?:(?:async )?def |class )?$")
