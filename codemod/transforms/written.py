"""Every call that writes fields of the record, and why each field of it has to stay."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from codemod.analysis.writing import WriterCall, writer_calls
from codemod.decisions.engine import keep_reason
from codemod.decisions.naming import Named
from codemod.index.index import Index
from codemod.index.source import Source
from codemod.packs import Writer
from codemod.transforms.model import StepContext
from codemod.transforms.planning import (
    FilePlanner,
    mentions,
    target_of,
    whole_text,
)

Reason = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Write:
    """One call of a writer, with what is known of each field it writes.

    ``fields`` are its keywords in order; ``keeps`` says why a field of them has to be
    written to the record, ``whole`` why the whole call has to stay.
    """

    source: Source
    writer: Writer
    call: WriterCall
    fields: tuple[str, ...]
    keeps: dict[str, Reason]
    whole: Reason | None
    named: Named

    def can_split(self) -> Reason | None:
        """Why the call cannot be made two, None when it can."""
        if not self.call.statement:
            return "not-split", "Its value is used, so it cannot become two calls."
        if any(argument.stars for argument in self.call.arguments):
            return "not-split", "A ** of it gives fields to both calls."
        if not all(argument.movable for argument in self.call.arguments):
            return (
                "not-split",
                "An argument waits, yields or binds a name where it stands.",
            )
        return None

    def bindings(self) -> tuple[tuple[str, str], ...]:
        """The arguments to bind to local names before a split, by key, and the names.

        Nothing when every argument is settled: a constant, or a name of the function's
        own. Else all that are not, in order, so that each is evaluated once and when it
        was.
        """
        found: list[tuple[str, str]] = []
        taken = set(self.call.bound)
        for number, argument in enumerate(self.call.arguments):
            if argument.settled:
                continue
            key = argument.keyword or str(number)
            base = argument.keyword or self.writer.source or "value"
            name = next(n for n in _fresh(base) if n not in taken)
            taken.add(name)
            found.append((key, name))
        return tuple(found)


def _fresh(base: str) -> Iterator[str]:
    yield base
    yield f"{base}_value"
    number = 2
    while True:
        yield f"{base}_value_{number}"
        number += 1


def writes_of(context: StepContext) -> tuple[Write, ...]:
    """Every write of a tree; the last tree's are known, for every part of a step."""
    known = _KNOWN.get(id(context.index))
    if known is None or known[0] is not context.index:
        known = (context.index, tuple(_found_writes(context)))
        _KNOWN.clear()
        _KNOWN[id(context.index)] = known
    return known[1]


#: The writes of the last tree that was asked for.
_KNOWN: dict[int, tuple[Index, tuple[Write, ...]]] = {}


def _found_writes(context: StepContext) -> Iterator[Write]:
    writers = context.pack.writers
    if not writers:
        return
    for source in context.index.close_sources():
        facts = context.index.facts(source.file.path)
        if not any(c.called for c in mentions(facts, writers)):
            continue
        text = whole_text(source)
        if text is None:
            continue
        file = source.file
        calls = writer_calls(
            text,
            file.module,
            file.is_package,
            context.index.vocabulary,
            frozenset(writers),
        )
        planner = FilePlanner(context.index, source)
        for call in calls:
            statuses = context.index.record.combined(
                call.candidate.origins, file.module
            )
            if {"yes", "mixed", "listed"} & statuses:
                yield _write(context, source, planner, call)


def _write(
    context: StepContext, source: Source, planner: FilePlanner, call: WriterCall
) -> Write:
    writer = context.pack.writers[call.candidate.field]
    fields: list[str] = []
    whole: Reason | None = None
    positional = 0
    for argument in call.arguments:
        if argument.keys is not None:
            fields += argument.keys
        elif argument.stars:
            whole = (
                "dynamic",
                f"{argument.stars}{argument.text} may name any field; write each field "
                "by its name.",
            )
        elif argument.keyword is None:
            positional += 1
        elif argument.keyword != writer.source:
            fields.append(argument.keyword)
    if positional > (writer.source is not None):
        whole = ("dynamic", "A positional argument after the source names no field.")
    if whole is None and call.candidate.walrus >= 0:
        whole = ("ambiguous", "The call binds a name to the record.")
    keeps = {
        name: reason
        for name in fields
        if (reason := _field_reason(context, source, call, name)) is not None
    }
    if whole is not None and keeps and len(keeps) == len(fields):
        # Every field has a reason of its own, which says more.
        whole = None
    if whole is not None and not fields:
        reason = _field_reason(context, source, call, None)
        whole = reason or whole
    accessor = target_of(writer.call)
    named = planner.choose(accessor, [call.candidate])[call.candidate]
    if named.name is None and whole is None:
        taken = ("name-taken", named.problem)
        keeps |= {name: taken for name in fields if name not in keeps}
    return Write(source, writer, call, tuple(fields), keeps, whole, named)


def _field_reason(
    context: StepContext, source: Source, call: WriterCall, name: str | None
) -> Reason | None:
    """Why a field of a call has to be written to the record, None when it need not.

    Without a name: why any field would have to.
    """
    if name is None:
        name = next((f for f, n in context.routes.fields.items() if n), "")
    elif context.routes.fields.get(name) is None:
        return "unrouted", "It has no namespace that a context could write."
    candidate = replace(
        call.candidate, field=name, via="attribute", called=False, default=False
    )
    return keep_reason(context.index, source, candidate, context.pack, context.routes)
