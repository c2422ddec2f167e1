"""The names that a module or a class binds by its own statements."""

from __future__ import annotations

import ast
from collections.abc import Iterator


def names_bound(block: ast.Module | ast.ClassDef) -> list[str]:
    """Every binding of a name in the block; one that is bound twice is there twice.

    Statements inside ``if``, ``try`` and loops are the block's own; bodies of
    functions, classes and lambdas, and comprehensions, are not. ``del`` counts as one.
    """
    return [name for statement in block.body for name in _names(statement)]


def _names(node: ast.AST) -> Iterator[str]:
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        yield node.name
        return
    if isinstance(node, (ast.Lambda, ast.GeneratorExp)):
        return
    if isinstance(node, (ast.ListComp, ast.SetComp, ast.DictComp)):
        return
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        for alias in node.names:
            yield alias.asname or alias.name.partition(".")[0]
    elif isinstance(node, ast.Name):
        if not isinstance(node.ctx, ast.Load):
            yield node.id
    elif getattr(node, "name", None) and not isinstance(node, ast.alias):
        yield node.name  # type: ignore[attr-defined]
    for child in ast.iter_child_nodes(node):
        yield from _names(child)
