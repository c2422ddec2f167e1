"""Calls of getters that are retired.

The pack names them: ``[guards.legacy] calls = ["pkg.mod:get_global_args"]``. Every
spelling that imports lead to one counts, as does handing it on without a call. The
modules that own the record may keep it for others.
"""

from __future__ import annotations

from codemod.guards.model import Finding, GuardContext, finding_at
from codemod.guards.samples import Sample

CODE = "legacy"
SUMMARY = "A use of a retired getter."
NEEDS_REASON = False

VALID = (
    Sample("from app.context import get_pool\n\n\ndef f():\n    return get_pool()\n"),
    Sample(
        "from app.other import get_old_config\n\n\ndef f():\n    get_old_config()\n",
        {"app/other.py": "def get_old_config():\n    return None\n"},
    ),
)
INVALID = (
    Sample(
        """\
from app import context
from app.context import get_old_config as old


def f():
    old()  # <-
    return context.get_old_config  # <-
"""
    ),
)


def findings(context: GuardContext) -> tuple[Finding, ...]:
    """One for each use."""
    legacy = context.targets.legacy
    found = []
    for file, mention in context.mentions(legacy) if legacy else ():
        if context.is_owner(file.source.file.module):
            continue
        name = mention.ref.rpartition(".")[2]
        found.append(
            finding_at(
                CODE,
                file,
                mention.line,
                mention.column,
                mention.function,
                f"{name} is retired",
                "read the field from its namespace",
                name,
                mention.text,
            )
        )
    return tuple(found)
