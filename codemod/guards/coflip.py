"""A field whose readers and writers are on different sides.

Readers of the namespace do not see what a writer writes only to the record, and readers
of the record do not see what goes only to the namespace. Read and written, a field
moves in one commit: ``nsroute apply`` sees to that; afterwards this guard does.
"""

from __future__ import annotations

from collections.abc import Iterator

from codemod.guards.model import Finding, GuardContext
from codemod.guards.samples import Sample
from codemod.guards.writes import Write, namespace_writes, record_writes

CODE = "coflip"
SUMMARY = "A field is read from one side and written to the other."
NEEDS_REASON = False

_READ = """\
from app.context import get_pool


def room():
    return get_pool().size
"""

VALID = (
    Sample(
        """\
from app.context import get_context


def grow():
    get_context().override("grow", size=2)
""",
        {"app/read.py": _READ},
    ),
    Sample(
        """\
from app.context import get_config


def grow():
    get_config().override("grow", port=2)
""",
        {"app/read.py": _READ},
    ),
)
INVALID = (
    Sample(
        """\
from app.context import get_config


def grow():
    get_config().override("grow", size=2)  # <-
""",
        {"app/read.py": _READ},
    ),
    Sample(
        """\
from app.context import get_config, get_context


def grow():
    get_context().override("grow", size=2)


def room():
    return get_config().size  # <-
"""
    ),
)

#: Keep reasons under which a read is still one of the published record.
_OF_THE_RECORD = frozenset({"import-time", "guarded", "ambiguous", "backfill"})


def findings(context: GuardContext) -> tuple[Finding, ...]:
    """One for each write, or read, that the other side does not see."""
    if not context.pack.writers:
        return ()
    return (*_unseen_writes(context), *_blind_reads(context))


def _unseen_writes(context: GuardContext) -> Iterator[Finding]:
    readers: dict[str, str] = {}
    for field, place in _namespace_reads(context):
        readers.setdefault(field, place)
    for write in record_writes(context):
        if write.field in context.pack.configured:
            continue  # its accessor shows a live value, not what is written
        if write.field in readers:
            namespace = context.routes.fields.get(write.field)
            yield _finding(
                write,
                f"{write.field} is written to the record, and read from {namespace} "
                f"({readers[write.field]})",
                "write it with the context's writer, as its readers are there",
            )


def _namespace_reads(context: GuardContext) -> Iterator[tuple[str, str]]:
    """Fields read from their namespaces, each with a place."""
    accessors = context.targets.accessors
    for file, mention in context.mentions(frozenset(accessors)):
        if not mention.path:
            continue
        for name in context.targets.meaning(mention.ref) & accessors.keys():
            path = [accessors[name].root, *mention.path]
            for field in mention.path:
                end = path.index(field, 1)
                if context.routes.fields.get(field) == ".".join(path[:end]):
                    yield field, f"{file.source.file.path}:{mention.line}"


def _blind_reads(context: GuardContext) -> Iterator[Finding]:
    written: dict[str, Write] = {}
    for write in namespace_writes(context):
        written.setdefault(write.field, write)
    on_record = {write.field for write in record_writes(context)}
    for decided in context.decided:
        read = decided.read
        write_ = written.get(read.field)
        if write_ is None or read.field in on_record:
            continue
        if decided.candidate.context != "load":
            continue
        if read.decision != "convert" and read.reason not in _OF_THE_RECORD:
            continue
        yield Finding(
            CODE,
            read.file,
            read.line,
            read.column,
            read.function,
            f"{read.field} is read from the record, and written to {read.namespace} "
            f"({write_.file}:{write_.line})",
            read.replacement or "read it from its namespace",
            read.module,
            read.field,
            read.text,
        )


def _finding(write: Write, message: str, fix: str) -> Finding:
    return Finding(
        CODE,
        write.file,
        write.line,
        write.column,
        write.function,
        message,
        fix,
        write.module,
        write.field,
        write.text,
    )
