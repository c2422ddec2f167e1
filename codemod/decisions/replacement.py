"""The source text that a read becomes."""

from __future__ import annotations

import ast

from codemod.analysis.facts import Candidate
from codemod.analysis.positions import SourceLines


def replacement_text(candidate: Candidate, accessor: str, path: tuple[str, ...]) -> str:
    """The text that replaces ``candidate.text``; white space between parts stays.

    ``accessor`` is source text, ``path`` the rest of the namespace.
    """
    wrapped = f"({candidate.text}\n)"
    plain = ".".join((accessor, *path, candidate.field))
    try:
        node = ast.parse(wrapped, mode="eval").body
    except SyntaxError:
        return plain
    base = _base(node, candidate.via)
    if base is None:
        return plain
    lines = SourceLines(wrapped)
    start, end = _outer(lines, wrapped, base)
    inner = _span(lines, base)
    before, after = wrapped[start : inner[0]], wrapped[inner[1] : end]
    chosen = isinstance(base, (ast.Name, ast.Attribute, ast.Call, ast.Subscript))
    if chosen or "\n" in before + after:
        # Parentheses that a person chose stay; those an operator needed go with it.
        accessor = before + accessor + after
    _, whole_end = _span(lines, node)
    if candidate.via == "attribute":
        middle = wrapped[end : whole_end - len(candidate.field)]
        last = ".".join((*path, candidate.field))
        return wrapped[1:start] + accessor + middle + last
    target = ".".join((accessor, *path))
    if isinstance(node, ast.Call) and candidate.via == "get":
        called = _span(lines, node.func)[1]
        brackets = wrapped.index("(", called), whole_end
        name = _outer(lines, wrapped, node.args[0], brackets)
        space, _, opening = wrapped[called : name[0]].partition("(")
        # One argument a line stays so.
        _, line_end, indent = opening.rpartition("\n")
        between = f",\n{indent}" if line_end else ", "
        none = "" if candidate.default else f"{between}None"
        field, rest = wrapped[slice(*name)], wrapped[name[1] : whole_end]
        return f"getattr{space}({opening}{target}{between}{field}{none}{rest}"
    if candidate.default:
        return wrapped[1:start] + target + wrapped[end:whole_end]
    return f"{target}.{candidate.field}"


def _base(node: ast.expr, via: str) -> ast.expr | None:
    """The expression that a read takes the field off."""
    if isinstance(node, (ast.Attribute, ast.Subscript)):
        return node.value
    if isinstance(node, ast.Call) and via == "get":
        return node.func.value if isinstance(node.func, ast.Attribute) else None
    return node.args[0] if isinstance(node, ast.Call) and node.args else None


def _span(lines: SourceLines, part: ast.expr) -> tuple[int, int]:
    assert part.end_lineno is not None and part.end_col_offset is not None
    return (
        lines.offset(part.lineno, part.col_offset),
        lines.offset(part.end_lineno, part.end_col_offset),
    )


def _outer(
    lines: SourceLines, text: str, part: ast.expr, pair: tuple[int, int] | None = None
) -> tuple[int, int]:
    """Where a part of the text starts and ends with its own parentheses.

    The first and the last character of ``text``, or of the ``pair`` in it, are around
    it all. A comment between the parentheses and the part hides them: then they count
    as none.
    """
    first, last = pair or (0, len(text))
    start, end = _span(lines, part)
    while True:
        before = text[first + 1 : start].rstrip()
        after = text[end : last - 1].lstrip()
        if not (before.endswith("(") and after.startswith(")")):
            return start, end
        start, end = first + len(before), last - len(after)
