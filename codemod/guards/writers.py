"""Writes to the record after it was published.

Whoever reads a namespace may not see them. ``nsroute apply`` turns the pack's writer
methods into writes of the namespaces; an assignment ``record.field = value`` and a
``setattr`` are for a person to see to.

Runs when the pack has ``[writers]`` or ``[publish]``: without either nobody can say
that a write comes too late.
"""

from __future__ import annotations

from collections.abc import Iterator

from codemod.guards.model import Finding, GuardContext
from codemod.guards.samples import Sample
from codemod.guards.writes import record_writes, set_by_name

CODE = "writers"
SUMMARY = "A write to the record after publishing."
NEEDS_REASON = False

VALID = (
    Sample(
        """\
from app.context import get_context


def grow():
    get_context().override("grow", size=2)
"""
    ),
    Sample(
        """\
from app.context import get_config


class Engine:
    def __init__(self):
        self.held = get_config()

    def become(self, other):
        self.held = other

    def grow(self, name):
        self.held.size = 2
        setattr(self.held, name, 3)
"""
    ),
    Sample(
        files={
            "app/main.py": """\
from app.context import get_config, get_context


def resolve():
    get_config().size = 2


def main():
    resolve()
    get_context().publish()
"""
        }
    ),
)
INVALID = (
    Sample(
        """\
from app.context import get_config


def grow():
    get_config().override("grow", size=2)  # <-
    get_config().size += 1  # <-
    setattr(get_config(), "size", 3)  # <-
"""
    ),
)


def findings(context: GuardContext) -> tuple[Finding, ...]:
    """One for each field that is written."""
    if not context.pack.writers and context.pack.publish is None:
        return ()
    return tuple(_findings(context))


def _findings(context: GuardContext) -> Iterator[Finding]:
    for write in record_writes(context):
        how = (
            "assign it through the context's writer"
            if write.plain
            else "write it with the context's writer: `nsroute apply` does"
        )
        name = "fields by **" if write.field == "**" else write.field
        yield Finding(
            CODE,
            write.file,
            write.line,
            write.column,
            write.function,
            f"{name} is written to the record, which may be published by now",
            how,
            write.module,
            write.field,
            write.text,
        )
    for write in set_by_name(context):
        yield Finding(
            CODE,
            write.file,
            write.line,
            write.column,
            write.function,
            "the record is written by name, and may be published by now",
            "assign it through the context's writer",
            write.module,
            write.field,
            write.text,
        )
