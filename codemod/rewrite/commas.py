"""The comma of what becomes last in brackets: it ends the list as the old last did."""

from __future__ import annotations

from collections.abc import Sequence

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
    if own is last or not (isinstance(own, cst.Comma) and comments_in(own)):
        return last, space
    after = own.whitespace_after
    end = last.whitespace_after if isinstance(last, cst.Comma) else space
    if isinstance(after, cst.ParenthesizedWhitespace) and isinstance(
        end, cst.ParenthesizedWhitespace
    ):
        after = after.with_changes(indent=end.indent, last_line=end.last_line)
    return own.with_changes(whitespace_after=after), cst.SimpleWhitespace("")


def ended_arguments(arguments: Sequence[cst.Arg], call: cst.Call) -> list[cst.Arg]:
    """Return some of the arguments of ``call``, ended as those of the call are."""
    *others, end = arguments
    *_, last = call.args
    comma, space = ended(end.comma, last.comma, last.whitespace_after_arg)
    return [*others, end.with_changes(comma=comma, whitespace_after_arg=space)]
