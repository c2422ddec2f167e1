"""The pack has a ``[[keep]]`` entry that matches the read.

An entry selects by module, function, field, namespace and form, combined with AND, and
gives its own reason code and sentence; the report shows those. The first entry that
matches is taken.
"""

from __future__ import annotations

from codemod.decisions.case import Case
from codemod.packs import Keep

CODE = "keep"
SUMMARY = "An entry of the pack keeps it."
EXAMPLE = """\
# with [[keep]] reason = "per-engine", modules = ["app.engine"]
class Engine:
    def limit(self):
        return self.config.pool_size  # <- per-engine
"""


def why(case: Case) -> str | None:
    """The sentence that explains the keep, or None."""
    entry = matching_entry(case)
    return None if entry is None else entry.why


def matching_entry(case: Case) -> Keep | None:
    """The first entry of the pack that keeps the read."""
    candidate = case.candidate
    for entry in case.pack.keeps:
        if entry.matches(
            case.module,
            candidate.function,
            candidate.field,
            case.namespace,
            candidate.form,
            candidate.origin_form or None,
        ):
            return entry
    return None
