"""Right positions for expressions inside f-strings before Python 3.12.

Until PEP 701, ``ast`` placed the nodes of a replacement field relative to the field
alone. Here the string is scanned for its fields as the old parser did (reference
2.4.3 of Python 3.11), each field's text is parsed at its true place, and the positions
are copied to the nodes that already exist.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator

from codemod.analysis.positions import SourceLines

_PREFIX = re.compile(r"[A-Za-z]*")


def repair_positions(node: ast.JoinedStr, lines: SourceLines) -> None:
    """Give every expression inside an f-string its position in the file."""
    start = lines.offset(node.lineno, node.col_offset)
    segment = lines.segment(node)
    spans = list(_field_spans(segment))
    values = list(_formatted_values(node))
    if len(spans) != len(values):
        return
    for value, (first, last) in zip(values, spans):
        _place(value.value, segment[first:last], start + first, lines)
        for inner in _outermost_fstrings(value.value):
            repair_positions(inner, lines)


def _formatted_values(node: ast.JoinedStr) -> Iterator[ast.FormattedValue]:
    for part in node.values:
        if isinstance(part, ast.FormattedValue):
            yield part
            if isinstance(part.format_spec, ast.JoinedStr):
                yield from _formatted_values(part.format_spec)


def _outermost_fstrings(node: ast.AST) -> Iterator[ast.JoinedStr]:
    if isinstance(node, ast.JoinedStr):
        yield node
        return
    for child in ast.iter_child_nodes(node):
        yield from _outermost_fstrings(child)


def _place(node: ast.expr, text: str, offset: int, lines: SourceLines) -> None:
    """Copy the positions of ``text``, which stands at ``offset``, to ``node``."""
    try:
        twin = ast.parse(f"({text})", mode="eval").body
    except SyntaxError:  # pragma: no cover - the same text has been parsed before
        return
    own = SourceLines(f"({text})")
    for target, source in zip(_positioned(node), _positioned(twin)):
        if type(target) is not type(source):
            return
        begin = offset - 1 + own.offset(source.lineno, source.col_offset)
        end = offset - 1 + own.offset(source.end_lineno, source.end_col_offset)  # type: ignore[arg-type]
        target.lineno, target.col_offset = lines.position(begin)
        target.end_lineno, target.end_col_offset = lines.position(end)


def _positioned(node: ast.AST) -> Iterator[ast.expr]:
    """The nodes with positions, not going into f-strings, whose insides are wrong."""
    if hasattr(node, "lineno"):
        yield node  # type: ignore[misc]
    if not isinstance(node, ast.JoinedStr):
        for child in ast.iter_child_nodes(node):
            yield from _positioned(child)


def _field_spans(segment: str) -> Iterator[tuple[int, int]]:
    """Yield the span of each replacement field's expression, outer ones first."""
    source = SourceLines(f"({segment})")
    reader = io.StringIO(f"({segment})", newline="").readline
    depth_starts = []
    try:
        for token in tokenize.generate_tokens(reader):
            if token.type == tokenize.STRING:
                depth_starts.append(
                    (source.character_offset(*token.start) - 1, token.string)
                )
    except (tokenize.TokenError, IndentationError):
        return
    for start, string in depth_starts:
        match = _PREFIX.match(string)
        prefix = match.group() if match else ""
        if "f" not in prefix.lower():
            continue
        quote = 3 if string[len(prefix) : len(prefix) + 3] in ('"""', "'''") else 1
        body = len(prefix) + quote
        for first, last in _fields(string, body, len(string) - quote, nested=False):
            yield start + first, start + last


def _fields(
    string: str, index: int, end: int, *, nested: bool
) -> Iterator[tuple[int, int]]:
    while index < end:
        char = string[index]
        if char == "{":
            if not nested and string[index + 1 : index + 2] == "{":
                index += 2
                continue
            last = _expression_end(string, index + 1, end)
            yield index + 1, last
            index = last
            if string[index : index + 1] == "=":
                index += 1
                while string[index : index + 1].isspace():
                    index += 1
            if string[index : index + 1] == "!":
                index += 2
            if string[index : index + 1] == ":":
                close = _spec_end(string, index + 1, end)
                yield from _fields(string, index + 1, close, nested=True)
                index = close
        index += 1


def _spec_end(string: str, index: int, end: int) -> int:
    """The index of the brace that closes a field whose format spec starts here."""
    depth = 0
    while index < end:
        if string[index] == "{":
            depth += 1
        elif string[index] == "}":
            if not depth:
                return index
            depth -= 1
        index += 1
    return index


def _expression_end(string: str, index: int, end: int) -> int:
    """Where an expression stops: at ``}``, ``:``, ``!x`` or the ``=`` of a debug field.

    Trailing blanks before ``=`` belong to the printed text, not to the expression, but
    parse the same, so they stay in the span.
    """
    depth = 0
    while index < end:
        char = string[index]
        if char in "'\"":
            index = _string_end(string, index)
            continue
        if char in "([{":
            depth += 1
        elif char in ")]" or (char == "}" and depth):
            depth -= 1
        elif not depth:
            if char in "}:":
                return index
            following = string[index + 1 : index + 2]
            if char == "!" and following != "=":
                return index
            if char == "=":
                if following == "=":
                    index += 2
                    continue
                if string[index - 1] not in "!<>=":
                    return index
        index += 1
    return index


def _string_end(string: str, index: int) -> int:
    quote = string[index]
    if string[index : index + 3] == quote * 3:
        close = string.find(quote * 3, index + 3)
        return len(string) if close < 0 else close + 3
    close = string.find(quote, index + 1)
    return len(string) if close < 0 else close + 1
