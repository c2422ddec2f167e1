"""An import line that got too long is wrapped, one that got short may be unwrapped."""

from __future__ import annotations

import libcst as cst

from codemod.rewrite.import_names import imported_names, on_one_line, wrapped
from codemod.rewrite.operations import Source
from codemod.rewrite.whitespace import comments_in, spans_lines


def fitted(
    before: cst.SimpleStatementLine,
    after: cst.SimpleStatementLine,
    indent: str,
    source: Source,
) -> cst.SimpleStatementLine:
    """Return ``after`` with its changed imports laid out for the line length.

    ``before`` is the same line as it was. A wrapped import that lost names comes back
    on one line when it fits there and nothing (a comment, Black's magic trailing
    comma) asks for it to stay. An import that outgrew the line is wrapped; its
    trailing comment moves behind the parenthesis.
    """
    after = _unwrapped(before, after, indent, source)
    limit = max(source.style.line_length, longest_line(before, indent, source))
    if longest_line(after, indent, source) <= limit:
        return after
    parts = list(after.body)
    old = {id(part) for part in before.body}
    # The last import that changed is the one that stands at the end of the long line.
    for index in reversed(range(len(parts))):
        part = parts[index]
        if isinstance(part, cst.ImportFrom) and id(part) not in old:
            comment = None
            trailing = after.trailing_whitespace
            if index == len(parts) - 1 and trailing.comment is not None:
                space = part.lpar.whitespace_after if part.lpar else None
                if space is None or not comments_in(space):
                    comment = trailing.comment.value
                    trailing = trailing.with_changes(
                        comment=None, whitespace=cst.SimpleWhitespace("")
                    )
            parts[index] = wrapped(part, comment, source.module.default_indent)
            return after.with_changes(body=parts, trailing_whitespace=trailing)
    return after


def _unwrapped(
    before: cst.SimpleStatementLine,
    after: cst.SimpleStatementLine,
    indent: str,
    source: Source,
) -> cst.SimpleStatementLine:
    if len(before.body) != 1:
        return after
    (old,), (statement,) = before.body, after.body
    assert isinstance(old, (cst.Import, cst.ImportFrom))
    assert isinstance(statement, (cst.Import, cst.ImportFrom))
    fewer = len(imported_names(statement)) < len(imported_names(old))
    if not fewer or not _is_wrapped(old):
        return after
    flat = on_one_line(statement)
    if flat is None:
        return after
    candidate = after.with_changes(body=[flat])
    if longest_line(candidate, indent, source) > source.style.line_length:
        return after
    return candidate


def _is_wrapped(statement: cst.Import | cst.ImportFrom) -> bool:
    spaces = [statement.whitespace_after_import]
    if isinstance(statement, cst.ImportFrom) and statement.lpar is not None:
        assert statement.rpar is not None
        spaces += [statement.lpar.whitespace_after, statement.rpar.whitespace_before]  # type: ignore[list-item]
    assert not isinstance(statement.names, cst.ImportStar)
    spaces += [
        alias.comma.whitespace_after  # type: ignore[misc]
        for alias in statement.names
        if isinstance(alias.comma, cst.Comma)
    ]
    return any(map(spans_lines, spaces))


def longest_line(line: cst.SimpleStatementLine, indent: str, source: Source) -> int:
    """Return the length of the longest physical line, without its trailing comment.

    ``indent`` is what stands in front of the line. Linters let a pragma stand beyond
    the limit, so the comment does not count.
    """
    bare: cst.CSTNode = line.with_changes(
        leading_lines=(), trailing_whitespace=cst.TrailingWhitespace()
    )
    if indent:
        # In a block, what is in brackets is indented as well.
        bare = cst.IndentedBlock([bare], indent=indent)  # type: ignore[list-item]
    code = source.module.code_for_node(bare)
    return max(len(text.rstrip()) for text in code.expandtabs(4).splitlines())
