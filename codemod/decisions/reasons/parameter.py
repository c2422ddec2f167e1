"""The object read from came in as a parameter.

Whoever calls the function may pass an object of their own, so the read must go on
asking that object. A parameter is listed when it is annotated with the record's class,
named like one of the pack's ``attributes``, or has a getter call as its default.
"""

from __future__ import annotations

from codemod.decisions.case import Case

CODE = "parameter"
SUMMARY = "It reads a parameter."
EXAMPLE = """\
def build(config: Config):
    return config.pool_size  # <- parameter
"""


def why(case: Case) -> str | None:
    """The sentence that explains the keep, or None."""
    if "listed" in case.statuses:
        return "A caller may pass its own object, and reads must come from that one."
    return None
