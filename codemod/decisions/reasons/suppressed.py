"""A person keeps one read by a comment on its line.

The comment is ``# nsroute: keep[reason] text``; both the reason code and the text are
needed, so that a kept read always says why. It covers the reads on its logical line,
however a formatter wraps it.
"""

from __future__ import annotations

from codemod.decisions.case import Case

CODE = "suppressed"
SUMMARY = "An inline comment keeps it."
EXAMPLE = """\
def size(pool):
    return get_config().pool_size  # nsroute: keep[live] reread # <- suppressed
"""


def why(case: Case) -> str | None:
    """The sentence that explains the keep, or None."""
    return case.candidate.suppression
