"""The accessor shadows this field with a live value, and the configured one has a call.

The pack registers the field under ``[configured]``: at its registered sites the read
goes to that call by a step of its own, elsewhere it stays.
"""

from __future__ import annotations

from codemod.decisions.case import Case

CODE = "configured"
SUMMARY = "The configured size is meant."
EXAMPLE = """\
# with [configured.workers] in the pack
def shape():
    return get_config().workers  # <- configured
"""


def why(case: Case) -> str | None:
    """The sentence that explains the keep, or None."""
    entry = case.pack.configured.get(case.candidate.field)
    if entry is None:
        return None
    return f"The accessor gives the live value; the configured one is {entry.call}."
