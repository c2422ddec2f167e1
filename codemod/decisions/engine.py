"""Convert or keep, for every read of the project."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import cast

from codemod.analysis.facts import Candidate, UseFact
from codemod.analysis.rebinding import PATCHED
from codemod.decisions.case import Case
from codemod.decisions.naming import FileNaming, Named
from codemod.decisions.reasons import ORDER, ambiguous, name_taken, pack_keep
from codemod.decisions.replacement import replacement_text
from codemod.index.index import Index
from codemod.index.record import Status
from codemod.index.source import Source
from codemod.model import Form, Read, Use, Via
from codemod.packs import Accessor, Pack
from codemod.routing import RouteTable

_LISTED = frozenset({"yes", "mixed", "listed"})


@dataclass(frozen=True, slots=True)
class Decided:
    """A read with its decision, and what a rewrite needs when it converts."""

    read: Read
    candidate: Candidate
    accessor: Accessor | None = None
    path: tuple[str, ...] = ()
    named: Named | None = None


def decide(index: Index, pack: Pack, routes: RouteTable) -> list[Decided]:
    """Every read of the project, in order of file, line and column."""
    found: list[Decided] = []
    for source in index.close_sources():
        found += decide_file(index, source, pack, routes)
    found.sort(key=lambda d: (d.read.file, d.read.line, d.read.column))
    return found


def decide_file(
    index: Index, source: Source, pack: Pack, routes: RouteTable
) -> list[Decided]:
    """The reads of one file, in its order."""
    module = source.file.module
    facts = index.facts(source.file.path)
    cases: list[Case] = []
    for candidate in facts.candidates:
        statuses = index.record.combined(candidate.origins, module)
        if not _LISTED & statuses:
            continue
        case = _case(index, candidate, module, statuses, pack, routes)
        if _only_guessed(case):
            continue
        cases.append(case)
    kept = {case.candidate: _keep(case) for case in cases}
    wanted = [case for case in cases if kept[case.candidate] is None]
    names = _names(index, source, wanted, routes)
    found: list[Decided] = []
    for case in cases:
        reason = kept[case.candidate]
        named = names.get(case.candidate)
        if reason is None and named is not None and named.name is None:
            case = replace(case, name=None, name_problem=named.problem)
            reason = (name_taken.CODE, name_taken.why(case) or "")
        found.append(_decided(source, case, reason, named, routes))
    return _settle_walrus(found, facts.walrus_aliases)


def _case(
    index: Index,
    candidate: Candidate,
    module: str,
    statuses: frozenset[str],
    pack: Pack,
    routes: RouteTable,
) -> Case:
    name = candidate.field
    namespace = routes.fields.get(name)
    raises = pack.accessors_unpublished
    if candidate.default and index.record.may_be_none(candidate.origins, module):
        statuses |= {"no"}  # then the default is what is read
    if index.rebound and _is_rebound(index, candidate, module):
        statuses |= {"no"}
    if namespace is not None:
        raises = routes.accessor_for(namespace)[0].unpublished
    return Case(
        candidate=candidate,
        module=module,
        pack=pack,
        statuses=statuses,  # type: ignore[arg-type]
        namespace=namespace,
        accessor_raises=raises,
        member=None if name in routes.fields else routes.members.get(name),
        field_known=name in routes.fields,
        before_publish=index.before_publish(module, candidate.function, candidate.line),
    )


def _is_rebound(index: Index, candidate: Candidate, module: str) -> bool:
    """Whether a module's name that the read goes by is given another object."""
    names = {f"{module}.{root}" for root in candidate.roots}
    names |= {origin[1] for origin in candidate.origins if origin[0] == "call"}
    return not names.isdisjoint(index.rebound)


def keep_reason(
    index: Index,
    source: Source,
    candidate: Candidate,
    pack: Pack,
    routes: RouteTable,
) -> tuple[str, str] | None:
    """Why a read like this candidate would be kept: code and sentence; None: it is not.

    For what is no read but stands where one would, such as a write of the field. What
    is not the record at all has the code ``other``. Names are not looked at.
    """
    module = source.file.module
    statuses = index.record.combined(candidate.origins, module)
    if not _LISTED & statuses:
        return "other", "This is not the record."
    return _keep(_case(index, candidate, module, statuses, pack, routes))


def _only_guessed(case: Case) -> bool:
    """Whether nothing but a stash's name on an unknown object says it is the record.

    Such a read is listed only when it takes a name that the record has.
    """
    unknown = all(o[0] == "stash" and not o[1] for o in case.candidate.origins)
    return unknown and not case.field_known and case.member is None


def _keep(case: Case) -> tuple[str, str] | None:
    """The code and sentence of the first reason that holds, else None.

    No names are chosen yet, so ``name_taken`` holds for none.
    """
    for reason in ORDER:
        why = reason.why(case)
        if why is not None:
            if reason is pack_keep:
                entry = pack_keep.matching_entry(case)
                assert entry is not None
                return entry.reason, why
            return reason.CODE, why
    return None


def _names(
    index: Index, source: Source, cases: list[Case], routes: RouteTable
) -> dict[Candidate, Named]:
    naming = FileNaming(index, source.file)
    by_accessor: dict[Accessor, list[Candidate]] = defaultdict(list)
    for case in cases:
        assert case.namespace is not None
        accessor, _ = routes.accessor_for(case.namespace)
        by_accessor[accessor].append(case.candidate)
    found: dict[Candidate, Named] = {}
    for accessor, candidates in by_accessor.items():
        found |= naming.choose(accessor, candidates)
    return found


def _decided(
    source: Source,
    case: Case,
    reason: tuple[str, str] | None,
    named: Named | None,
    routes: RouteTable,
) -> Decided:
    candidate = case.candidate
    read = Read(
        file=source.file.path,
        module=case.module,
        line=candidate.line,
        column=candidate.column,
        function=candidate.function,
        form=cast(Form, candidate.form),
        via=cast(Via, candidate.via),
        text=candidate.text,
        field=candidate.field,
        namespace=case.namespace,
        decision="keep",
        reason=reason[0] if reason else None,
        why=reason[1] if reason else None,
        replacement=None,
    )
    if reason is not None:
        return Decided(read, candidate)
    assert case.namespace is not None  # or it were unrouted
    assert named is not None
    assert named.name is not None  # or it were name-taken
    accessor, path = routes.accessor_for(case.namespace)
    text = accessor_text(accessor, named.name)
    read = replace(
        read, decision="convert", replacement=replacement_text(candidate, text, path)
    )
    return Decided(read, candidate, accessor, path, named)


def accessor_text(accessor: Accessor, name: str) -> str:
    """The accessor as an expression, under the name it has in a file."""
    return f"{name}()" if accessor.kind == "call" else name


def _settle_walrus(found: list[Decided], aliases: tuple[object, ...]) -> list[Decided]:
    """Keep a read on ``(name := record)`` while something else reads the name.

    Converting it drops the binding, so every other read of the name has to convert.
    """
    if not aliases:
        return found
    converted = {d.candidate.anchor for d in found if d.read.decision == "convert"}
    settled = []
    for decided in found:
        index = decided.candidate.walrus
        if index >= 0 and decided.read.decision == "convert":
            alias = aliases[index]
            loads, anchors = alias.loads, alias.anchors  # type: ignore[attr-defined]
            if loads != len([a for a in anchors if a in converted]):
                decided = Decided(
                    replace(
                        decided.read,
                        decision="keep",
                        reason=ambiguous.CODE,
                        why="The name it binds is still read as a whole elsewhere.",
                        replacement=None,
                    ),
                    decided.candidate,
                )
        settled.append(decided)
    return settled


def sets_by_name(index: Index) -> Iterator[tuple[Source, UseFact]]:
    """``setattr`` and ``delattr`` on what is surely the record, with their files."""
    for source in index.close_sources():
        for use in index.facts(source.file.path).uses:
            if use.kind != "setattr":
                continue
            if index.record.combined(use.origins, source.file.module) == {"yes"}:
                yield source, use


def list_uses(index: Index) -> list[Use]:
    """Uses of the record that are not reads, in order of file and line."""
    found: list[Use] = []
    for source in index.close_sources():
        file = source.file
        for use in index.facts(file.path).uses:
            statuses: set[Status] = set()
            if use.kind in ("getter", PATCHED):
                statuses |= {
                    index.record.getter_status(o[1])
                    for o in use.origins
                    if o[0] == "ref"
                }
            if use.kind != "getter":
                statuses |= index.record.combined(use.origins, file.module)
            if statuses & {"yes", "mixed"}:
                found.append(Use(file.path, use.line, use.function, use.kind))
    found.sort(key=lambda use: (use.file, use.line, use.kind))
    return found
