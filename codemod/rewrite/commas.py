"""The comma of what becomes last in brackets: it ends the list as the old last did."""

from __future__ import annotations

import libcst as cst

from codemod.rewrite.whitespace import comments_in

_Comma = cst.Comma | cst.MaybeSentinel


def ended(
    own: _Comma, last: _Comma, space: cst.BaseParenthesizableWhitespace
) -> tuple[_Comma, cst.BaseParenthesizableWhitespace]:
    """Return the comma, and the whitespace without one, for a new last item.

    ``own`` is the comma the item has, ``last`` and ``space`` those of the old last. A
    comment after the item's own comma stays; then only the indentation of what follows
    is taken from the old end.
    """
    if not (isinstance(own, cst.Comma) and comments_in(own)):
        return last, space
    after = own.whitespace_after
    end = last.whitespace_after if isinstance(last, cst.Comma) else space
    if isinstance(after, cst.ParenthesizedWhitespace) and isinstance(
        end, cst.ParenthesizedWhitespace
    ):
        after = after.with_changes(indent=end.indent, last_line=end.last_line)
    return own.with_changes(whitespace_after=after), cst.SimpleWhitespace("")
