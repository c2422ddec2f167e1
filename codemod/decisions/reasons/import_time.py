"""The read runs at import: at module level, in a class body, a decorator or a default.

The record may not be published yet, and a namespace read there would freeze today's
value for the life of the process. A class body or a default inside a function runs when
the function does, and is not meant.
"""

from __future__ import annotations

from codemod.decisions.case import Case

CODE = "import-time"
SUMMARY = "It runs when the module is imported."
EXAMPLE = """\
LIMIT = get_config().pool_size  # <- import-time
"""


def why(case: Case) -> str | None:
    """The sentence that explains the keep, or None."""
    if not case.candidate.import_time:
        return None
    return "This runs when the module is imported and would freeze the value then."
