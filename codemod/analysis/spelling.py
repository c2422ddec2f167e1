"""How an expression is spelled, whatever it means."""

from __future__ import annotations

import ast


def last_name(node: ast.expr | None) -> str:
    """The last part of a dotted name, "" for another expression."""
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""
