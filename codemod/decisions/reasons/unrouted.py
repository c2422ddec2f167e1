"""No route says which namespace the field belongs to.

Either its declaration carries no marker, or the record's class has no field of that
name at all; the sentence says which. Add a marker, or a line under
``[routes.fields]``.
"""

from __future__ import annotations

from codemod.decisions.case import Case

CODE = "unrouted"
SUMMARY = "The field has no namespace."
EXAMPLE = """\
# class Config has: debug: bool = False
def debugging():
    return get_config().debug  # <- unrouted
"""


def why(case: Case) -> str | None:
    """The sentence that explains the keep, or None."""
    if case.namespace is not None:
        return None
    if case.field_known:
        return f"The field {case.candidate.field} has no namespace yet."
    return f"The record's class declares no field {case.candidate.field}."
