"""The arguments of a call as facts: what may be evaluated later, moved, or neither."""

from __future__ import annotations

import ast
from collections.abc import Container
from dataclasses import dataclass

from codemod.analysis.positions import SourceLines


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument of a call, in source order.

    ``keyword`` is None for a positional one; ``stars`` is ``*`` or ``**`` when it is
    unpacked. ``settled`` says that evaluating it again, or later, gives the same and
    does nothing else: a constant, or a name that only this function binds. ``movable``
    says that it may be evaluated in a statement of its own before the call: nothing in
    it waits, yields or binds.
    ``constant`` is the source of a literal value, else "". ``keys`` are the names that
    a ``**`` of dicts written out may give, None when nobody can tell.
    """

    keyword: str | None
    stars: str
    text: str
    settled: bool
    movable: bool
    constant: str = ""
    keys: tuple[str, ...] | None = None


def arguments_of(
    call: ast.Call, lines: SourceLines, local: Container[str] = ()
) -> tuple[Argument, ...]:
    """The arguments of a call, in source order; ``local`` are names of the function."""
    found: list[tuple[tuple[int, int], Argument]] = []
    for value in call.args:
        stars = "*" if isinstance(value, ast.Starred) else ""
        inner = value.value if isinstance(value, ast.Starred) else value
        found.append((_place(value), _argument(None, stars, inner, lines, local)))
    for keyword in call.keywords:
        stars = "**" if keyword.arg is None else ""
        argument = _argument(keyword.arg, stars, keyword.value, lines, local)
        found.append((_place(keyword), argument))
    found.sort(key=lambda item: item[0])
    return tuple(argument for _, argument in found)


def _argument(
    keyword: str | None,
    stars: str,
    value: ast.expr,
    lines: SourceLines,
    local: Container[str],
) -> Argument:
    constant = ""
    if is_literal(value):
        constant = lines.segment(value)
    return Argument(
        keyword,
        stars,
        lines.segment(value),
        settled=isinstance(value, ast.Constant)
        or (isinstance(value, ast.Name) and value.id in local),
        movable=not any(isinstance(part, _BOUND_TO_PLACE) for part in ast.walk(value)),
        constant=constant,
        keys=literal_keys(value) if stars == "**" else None,
    )


def literal_keys(node: ast.expr) -> tuple[str, ...] | None:
    """The keys that an expression of dicts written out may have, None: not known.

    ``{"a": 1} if fast else {}`` may have ``a``.
    """
    if isinstance(node, ast.IfExp):
        arms = [literal_keys(node.body), literal_keys(node.orelse)]
        if any(arm is None for arm in arms):
            return None
        return tuple(dict.fromkeys(key for arm in arms for key in arm or ()))
    if not isinstance(node, ast.Dict):
        return None
    keys: list[str] = []
    for key in node.keys:
        if not (isinstance(key, ast.Constant) and isinstance(key.value, str)):
            return None
        keys.append(key.value)
    return tuple(dict.fromkeys(keys))


def is_literal(node: ast.expr) -> bool:
    """Whether an expression is a value written out: a constant or a tuple of them."""
    if isinstance(node, ast.Constant):
        return True
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.UAdd)):
        return isinstance(node.operand, ast.Constant)
    return isinstance(node, ast.Tuple) and all(map(is_literal, node.elts))


def _place(node: ast.expr | ast.keyword) -> tuple[int, int]:
    return node.lineno, node.col_offset


#: Where they stand matters: they suspend the function, or bind a name for what follows.
_BOUND_TO_PLACE = (ast.Await, ast.Yield, ast.YieldFrom, ast.NamedExpr)
