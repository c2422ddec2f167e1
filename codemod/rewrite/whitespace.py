"""Comments and blank lines of LibCST nodes: find them, and give them a new place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar

import libcst as cst

Expression = TypeVar("Expression", bound=cst.BaseExpression)

#: How far a line inside brackets goes in, when nothing else says so.
INDENT = "    "


def comments_in(*nodes: cst.CSTNode | None) -> tuple[str, ...]:
    """Return every comment inside ``nodes``, in source order as LibCST visits it."""
    return tuple(comment for node in nodes if node for comment in _comments(node))


def _comments(node: cst.CSTNode) -> Iterator[str]:
    if isinstance(node, cst.Comment):
        yield node.value
    for child in node.children:
        yield from _comments(child)


def comment_lines(comments: Iterable[str], indent: str = "") -> list[cst.EmptyLine]:
    """Return one own line for each comment, ``indent`` deeper than the block."""
    return [
        cst.EmptyLine(
            whitespace=cst.SimpleWhitespace(indent), comment=cst.Comment(comment)
        )
        for comment in comments
    ]


def leading_lines(statement: cst.CSTNode) -> Sequence[cst.EmptyLine]:
    """Return the blank lines and comments above a statement."""
    lines: Sequence[cst.EmptyLine] = getattr(statement, "leading_lines", ())
    return lines


def is_blank(line: cst.EmptyLine) -> bool:
    """Tell whether a line holds nothing, not even a comment."""
    return line.comment is None


def leading_blanks(lines: Sequence[cst.EmptyLine]) -> int:
    """Return how many blank lines come before the first comment."""
    for count, line in enumerate(lines):
        if not is_blank(line):
            return count
    return len(lines)


def trailing_blanks(lines: Sequence[cst.EmptyLine]) -> int:
    """Return how many blank lines come after the last comment."""
    return leading_blanks(lines[::-1])


def with_leading_blanks(
    lines: Sequence[cst.EmptyLine], count: int
) -> list[cst.EmptyLine]:
    """Return ``lines`` with exactly ``count`` blank lines before the first comment.

    Blank lines that are there are kept as they are, spaces and all.
    """
    there = leading_blanks(lines)
    blanks = list(lines[: min(there, count)])
    blanks += [cst.EmptyLine(indent=False)] * (count - len(blanks))
    return [*blanks, *lines[there:]]


def spans_lines(whitespace: cst.BaseParenthesizableWhitespace) -> bool:
    """Tell whether a newline stands in ``whitespace``, escaped or inside brackets."""
    if isinstance(whitespace, cst.SimpleWhitespace):
        return "\n" in whitespace.value or "\r" in whitespace.value
    return True


def broken_line(
    comment: str | None = None,
    own_lines: Iterable[cst.EmptyLine] = (),
    last_line: str = "",
) -> cst.ParenthesizedWhitespace:
    """Return a line break inside brackets, with what stands around it."""
    return cst.ParenthesizedWhitespace(
        first_line=cst.TrailingWhitespace(
            whitespace=cst.SimpleWhitespace("  " if comment else ""),
            comment=cst.Comment(comment) if comment else None,
        ),
        empty_lines=tuple(own_lines),
        indent=True,
        last_line=cst.SimpleWhitespace(last_line),
    )


def parenthesized(expression: Expression) -> Expression:
    """Return ``expression`` in a pair of parentheses of its own."""
    return expression.with_changes(
        lpar=[cst.LeftParen(), *expression.lpar],
        rpar=[*expression.rpar, cst.RightParen()],
    )


def with_comments(expression: Expression, comments: Sequence[str]) -> Expression:
    """Return ``expression`` after own lines for ``comments``, inside parentheses.

    They go into the parentheses the expression has, when these already break the
    line, else into a pair of its own:

        (
            # the comment
            get_exec().kernel.backend
        )
    """
    if not comments:
        return expression
    if expression.lpar:
        opening = expression.lpar[0]
        space = opening.whitespace_after
        if isinstance(space, cst.ParenthesizedWhitespace):
            lines = comment_lines(comments, space.last_line.value)
            space = space.with_changes(empty_lines=[*space.empty_lines, *lines])
            opening = opening.with_changes(whitespace_after=space)
            return expression.with_changes(lpar=[opening, *expression.lpar[1:]])
    opening = cst.LeftParen(broken_line(None, comment_lines(comments, INDENT), INDENT))
    closing = cst.RightParen(broken_line())
    return expression.with_changes(
        lpar=[opening, *expression.lpar], rpar=[*expression.rpar, closing]
    )
