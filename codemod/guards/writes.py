"""Where fields are written, on the record and on the namespaces, after publishing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from codemod.decisions.engine import Decided, sets_by_name
from codemod.decisions.reasons import ORDER
from codemod.guards.model import GuardContext
from codemod.packs import module_matches

#: Keep reasons of DESIGN.md under which a write is still one to the record.
_TO_THE_RECORD = frozenset(
    {"write-target", "derived", "configured", "unrouted", "import-time", "guarded"}
    | {"side-effect"}
)
_BUILT_IN = frozenset(reason.CODE for reason in ORDER)


@dataclass(frozen=True, slots=True)
class Write:
    """One write of one field; ``field`` is ``**`` when nobody can read off which."""

    file: str
    module: str
    line: int
    column: int
    function: str
    field: str
    text: str
    plain: bool


def record_writes(context: GuardContext) -> Iterator[Write]:
    """Writes to the published record: assignments, and calls of the pack's writers.

    Writes before publishing are not among them, nor those of owners, nor what the pack
    keeps.
    """
    keywords = {
        (file.source.file.path, call.line, call.column): call.keywords
        for file in context.guards.files
        for call in file.facts.method_calls
    }
    for decided in context.decided:
        read = decided.read
        if not _to_the_record(decided):
            continue
        if context.before(read.module, read.function, read.line):
            continue
        place = (read.file, read.line, read.column)
        if decided.candidate.context != "load":
            yield _write(decided, read.field, True)
        elif decided.candidate.called and read.field in context.pack.writers:
            for name in keywords.get(place, ()):
                yield _write(decided, name, False)


def _to_the_record(decided: Decided) -> bool:
    read = decided.read
    return read.decision == "convert" or read.reason in _TO_THE_RECORD


def _write(decided: Decided, field: str, plain: bool) -> Write:
    read = decided.read
    return Write(
        read.file,
        read.module,
        read.line,
        read.column,
        read.function,
        field,
        read.text,
        plain,
    )


def set_by_name(context: GuardContext) -> Iterator[Write]:
    """``setattr`` and ``delattr`` on the record, under names that nobody can read off.

    As of assignments, those of what only may be the record do not count.
    """
    for source, use in sets_by_name(context.index):
        file, module = source.file.path, source.file.module
        if (
            not context.is_owner(module)
            and not _kept(context, module)
            and not context.before(module, use.function, use.line)
        ):
            place = (file, module, use.line, use.column, use.function)
            yield Write(*place, "setattr", use.text, True)


def _kept(context: GuardContext, module: str) -> bool:
    """Whether the pack keeps a module whole."""
    return any(
        keep.modules
        and module_matches(keep.modules, module)
        and not module_matches(keep.except_modules, module)
        and not (keep.functions or keep.fields or keep.namespaces or keep.forms)
        for keep in context.pack.keeps
    )


def namespace_writes(context: GuardContext) -> Iterator[Write]:
    """Writes through the context: ``get_context().override(source, f=v)``."""
    for writer in context.pack.writers.values():
        for file, mention in context.mentions(context.targets.of(writer.call)):
            module = file.source.file.module
            if mention.path != (writer.target,) or context.is_owner(module):
                continue
            for name in mention.keywords:
                yield Write(
                    file.source.file.path,
                    module,
                    mention.line,
                    mention.column,
                    mention.function,
                    name,
                    mention.text,
                    False,
                )
