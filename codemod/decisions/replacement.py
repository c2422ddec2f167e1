"""The source text that a read becomes."""

from __future__ import annotations

import ast

from codemod.analysis.facts import Candidate
from codemod.analysis.positions import SourceLines


def replacement_text(candidate: Candidate, accessor: str, path: tuple[str, ...]) -> str:
    """The text that replaces ``candidate.text``; white space between parts stays.

    ``accessor`` is source text, ``path`` the rest of the namespace.
    """
    target = ".".join((accessor, *path))
    plain = f"{target}.{candidate.field}"
    wrapped = f"({candidate.text}\n)"
    try:
        node = ast.parse(wrapped, mode="eval").body
    except SyntaxError:
        return plain
    lines = SourceLines(wrapped)

    def span(part: ast.expr) -> tuple[int, int]:
        assert part.end_lineno is not None and part.end_col_offset is not None
        return (
            lines.offset(part.lineno, part.col_offset),
            lines.offset(part.end_lineno, part.end_col_offset),
        )

    if candidate.via == "attribute" and isinstance(node, ast.Attribute):
        start, end = span(node.value)
        middle = wrapped[end : span(node)[1] - len(candidate.field)]
        last = ".".join((*path, candidate.field))
        return wrapped[1:start] + accessor + middle + last
    if not isinstance(node, ast.Call):
        return plain
    if candidate.via == "get":
        name = wrapped[slice(*span(node.args[0]))]
        default = "None"
        if candidate.default:
            default = wrapped[slice(*span(node.args[1]))]
        return f"getattr({target}, {name}, {default})"
    if not candidate.default:
        return plain
    start, end = span(node.args[0])
    return wrapped[1:start] + target + wrapped[end : span(node)[1]]
