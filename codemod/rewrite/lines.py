"""Lines and blocks while they are rebuilt: statements go, imports come.

Nothing a person wrote is lost on the way: a comment above a removed statement goes to
the next one or to the end of the block, and blank lines do not pile up.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import libcst as cst

from codemod.rewrite.comments import is_pragma
from codemod.rewrite.import_place import is_docstring
from codemod.rewrite.operations import Ledger
from codemod.rewrite.whitespace import (
    comment_lines,
    comments_in,
    is_blank,
    leading_blanks,
    leading_lines,
    trailing_blanks,
    with_leading_blanks,
)


@dataclass(frozen=True, slots=True)
class Gone:
    """What is left of a line that was removed: the lines above it that people wrote."""

    lines: tuple[cst.EmptyLine, ...]


def without_removed(
    before: Sequence[cst.BaseSmallStatement],
    after: Sequence[cst.BaseSmallStatement | None],
) -> tuple[list[cst.BaseSmallStatement], tuple[str, ...]]:
    """Return the statements left on a line, and the comments inside the others.

    The last one takes the semicolon, or none, of the one that was last.
    """
    kept = [statement for statement in after if statement is not None]
    lost = [old for old, new in zip(before, after) if new is None]
    if kept and after[-1] is None:
        kept[-1] = kept[-1].with_changes(semicolon=before[-1].semicolon)
    return kept, comments_in(*lost)


def settled_line(
    line: cst.SimpleStatementLine,
    after: Sequence[cst.BaseSmallStatement | None],
    ledger: Ledger,
) -> cst.SimpleStatementLine | Gone:
    """Return a line without its removed statements, or what is left of it."""
    kept, comments = without_removed(line.body, after)
    if kept:
        own_lines = comment_lines(_for_people(comments, ledger))
        return line.with_changes(
            body=kept, leading_lines=[*line.leading_lines, *own_lines]
        )
    trailing = line.trailing_whitespace.comment
    if trailing is not None:
        comments = (*comments, trailing.value)
    own_lines = comment_lines(_for_people(comments, ledger))
    return Gone((*line.leading_lines, *own_lines))


def _for_people(comments: Sequence[str], ledger: Ledger) -> list[str]:
    kept = []
    for comment in comments:
        if is_pragma(comment):
            ledger.dropped.update([comment.rstrip()])
        else:
            kept.append(comment)
    return kept


@dataclass(slots=True)
class Settled:
    """A block without its removed lines.

    ``places`` maps an index in the block as it was (its length included) to one in
    ``body``. ``left`` are the lines that came before the removed end of the block.
    """

    body: list[cst.BaseStatement]
    places: list[int]
    left: list[cst.EmptyLine]


def settled_block(
    after: Sequence[cst.BaseStatement | Gone], header: Sequence[cst.EmptyLine] | None
) -> Settled:
    """Return the statements of a block without what was removed.

    At the start of a block, and after a function's docstring, the next statement
    comes as near as the removed one was; elsewhere the larger gap is kept. Under a
    comment that stays, but for a module's, there is none. ``header``
    is given for a module: the lines before its first statement, which stay.
    """
    above = trailing_blanks(header or ())
    body: list[cst.BaseStatement] = []
    places: list[int] = []
    carried: list[cst.EmptyLine] | None = None
    for statement in after:
        places.append(len(body))
        if isinstance(statement, Gone):
            carried = _merged(carried, statement.lines, True)
            continue
        if carried is not None:
            lines = leading_lines(statement)
            if not all(map(is_blank, carried)):
                # A blank line would part the comment from all that it can be about.
                near = header is None
            elif header and not body:
                # Blank lines of the header already stand where these would.
                near = False
                count = max(leading_blanks(lines) - above, 0)
                lines = with_leading_blanks(lines, count)
            else:
                at_start = all(map(is_docstring, body))
                near = at_start and (header is None or not body)
            lines = _merged(carried, lines, not near)
            statement = with_leading_lines(statement, lines)
            carried = None
        body.append(statement)
    places.append(len(body))
    left = carried or []
    return Settled(body, places, left if not all(map(is_blank, left)) else [])


def _merged(
    first: Sequence[cst.EmptyLine] | None,
    second: Sequence[cst.EmptyLine],
    larger: bool,
) -> list[cst.EmptyLine]:
    """Return the lines above two statements as lines above one.

    Where they meet are the blank lines that ``first`` ends with, or the ``larger``
    number of those and the ones ``second`` starts with.
    """
    if first is None:
        return list(second)
    count = trailing = trailing_blanks(first)
    if larger:
        count = max(trailing, leading_blanks(second))
    return [*first[: len(first) - trailing], *with_leading_blanks(second, count)]


def with_leading_lines(
    statement: cst.BaseStatement, lines: Sequence[cst.EmptyLine]
) -> cst.BaseStatement:
    """Return ``statement`` below other blank lines and comments."""
    return statement.with_changes(leading_lines=lines)
