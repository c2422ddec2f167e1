"""Reads inside the expressions that other reads are taken from.

``sa.origin.config.size`` does not ask for ``sa.origin`` once it is
``get_pool().size``: whatever becomes of the inner read, it is gone with the outer one.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

from codemod.analysis.facts import Candidate

#: Line and column in characters, both from 1.
_Position = tuple[int, int]


def on_the_way(
    inner: Iterable[Candidate], outer: Iterable[Candidate]
) -> frozenset[Candidate]:
    """Those of ``inner`` that stand inside what one of ``outer`` is taken from."""
    spans = [(_start(c), _base_end(c)) for c in outer]
    return frozenset(
        candidate
        for candidate in inner
        if any(
            first <= _start(candidate) and _end(candidate) <= last
            for first, last in spans
        )
    )


def _start(candidate: Candidate) -> _Position:
    return candidate.line, candidate.column


def _end(candidate: Candidate) -> _Position:
    """Where the text of a read ends; the position itself is not of it."""
    above, _, last = candidate.text.rpartition("\n")
    return candidate.end_line, len(last) + (1 if above else candidate.column)


def _base_end(candidate: Candidate) -> _Position:
    """Where the base of a read ends, or a place after it and before its default."""
    line, column = _end(candidate)
    if not candidate.default:
        return line, column - 1
    call = ast.parse(f"({candidate.text})", mode="eval").body
    assert isinstance(call, ast.Call)
    base = call.args[0]
    if candidate.via == "get":
        assert isinstance(call.func, ast.Attribute)
        base = call.func.value
    assert base.end_lineno is not None and base.end_col_offset is not None
    row = candidate.text.split("\n")[base.end_lineno - 1]
    first = base.end_lineno == 1
    end = len(row.encode()[: base.end_col_offset - first].decode())
    column = candidate.column if first else 1
    return candidate.line + base.end_lineno - 1, column + end
