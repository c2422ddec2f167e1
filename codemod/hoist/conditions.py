"""Conditions of ``if`` statements, as far as the source decides them.

``TYPE_CHECKING`` is false when a program runs (PEP 484), ``__name__ == "__main__"`` is
false when a module is imported. A platform or version test is unknown on purpose: a
hoist has to be right on every platform, so both branches are tried.
"""

from __future__ import annotations

import ast
from collections.abc import Collection

from codemod.hoist.ir import (
    CO_AND,
    CO_KNOWN,
    CO_NOT,
    CO_OR,
    CO_PARAMETER,
    CO_UNKNOWN,
    Condition,
)

TRUE: Condition = (CO_KNOWN, True)
FALSE: Condition = (CO_KNOWN, False)
UNKNOWN: Condition = (CO_UNKNOWN,)


def condition(test: ast.expr, parameters: Collection[str] = ()) -> Condition:
    """``test`` as a condition; ``parameters`` may be compared with literal strings."""
    if isinstance(test, ast.Constant):
        return TRUE if test.value else FALSE
    if is_type_checking(test):
        return FALSE
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return negated(condition(test.operand, parameters))
    if isinstance(test, ast.BoolOp):
        return _combined(test, parameters)
    if isinstance(test, ast.Compare) and len(test.ops) == 1:
        return _compared(test, parameters)
    return UNKNOWN


def is_type_checking(test: ast.expr) -> bool:
    """Whether ``test`` is ``TYPE_CHECKING`` or ``typing.TYPE_CHECKING``."""
    return (isinstance(test, ast.Name) and test.id == "TYPE_CHECKING") or (
        isinstance(test, ast.Attribute) and test.attr == "TYPE_CHECKING"
    )


def negated(inner: Condition) -> Condition:
    """The opposite of ``inner``."""
    if inner[0] == CO_KNOWN:
        return FALSE if inner[1] else TRUE
    return (CO_NOT, inner)


def _combined(test: ast.BoolOp, parameters: Collection[str]) -> Condition:
    parts = [condition(value, parameters) for value in test.values]
    code, decides = (CO_AND, FALSE) if isinstance(test.op, ast.And) else (CO_OR, TRUE)
    if decides in parts:
        return decides
    open_parts = tuple(part for part in parts if part[0] != CO_KNOWN)
    if not open_parts:
        return negated(decides)
    return open_parts[0] if len(open_parts) == 1 else (code, open_parts)


def _compared(test: ast.Compare, parameters: Collection[str]) -> Condition:
    left, operator, right = test.left, test.ops[0], test.comparators[0]
    opposite = isinstance(operator, (ast.NotEq, ast.IsNot, ast.NotIn))
    found = UNKNOWN
    if isinstance(left, ast.Name):
        strings = _strings(right)
        if left.id == "__name__" and strings == frozenset({"__main__"}):
            found = FALSE
        elif (
            left.id in parameters
            and strings is not None
            and isinstance(operator, (ast.Eq, ast.NotEq, ast.In, ast.NotIn))
        ):
            found = (CO_PARAMETER, left.id, strings)
    return negated(found) if opposite else found


def _strings(node: ast.expr) -> frozenset[str] | None:
    items = node.elts if isinstance(node, (ast.Tuple, ast.List, ast.Set)) else [node]
    values = [item.value for item in items if isinstance(item, ast.Constant)]
    if len(values) != len(items) or not all(isinstance(v, str) for v in values):
        return None
    return frozenset(str(value) for value in values)
