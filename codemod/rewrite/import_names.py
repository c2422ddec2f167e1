"""The names of one import statement: add some, remove some, lay them out once.

A statement is taken as names with gaps between them. The gap before the first name
follows ``import`` or ``(``, the last one comes before ``)``; each holds the line
break, the trailing comment of the name before it and the own-line comments above the
name after it:

    from m import (  # gap 0 ...
        # ... up to here
        a,  # gap 1, with this comment
        b,
    )
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

import libcst as cst

from codemod.rewrite.comments import is_pragma
from codemod.rewrite.name_order import insertion_index
from codemod.rewrite.operations import ImportedName
from codemod.rewrite.whitespace import (
    broken_line,
    comment_lines,
    comments_in,
    spans_lines,
)

Statement = cst.Import | cst.ImportFrom
_Space = cst.BaseParenthesizableWhitespace
_SPACE = cst.SimpleWhitespace(" ")
_NOTHING = cst.SimpleWhitespace("")


@dataclass(slots=True)
class _Names:
    """The names of a statement while they change: one gap more than names."""

    aliases: list[cst.ImportAlias]
    gaps: list[_Space]
    trailing_comma: bool


def imported_names(statement: Statement) -> list[ImportedName]:
    """Return the names of a statement in its order; none for ``import *``."""
    if isinstance(statement.names, cst.ImportStar):
        return []
    return [
        ImportedName(alias.evaluated_name, alias.evaluated_alias)
        for alias in statement.names
    ]


def edited(
    statement: Statement,
    add: Iterable[ImportedName],
    remove: frozenset[str],
    dropped: Counter[str],
) -> Statement | None:
    """Return the statement with names added and removed, or None when none is left.

    Layout, comments, trailing comma and order in use are kept. A pragma on the line of
    a removed name goes with it and is counted in ``dropped``; any other comment of it
    stays, on its own line.
    """
    names = _taken_apart(statement)
    template = _gap_between(names)
    present = {alias.evaluated_alias or alias.evaluated_name for alias in names.aliases}
    for name in add:
        if name.bound not in present or name.bound in remove:
            _insert(names, name, template)
    for index in reversed(range(len(names.aliases))):
        alias = names.aliases[index]
        name = ImportedName(alias.evaluated_name, alias.evaluated_alias)
        if name.bound in remove and name not in add:
            if len(names.aliases) == 1:
                return None
            _remove(names, index, dropped)
    return _put_together(statement, names)


def on_one_line(statement: Statement) -> Statement | None:
    """Return the statement unwrapped, or None when a person wants it wrapped.

    Comments need their lines, and so does Black's magic trailing comma.
    """
    names = _taken_apart(statement)
    if names.trailing_comma or comments_in(statement):
        return None
    names.gaps = [*[_SPACE] * len(names.aliases), _NOTHING]
    if isinstance(statement, cst.ImportFrom):
        statement = statement.with_changes(
            lpar=None, rpar=None, whitespace_after_import=_SPACE
        )
    return _put_together(statement, names)


def wrapped(
    statement: cst.ImportFrom, comment: str | None, indent: str
) -> cst.ImportFrom:
    """Return the statement in parentheses, one name a line, as Black would.

    ``comment`` is the trailing comment of its line: it moves behind the ``(``, where
    a tool looks for a pragma of the statement. ``indent`` goes before every name.
    """
    names = _taken_apart(statement)
    names.trailing_comma = True
    inner = [_broken_like(gap, indent) for gap in names.gaps[1:-1]]
    first = _broken_like(names.gaps[0], indent)
    if comment is not None:
        first = broken_line(comment, first.empty_lines, indent)
    last = _broken_like(names.gaps[-1], "")
    names.gaps = [first, *inner, last]
    space = statement.whitespace_after_import
    statement = statement.with_changes(
        lpar=statement.lpar or cst.LeftParen(),
        rpar=statement.rpar or cst.RightParen(),
        whitespace_after_import=_SPACE if spans_lines(space) else space,
    )
    result = _put_together(statement, names)
    assert isinstance(result, cst.ImportFrom)
    return result


def _broken_like(gap: _Space, last_line: str) -> cst.ParenthesizedWhitespace:
    if isinstance(gap, cst.ParenthesizedWhitespace):
        return gap.with_changes(last_line=cst.SimpleWhitespace(last_line))
    return broken_line(None, (), last_line)


def _taken_apart(statement: Statement) -> _Names:
    assert not isinstance(statement.names, cst.ImportStar)  # no step edits a star
    aliases = list(statement.names)
    opening = closing = None
    if isinstance(statement, cst.ImportFrom):
        opening, closing = statement.lpar, statement.rpar
    first: _Space = (
        opening.whitespace_after if opening else statement.whitespace_after_import
    )
    gaps = [first]
    for alias in aliases:
        comma = alias.comma
        gaps.append(
            comma.whitespace_after if isinstance(comma, cst.Comma) else _NOTHING
        )
    trailing_comma = isinstance(aliases[-1].comma, cst.Comma)
    if closing is not None and not trailing_comma:
        gaps[-1] = closing.whitespace_before
    return _Names(aliases, gaps, trailing_comma)


def _put_together(statement: Statement, names: _Names) -> Statement:
    aliases = []
    for alias, gap in zip(names.aliases, names.gaps[1:]):
        comma = alias.comma if isinstance(alias.comma, cst.Comma) else cst.Comma()
        comma = comma.with_changes(whitespace_after=gap)
        aliases.append(alias.with_changes(comma=comma))
    if not names.trailing_comma:
        aliases[-1] = aliases[-1].with_changes(comma=cst.MaybeSentinel.DEFAULT)
    if isinstance(statement, cst.Import) or statement.lpar is None:
        return statement.with_changes(
            names=aliases, whitespace_after_import=names.gaps[0]
        )
    assert statement.rpar is not None
    closing = _NOTHING if names.trailing_comma else names.gaps[-1]
    return statement.with_changes(
        names=aliases,
        lpar=statement.lpar.with_changes(whitespace_after=names.gaps[0]),
        rpar=statement.rpar.with_changes(whitespace_before=closing),
    )


def _gap_between(names: _Names) -> _Space:
    """Return the gap a new name gets: a line break where every name has its line."""
    inner = names.gaps[1:-1]
    like = inner[0] if inner else names.gaps[0]
    if not all(map(spans_lines, inner)) or not spans_lines(like):
        return _SPACE
    if isinstance(like, cst.ParenthesizedWhitespace):
        return like.with_changes(
            first_line=broken_line().first_line, empty_lines=(), indent=True
        )
    return like


def _insert(names: _Names, name: ImportedName, template: _Space) -> None:
    """Put a name at its place in the order; comments stay with the names they are on.

    The comment behind the name before it, and the own lines above the name after it,
    are parts of one gap, which is split around the new name.
    """
    alias = cst.ImportAlias(
        name=cst.Name(name.name),
        asname=cst.AsName(cst.Name(name.asname)) if name.asname else None,
    )
    present = [alias.evaluated_name for alias in names.aliases]
    index = insertion_index(present, name.name)
    gap = names.gaps[index]
    before, after = gap, template
    if isinstance(gap, cst.ParenthesizedWhitespace) and isinstance(
        template, cst.ParenthesizedWhitespace
    ):
        before = template.with_changes(first_line=gap.first_line)
        after = gap.with_changes(first_line=template.first_line)
    elif index == len(names.aliases):
        before, after = template, gap
    names.aliases.insert(index, alias)
    names.gaps[index : index + 1] = [before, after]


def _remove(names: _Names, index: int, dropped: Counter[str]) -> None:
    before, after = names.gaps[index], names.gaps[index + 1]
    at_start, at_end = index == 0, index == len(names.aliases) - 1
    del names.aliases[index]
    own_line = isinstance(before, cst.ParenthesizedWhitespace) and isinstance(
        after, cst.ParenthesizedWhitespace
    )
    if own_line:
        assert isinstance(before, cst.ParenthesizedWhitespace)
        assert isinstance(after, cst.ParenthesizedWhitespace)
        kept = []
        if (comment := after.first_line.comment) is not None:
            if is_pragma(comment.value):
                dropped.update([comment.value.rstrip()])
            else:
                kept = comment_lines([comment.value], before.last_line.value)
        merged: _Space = after.with_changes(
            first_line=before.first_line,
            empty_lines=[*before.empty_lines, *kept, *after.empty_lines],
        )
    elif comments_in(before) or comments_in(after):
        merged = before if comments_in(before) else after
        if at_end and isinstance(merged, cst.ParenthesizedWhitespace):
            merged = merged.with_changes(last_line=_NOTHING)
    elif at_start:
        merged = before
    elif at_end:
        merged = after
    else:
        merged = before if spans_lines(before) else after
    names.gaps[index : index + 2] = [merged]
