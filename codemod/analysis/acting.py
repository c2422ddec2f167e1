"""Whether an expression does something, besides giving its value.

A read takes its field off an object; the accessor does without that object. Where
something happens on the way to it, ``queue.pop().config.size``, that would not happen
any more. Names, attributes and items are looked up for their value alone; so are what
``getattr`` and ``cast`` are given, and the calls of a getter of the pack. Another call,
``await``, ``yield`` or ``:=`` may do anything (reference 6.2.8, 6.3.4, 6.4, 6.12).
"""

from __future__ import annotations

import ast
from collections.abc import Callable

from codemod.analysis.origins import literal_getattr
from codemod.analysis.scopes import Scope
from codemod.analysis.spelling import last_name

_ACTING = (ast.Call, ast.Await, ast.Yield, ast.YieldFrom, ast.NamedExpr)


def acts(node: ast.expr, scope: Scope, gets: Callable[[ast.Call], bool]) -> bool:
    """Whether evaluating ``node`` may do more than to look something up.

    ``gets`` tells whether a call is one of a getter of the record.
    """
    if isinstance(node, (ast.Name, ast.Constant)):
        return False
    if isinstance(node, ast.Call):
        inner = _looked_up(node, scope)
        if inner is None:
            return bool(node.args or node.keywords) or not gets(node)
        return any(acts(part, scope, gets) for part in inner)
    if isinstance(node, _ACTING):
        return True
    if isinstance(node, (ast.Attribute, ast.Starred)):
        return acts(node.value, scope, gets)
    parts = [n for n in ast.iter_child_nodes(node) if isinstance(n, ast.expr)]
    if parts and isinstance(
        node, (ast.Subscript, ast.BoolOp, ast.IfExp, ast.UnaryOp, ast.Tuple, ast.List)
    ):
        return any(acts(part, scope, gets) for part in parts)
    return any(isinstance(inner, _ACTING) for inner in ast.walk(node))


def _looked_up(node: ast.Call, scope: Scope) -> list[ast.expr] | None:
    """What a call only looks up: the parts that may act themselves; else None."""
    literal = literal_getattr(node, scope)
    if literal is not None:
        return [literal[0], *node.args[2:]]
    if isinstance(node.func, ast.Name) and node.func.id == "super" and not node.args:
        return []
    if last_name(node.func) == "cast" and len(node.args) == 2 and not node.keywords:
        return [node.args[1]]
    return None
