"""The read's function is reached before the record is published.

The pack names the process entry points and the publish call under ``[publish]``;
everything that is called before that call has no namespaces yet.
"""

from __future__ import annotations

from codemod.decisions.case import Case

CODE = "pre-publish"
SUMMARY = "It runs before publishing."
EXAMPLE = """\
def check():
    return get_config().pool_size  # <- pre-publish
"""


def why(case: Case) -> str | None:
    """The sentence that explains the keep, or None."""
    if not case.before_publish:
        return None
    return f"This runs before the record is published: {case.before_publish}."
