"""The object is a parameter that is filled from the getter when the caller passed none.

``if c is None: c = get_config()``, ``c = c or get_config()``, the conditional
expression and the walrus all make one. Reads through it must stay: a caller that does
pass an object expects its values.
"""

from __future__ import annotations

from codemod.decisions.case import Case

CODE = "backfill"
SUMMARY = "The parameter falls back to the record."
EXAMPLE = """\
def build(c=None):
    c = c or get_config()
    return c.pool_size  # <- backfill
"""


def why(case: Case) -> str | None:
    """The sentence that explains the keep, or None."""
    if "parameter" in case.statuses:
        return (
            "The parameter is filled from the record only when the caller passes "
            "nothing; whoever passes an object must get reads from it."
        )
    return None
