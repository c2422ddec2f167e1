"""The name is a property or method of the record, not a field with a route.

Its value is computed from fields, so no namespace holds it. It goes to a named accessor
when the pack has one for it under ``[derived]``, by a step of its own.
"""

from __future__ import annotations

from codemod.decisions.case import Case

CODE = "derived"
SUMMARY = "It is a derived member."
EXAMPLE = """\
# class Config has: def is_large(self): ...
def big():
    return get_config().is_large()  # <- derived
"""


def why(case: Case) -> str | None:
    """The sentence that explains the keep, or None."""
    member = case.candidate.field
    if case.member is None and member not in case.pack.derived:
        return None
    kind = case.member or case.pack.derived[member].kind
    named = case.pack.derived.get(member)
    if named is None:
        return f"{member} is a {kind} of the record, not a field."
    return f"{member} is a {kind}; it goes to {named.call} by the derived step."
