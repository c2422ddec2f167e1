"""What may be the record, ranked by how often it is read through something global."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from codemod.starter.evidence import ClassSeen, Evidence, FunctionSeen, Mark

_CONFIG_NAME = re.compile(
    r"(args|arguments|config|configuration|conf|cfg|settings|options|flags|params)$",
    re.I,
)
_GETTER_NAME = re.compile(r"^_?(get|current|the|global)_|_(config|settings|args)$")
#: Fields that make a class worth a look: fewer are no reason to migrate anything.
_FEWEST_FIELDS = {"dataclass": 5, "model": 5, "plain": 8}
#: An attribute name holds the record if this part of what is read off it are fields.
_SHARE = 0.6
_FEWEST_HITS = 5
#: A class without a telling name needs five times the reads.
_PLAIN_NAME = 0.2
#: Below this, weighed, nothing is worth a migration.
_LOWEST_SCORE = 5.0
#: An attribute alone, ``app.conf``, must hold this many names to be taken for a record.
_FEWEST_NAMES = 10
_MAPPING_METHODS = frozenset(dir(dict))


@dataclass(frozen=True, slots=True)
class Way:
    """One way to the record and how often it is taken.

    ``target`` is ``module:name`` for a call and an object, a bare name for an
    attribute of other objects.
    """

    kind: Literal["call", "object", "attribute"]
    target: str
    reads: int
    raises: str | None = None

    def __str__(self) -> str:
        if self.kind == "call":
            return f"{self.target}()"
        return f"….{self.target}" if self.kind == "attribute" else self.target


@dataclass(frozen=True, slots=True)
class Candidate:
    """What may be the record. ``cls`` is None for an object of a library.

    ``reads`` counts reads of each field. ``marker`` and ``metadata`` are the names
    under which fields say their namespace; ``namespaces`` what they say. ``accessors``
    are functions and objects that by their names return a namespace.
    """

    cls: str | None
    fields: tuple[str, ...]
    ways: tuple[Way, ...]
    reads: Mapping[str, int]
    score: float = 0.0
    marker: str | None = None
    metadata: str | None = None
    namespaces: Mapping[str, str] = field(default_factory=dict)
    accessors: Mapping[str, Way] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """What a person calls it: ``module:Class``, else the way to it."""
        return self.cls or str(self.ways[0])

    def total(self) -> int:
        """Reads by all ways."""
        return sum(way.reads for way in self.ways)


def find_candidates(evidence: Sequence[Evidence]) -> tuple[Candidate, ...]:
    """Every possible record, the likeliest first."""
    known = _Known(evidence)
    found = [known.candidate(name) for name in known.classes if known.is_likely(name)]
    found += known.outside()
    taken = {way.target for c in found for way in c.ways if way.kind == "attribute"}
    found += known.attributes(taken)
    found = [c for c in found if c.score >= _LOWEST_SCORE]
    found.sort(key=lambda c: (-c.score, c.name))
    return tuple(found)


def named_candidate(
    evidence: Sequence[Evidence], cls: str | None, ways: Sequence[Way]
) -> Candidate:
    """The record that a person names by its class (``module:Class``) or ways to it.

    Ways are found too, as for any candidate; their reads are counted here. Raises
    LookupError, with the class in it, when no file has such a class.
    """
    known = _Known(evidence)
    if cls is None:
        targets = {way.target for way in ways}
        for candidate in find_candidates(evidence):
            if candidate.cls and targets & {way.target for way in candidate.ways}:
                cls = candidate.cls
                break
        else:
            return known.classless(ways)
    dotted = cls.replace(":", ".")
    if dotted not in known.classes:
        raise LookupError(cls)
    return known.candidate(dotted, ways)


def is_clear(candidates: Sequence[Candidate]) -> bool:
    """Whether the first stands out so far that asking would be a nuisance."""
    return bool(candidates) and (
        len(candidates) == 1 or candidates[0].score >= 2 * candidates[1].score
    )


class _Known:
    """All evidence, with names followed through imports."""

    def __init__(self, evidence: Sequence[Evidence]) -> None:
        self._by_module = {one.module: one for one in evidence}
        self._roots = {one.module.partition(".")[0] for one in evidence}
        self.classes = {
            f"{one.module}.{cls.name}": cls for one in evidence for cls in one.classes
        }
        self._reads: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
        followed: dict[str, str] = {}
        for one in evidence:
            for (kind, base, name), count in one.reads.items():
                if kind == "attr":
                    place = base
                elif (known := followed.get(base)) is not None:
                    place = known
                else:
                    place = followed[base] = self.follow(base)
                self._reads[kind, place][name] += count
        self._functions = self._functions_by_class()
        self._instances = self._instances_by_class()

    def follow(self, dotted: str) -> str:
        """Where a name is defined, through the imports of the modules on the way."""
        for _ in range(10):
            module, _, name = dotted.rpartition(".")
            one = self._by_module.get(module)
            target = one.imports.get(name) if one is not None else None
            if target is None or target == dotted:
                return dotted
            dotted = target
        return dotted

    def is_likely(self, dotted: str) -> bool:
        """Whether a class has the fields to be worth a look."""
        return len(self._fields(dotted)) >= _FEWEST_FIELDS[self.classes[dotted].kind]

    def classless(self, given: Sequence[Way]) -> Candidate:
        """A record whose class nobody knows: what is read off it are its fields."""
        count: Counter[str] = Counter()
        for way in given:
            count.update(self._reads.get(_place(way), {}))
        counts = {name: count[name] for name in _settings(count)}
        ways = tuple(replace(w, reads=self._hits(*_place(w), counts)) for w in given)
        return Candidate(None, tuple(counts), ways, counts)

    def candidate(self, dotted: str, given: Sequence[Way] = ()) -> Candidate:
        """The class as a record, with the ways to it that are given or found."""
        cls = self.classes[dotted]
        fields = dict.fromkeys(self._fields(dotted))
        ways = [*self._calls(dotted, fields), *self._objects(dotted, fields)]
        known = {way.target for way in ways}
        ways += [
            replace(way, reads=self._hits(*_place(way), fields))
            for way in given
            if way.target not in known
        ]
        direct = sum(way.reads for way in ways)
        named = _CONFIG_NAME.search(cls.name) is not None
        # Without anything global the name has to say that it is a configuration.
        attributes = list(self._attributes(fields)) if direct or named else []
        known = {way.target for way in ways}
        ways += [way for way in attributes if way.target not in known]
        marks = self._marks(dotted)
        marker = _commonest(mark.name for mark in marks if not mark.is_key)
        key = _commonest(mark.name for mark in marks if mark.is_key)
        namespaces = {m.field: m.path for m in marks if m.name in (marker, key)}
        accessors = self._accessors(set(namespaces.values()), ways)
        # A namespace can be of the record's own class: then its name decides.
        theirs = {way.target for way in accessors.values()}
        ways = [way for way in ways if way.target not in theirs]
        likely = 1.0 if named else _PLAIN_NAME
        indirect = sum(way.reads for way in attributes)
        if direct:
            indirect = min(indirect, 4 * direct)
        module, _, name = dotted.rpartition(".")
        return Candidate(
            cls=f"{module}:{name}",
            fields=tuple(fields),
            ways=tuple(ways),
            reads=self._field_reads(ways, fields),
            score=likely * (direct + indirect / 2),
            marker=marker,
            metadata=key if marker is None else None,
            namespaces=namespaces,
            accessors=accessors,
        )

    def outside(self) -> Iterator[Candidate]:
        """Objects of libraries that are read like settings."""
        for (kind, dotted), names in self._reads.items():
            module, _, name = dotted.rpartition(".")
            outside = module.partition(".")[0] not in self._roots
            if kind != "name" or not outside or not _CONFIG_NAME.fullmatch(name):
                continue
            fields = _settings(names)
            reads = sum(names[n] for n in fields)
            if len(fields) >= _FEWEST_HITS and reads >= 2 * _FEWEST_HITS:
                way = Way("object", f"{module}:{name}", reads)
                counts = {n: names[n] for n in fields}
                yield Candidate(None, tuple(counts), (way,), counts, float(reads))

    def attributes(self, taken: set[str]) -> Iterator[Candidate]:
        """Attributes that hold something read like settings, of no class we know."""
        for (kind, attribute), names in self._reads.items():
            fields = _settings(names)
            if (
                kind == "attr"
                and attribute not in taken
                and len(fields) >= _FEWEST_NAMES
                and _CONFIG_NAME.fullmatch(attribute)
            ):
                counts = {name: names[name] for name in fields}
                way = Way("attribute", attribute, sum(counts.values()))
                # A name alone is little: it may well hold ten kinds of objects.
                yield Candidate(None, tuple(counts), (way,), counts, way.reads / 5)

    def _fields(self, dotted: str, depth: int = 0) -> dict[str, None]:
        """A class's own fields and those of its bases in the project."""
        cls = self.classes.get(dotted)
        if cls is None or depth > 10:
            return {}
        found: dict[str, None] = {}
        for base in cls.bases:
            found |= self._fields(self.follow(base), depth + 1)
        return found | dict.fromkeys(cls.fields)

    def _marks(self, dotted: str, depth: int = 0) -> list[Mark]:
        cls: ClassSeen | None = self.classes.get(dotted)
        if cls is None or depth > 10:
            return []
        inherited = [
            m for base in cls.bases for m in self._marks(self.follow(base), depth + 1)
        ]
        return [*inherited, *cls.marks]

    def _calls(self, dotted: str, fields: Collection[str]) -> Iterator[Way]:
        for module, function in self._functions[dotted]:
            reads = self._hits("call", f"{module}.{function.name}", fields)
            yield Way("call", f"{module}:{function.name}", reads, function.raises)

    def _functions_by_class(self) -> dict[str, list[tuple[str, FunctionSeen]]]:
        """Functions that hand out one object of a class, and not a new one."""
        found: dict[str, list[tuple[str, FunctionSeen]]] = defaultdict(list)
        for module, one in self._by_module.items():
            for function in one.functions:
                returned = set(map(self.follow, function.returns))
                given = [self.follow(name) for name in function.gives]
                held = {self.follow(name) for g in given for name in self._class_of(g)}
                sure = held | (returned | set(given) if function.cached else set())
                if _GETTER_NAME.search(function.name):
                    sure |= returned - set(given)
                for dotted in sure & self.classes.keys():
                    found[dotted].append((module, function))
        return found

    def _class_of(self, dotted: str) -> tuple[str, ...]:
        module, _, name = dotted.rpartition(".")
        one = self._by_module.get(module)
        return one.objects.get(name, ()) if one is not None else ()

    def _objects(self, dotted: str, fields: Collection[str]) -> Iterator[Way]:
        for module, name in self._instances[dotted]:
            reads = self._hits("name", f"{module}.{name}", fields)
            # A private one behind a getter is not how others get to it.
            if reads and not name.startswith("_"):
                yield Way("object", f"{module}:{name}", reads)

    def _instances_by_class(self) -> dict[str, list[tuple[str, str]]]:
        found: dict[str, list[tuple[str, str]]] = defaultdict(list)
        for module, one in self._by_module.items():
            for name, classes in one.objects.items():
                for dotted in set(map(self.follow, classes)):
                    found[dotted].append((module, name))
        return found

    def _attributes(self, fields: Collection[str]) -> Iterator[Way]:
        for (kind, name), names in sorted(self._reads.items()):
            if kind != "attr":
                continue
            hits = [n for n in names if n in fields]
            reads = sum(names[n] for n in hits)
            distinct = len(hits) >= min(3, _FEWEST_HITS)
            if reads >= _FEWEST_HITS and distinct and reads >= _SHARE * names.total():
                yield Way("attribute", name, reads)

    def _hits(self, kind: str, base: str, fields: Collection[str]) -> int:
        names = self._reads.get((kind, base), Counter())
        return sum(count for name, count in names.items() if name in fields)

    def _field_reads(
        self, ways: Sequence[Way], fields: Collection[str]
    ) -> dict[str, int]:
        count: Counter[str] = Counter()
        for way in ways:
            count.update(self._reads.get(_place(way), {}))
        return {name: count[name] for name in fields}

    def _accessors(
        self, namespaces: set[str], ways: Sequence[Way]
    ) -> Mapping[str, Way]:
        """For each first part of a namespace what by its name returns it.

        The getter's own module is preferred, then whatever is the only one.
        """
        homes = {way.target.partition(":")[0] for way in ways if ":" in way.target}
        found = {}
        for root in sorted({path.partition(".")[0] for path in namespaces}):
            spellings = (f"get_{root}", root, f"get_{root}_config", f"{root}_settings")
            places = [
                Way("call", f"{module}:{function.name}", 0, function.raises)
                for module, one in self._by_module.items()
                for function in one.functions
                if function.name in spellings
            ] + [
                Way("object", f"{module}:{name}", 0)
                for module, one in self._by_module.items()
                for name in one.objects
                if name in spellings
            ]
            near = [p for p in places if p.target.partition(":")[0] in homes]
            if near or len(places) == 1:
                found[root] = (near or places)[0]
        return found


def _settings(names: Collection[str]) -> list[str]:
    """The names that can be settings: public ones, and no method of a mapping."""
    return sorted(n for n in names if n[:1] != "_" and n not in _MAPPING_METHODS)


def _place(way: Way) -> tuple[str, str]:
    """The key of a way in the counts of reads."""
    kind = {"call": "call", "object": "name", "attribute": "attr"}[way.kind]
    return kind, way.target.replace(":", ".")


def _commonest(names: Iterator[str]) -> str | None:
    count = Counter(names)
    # Of equals the first by name, so that the result is always the same.
    return min(count, key=lambda name: (-count[name], name), default=None)
