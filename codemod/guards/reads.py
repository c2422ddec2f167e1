"""Reads of the record that have a namespace, and parameters that fall back to it.

Every form counts: the getter and then the field, ``getattr`` with a literal name, an
alias and a copy of one, an attribute that stashes the record, a getter reached through
its module or under another name. Exempt are the modules that own the record and what
the pack keeps, never a familiar name.

A parameter that is filled from the record when the caller passes nothing
(``def f(sa=None)``) is a hidden read: it looks injected and reads the global.

To fix one, run ``nsroute apply``, or write what the finding says.
"""

from __future__ import annotations

from collections.abc import Iterator

from codemod.decisions.engine import Decided
from codemod.guards.model import Finding, GuardContext
from codemod.guards.samples import Sample
from codemod.model import Read

CODE = "reads"
SUMMARY = "A read of the record that belongs to a namespace."
NEEDS_REASON = False

VALID = (
    Sample(
        "from app.context import get_pool\n\n\ndef f():\n    return get_pool().size\n"
    ),
    Sample("def f(config):\n    return config.size\n"),
    Sample(
        "from app.other import get_config\n\n\ndef f():\n    get_config().size\n",
        {"app/other.py": "def get_config():\n    return None\n"},
    ),
)
INVALID = (
    Sample(
        """\
import app.context as ctx
from app.context import get_config
from app.context import get_config as g

held = get_config()
again = held


class Pool:
    def __init__(self):
        self._held = get_config()

    def size(self):
        return self._held.size  # <-


def f():
    get_config().size  # <-
    ctx.get_config().size  # <-
    g().size  # <-
    getattr(get_config(), "host", "")  # <-
    return again.port  # <-
"""
    ),
    Sample(
        """\
from app.context import get_config


def f(config=None):
    config = config or get_config()
    return config.size  # <-
"""
    ),
)


def findings(context: GuardContext) -> tuple[Finding, ...]:
    """One for each read that is left."""
    return tuple(_findings(context))


def _findings(context: GuardContext) -> Iterator[Finding]:
    for decided in context.decided:
        read = decided.read
        if read.decision == "convert":
            message = f"{read.field} belongs to {read.namespace}"
            yield _finding(read, message, read.replacement or "")
        elif read.reason == "backfill" or _is_filled(context, decided):
            message = (
                f"hidden read of {read.field}: the parameter falls back to the record"
            )
            yield _finding(
                read, message, "have the caller pass it, or read a namespace"
            )


def _is_filled(context: GuardContext, decided: Decided) -> bool:
    """Whether a parameter, kept for its name, may hold the record all the same."""
    if decided.read.reason != "parameter":
        return False
    origins = decided.candidate.origins
    return "yes" in context.index.record.combined(origins, decided.read.module)


def _finding(read: Read, message: str, fix: str) -> Finding:
    return Finding(
        CODE,
        read.file,
        read.line,
        read.column,
        read.function,
        message,
        fix,
        read.module,
        read.field,
        read.text,
    )
