"""The field is assigned, augmented, deleted or bound by a loop: a write to the record.

Namespaces are written through their context, so a plain write has no counterpart that
keeps its meaning for other readers of the record. It is reported and left.
"""

from __future__ import annotations

from codemod.decisions.case import Case

CODE = "write-target"
SUMMARY = "It is written, not read."
EXAMPLE = """\
def grow():
    get_config().pool_size += 1  # <- write-target
"""


def why(case: Case) -> str | None:
    """The sentence that explains the keep, or None."""
    if case.candidate.context in ("load", "pattern", "private"):
        return None
    return "This writes the record; a write is never turned into a read."
