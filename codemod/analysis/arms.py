"""Statements of which one run takes one of several bodies."""

from __future__ import annotations

import ast
from collections.abc import Iterator


def arms_of(node: ast.stmt) -> list[list[ast.stmt]]:
    """The bodies of a statement of which one run takes one."""
    if isinstance(node, ast.If):
        return [node.body, node.orelse]
    if isinstance(node, ast.Match):
        return [case.body for case in node.cases]
    if isinstance(node, ast.Try) or type(node).__name__ == "TryStar":
        handlers = [handler.body for handler in node.handlers]  # type: ignore[attr-defined]
        return [[*node.body, *node.orelse], *handlers]  # type: ignore[attr-defined]
    return []


def heads_of(node: ast.stmt) -> Iterator[ast.AST]:
    """The expressions of such a statement that run before any of its arms."""
    if isinstance(node, ast.If):
        yield node.test
    elif isinstance(node, ast.Match):
        yield node.subject
        for case in node.cases:
            if case.guard is not None:
                yield case.guard
