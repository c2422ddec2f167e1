"""From local imports to units: what is hoisted or kept as one."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from codemod.hoist.case import Case, Keep, ProjectImports
from codemod.hoist.emitting import UNKNOWN
from codemod.hoist.facts import FileImports, Imported, LocalImport
from codemod.hoist.ir import OP_BIND, OP_FROM, OP_IMPORT, Op
from codemod.hoist.placement import Place, order_of, place, present
from codemod.hoist.reasons import first_reason, name_taken
from codemod.hoist.store import Site, Unit
from codemod.hoist.syntax import is_first_party

Selected = Callable[[FileImports, LocalImport], bool]
"""Whether a local import is asked for at all."""


@dataclass(frozen=True, slots=True)
class Insert:
    """An import that a unit puts at module level, and where."""

    imported: Imported
    place: Place


@dataclass(frozen=True, slots=True)
class Candidate:
    """A local import with what is known before anything is simulated.

    ``unit`` is the index of its unit, -1 when ``keep`` already says why it stays.
    """

    case: Case
    keep: Keep | None
    unit: int = -1


@dataclass(frozen=True, slots=True)
class Planned:
    """All candidates, their units, and what each unit inserts."""

    candidates: tuple[Candidate, ...]
    units: tuple[Unit, ...]
    inserts: Mapping[int, tuple[Insert, ...]]


def plan_units(
    files: Sequence[FileImports],
    project: ProjectImports,
    selected: Selected,
    conditions: bool = False,
) -> Planned:
    """Decide what can be told from names alone, and group the rest.

    The order of candidates is by file, line and column.
    """
    candidates: list[Candidate] = []
    units: list[Unit] = []
    inserts: dict[int, tuple[Insert, ...]] = {}
    roots = {module.partition(".")[0] for module in project.files}
    for file in files:
        cases = [
            Case(site, file, project, conditions)
            for site in file.sites
            if selected(file, site)
        ]
        if not cases:
            continue
        keeps = _keeps(file, cases)
        moving = [case for case, keep in zip(cases, keeps) if keep is None]
        of: dict[int, int] = {}
        for group in _groups(moving):
            unit, inserted = _unit(len(units), group, file, roots)
            units.append(unit)
            inserts[unit.index] = inserted
            of.update((id(case), unit.index) for case in group)
        candidates += (
            Candidate(case, keep, of.get(id(case), -1))
            for case, keep in zip(cases, keeps)
        )
    return Planned(tuple(candidates), tuple(units), inserts)


def _keeps(file: FileImports, cases: Sequence[Case]) -> list[Keep | None]:
    """The reasons of one file's imports, those that one import has of another too.

    An import that stays keeps every other of its name in the same function: the name
    would stay local there and be unbound before the import that is left. Imports that
    were not selected stay.
    """
    keeps = [first_reason(case) for case in cases]
    chosen = {id(case.site) for case in cases}
    staying: dict[tuple[int, str], LocalImport] = {
        (site.scope, site.bound): site
        for site in file.sites
        if id(site) not in chosen and site.scope >= 0
    }
    _settle_conflicts(cases, keeps)
    changed = True
    while changed:
        changed = False
        for case, keep in zip(cases, keeps):
            if keep is not None:
                staying.setdefault((case.site.scope, case.site.bound), case.site)
        for index, case in enumerate(cases):
            if keeps[index] is None:
                other = _left_behind(case.site, staying)
                if other is not None:
                    where = f"line {other.line} keeps an import of {case.site.bound!r}"
                    why = f"In {case.site.function}, {where}: the name stays local."
                    keeps[index] = Keep(name_taken.CODE, why)
                    changed = True
    return keeps


def _left_behind(
    site: LocalImport, staying: Mapping[tuple[int, str], LocalImport]
) -> LocalImport | None:
    for scope in (site.scope, *site.outer):
        other = staying.get((scope, site.bound))
        if other is not None:
            return other
    return None


def _settle_conflicts(cases: Sequence[Case], keeps: list[Keep | None]) -> None:
    """Of several things that one name means in different functions, one may move.

    The one that most functions import; the first of those with as many.
    """
    by_name: defaultdict[str, list[int]] = defaultdict(list)
    for index, case in enumerate(cases):
        if keeps[index] is None:
            by_name[case.site.bound].append(index)
    for name, found in by_name.items():
        meanings: list[Imported] = []
        count: Counter[int] = Counter()
        meaning_of: dict[int, int] = {}
        for index in found:
            imported = cases[index].site.imported
            known = next(
                (i for i, m in enumerate(meanings) if m.same_object(imported)), None
            )
            if known is None:
                known = len(meanings)
                meanings.append(imported)
            meaning_of[index] = known
            count[known] += 1
        if len(meanings) < 2:
            continue
        winner = max(count, key=lambda i: (count[i], -i))
        for index in found:
            if meaning_of[index] != winner:
                case = cases[index]
                why = (
                    f"Other functions of the module import {name!r} as "
                    f"`{meanings[winner]}`."
                )
                keeps[index] = Keep(name_taken.CODE, why, name_taken.offer(case))


def _groups(cases: Sequence[Case]) -> list[list[Case]]:
    """Imports that move together: of the same thing, or of one name in one function."""
    parent: dict[tuple[object, ...], tuple[object, ...]] = {}

    def root(key: tuple[object, ...]) -> tuple[object, ...]:
        while parent.setdefault(key, key) != key:
            parent[key] = parent[parent[key]]
            key = parent[key]
        return key

    for case in cases:
        for scope in (case.site.scope, *case.site.outer):
            parent[root(("scope", scope, case.site.bound))] = root(_key(case))
    groups: dict[tuple[object, ...], list[Case]] = {}
    for case in cases:
        groups.setdefault(root(_key(case)), []).append(case)
    return list(groups.values())


def _key(case: Case) -> tuple[object, ...]:
    imported = case.site.imported
    return ("import", imported.module, imported.name, imported.bound)


def _unit(
    index: int, group: Sequence[Case], file: FileImports, roots: Iterable[str]
) -> tuple[Unit, tuple[Insert, ...]]:
    inserts: list[Insert] = []
    seen: set[tuple[object, ...]] = set()
    removes: defaultdict[Site, set[str]] = defaultdict(set)
    for case in group:
        site = case.site
        removes[file.module, site.line, site.offset].add(site.bound)
        if _key(case) in seen:
            continue
        seen.add(_key(case))
        if present(site.imported, file) is None:
            inserts.append(Insert(site.imported, place(site.imported, file)))
    ops = [
        (
            insert.place.line,
            order_of(insert.imported, insert.place, file),
            operation(insert.imported, insert.place.line, index, roots),
        )
        for insert in inserts
    ]
    unit = Unit(
        index=index,
        module=file.module,
        inserts=tuple(ops),
        removes=tuple((site, frozenset(names)) for site, names in removes.items()),
    )
    return unit, tuple(inserts)


def operation(imported: Imported, line: int, unit: int, roots: Iterable[str]) -> Op:
    """The import as an operation at module level."""
    if not is_first_party(imported.module, tuple(roots)):
        return (OP_BIND, line, {imported.bound: UNKNOWN})
    if imported.name:
        pairs = ((imported.name, imported.bound),)
        return (OP_FROM, line, unit, imported.module, pairs)
    has_as = bool(imported.asname)
    return (OP_IMPORT, line, unit, imported.module, imported.bound, has_as)
