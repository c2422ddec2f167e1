"""Edits of a plan on the concrete syntax tree: formatting and comments survive.

``rewrite(text, plan)`` is the only way in. Every kind of edit in ``codemod.plan`` is
one module here of the same shape: a docstring with what, why, before and after;
``EXAMPLES`` that are run as tests; ``operations``, which turns the edits of that kind
into tree operations. ``codemod.rewrite.steps`` lists them: to add a kind of edit is
to add a module and its line there.

LibCST is imported when the first file is rewritten, not when this package is.
"""

from __future__ import annotations

from codemod.plan import FilePlan
from codemod.rewrite.comments import comments_kept
from codemod.rewrite.result import RewriteError, Rewritten
from codemod.rewrite.style import DEFAULT_STYLE, Style, style_for

__all__ = [
    "DEFAULT_STYLE",
    "RewriteError",
    "Rewritten",
    "Style",
    "comments_kept",
    "rewrite",
    "style_for",
]


def rewrite(text: str, plan: FilePlan, style: Style = DEFAULT_STYLE) -> Rewritten:
    """Apply every edit of ``plan`` to ``text`` and return the new text.

    The anchors of the plan count nodes of ``text``. The result parses, holds every
    comment of ``text`` but the pragmas of what was removed, and is the same byte for
    byte outside the edits. The function is pure, so it may run in another process.

    Raises RewriteError, with the file and line, when the text cannot be parsed or
    reproduced by LibCST, when the two syntax trees do not count the same anchors, or
    when an edit does not fit its node. Nothing is edited then.
    """
    from codemod.rewrite.rewriting import rewrite_text

    return rewrite_text(text, plan, style)
