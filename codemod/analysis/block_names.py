"""Which names statements bind in their own scope (Python reference 4.2.1)."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

_SCOPES = (
    ast.FunctionDef,
    ast.AsyncFunctionDef,
    ast.ClassDef,
    ast.Lambda,
)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def names_bound(body: Iterable[ast.AST]) -> Iterator[str]:
    """Yield every name that ``body`` binds in the scope it stands in, or deletes.

    Functions, classes and lambdas inside are not entered; of comprehensions only the
    walrus targets count. Star imports yield ``*``.
    """
    stack = list(body)
    while stack:
        node = stack.pop()
        if isinstance(node, ast.Name):
            if not isinstance(node.ctx, ast.Load):
                yield node.id
            continue
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield node.name
            stack.extend(node.decorator_list)
            continue
        if isinstance(node, ast.Lambda):
            continue
        if isinstance(node, _COMPREHENSIONS):
            yield from _walrus_targets(node)
            continue
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            for alias in node.names:
                yield import_binding(node, alias)
            continue
        if isinstance(node, (ast.ExceptHandler, ast.MatchAs, ast.MatchStar)):
            if node.name:
                yield node.name
        elif isinstance(node, ast.MatchMapping) and node.rest:
            yield node.rest
        stack.extend(ast.iter_child_nodes(node))


def import_binding(node: ast.Import | ast.ImportFrom, alias: ast.alias) -> str:
    """The name that one alias of an import statement binds."""
    if alias.asname:
        return alias.asname
    return alias.name.partition(".")[0] if isinstance(node, ast.Import) else alias.name


def _walrus_targets(node: ast.AST) -> Iterator[str]:
    stack = list(ast.iter_child_nodes(node))
    while stack:
        child = stack.pop()
        if isinstance(child, _SCOPES):
            continue
        if isinstance(child, ast.NamedExpr) and isinstance(child.target, ast.Name):
            yield child.target.id
        stack.extend(ast.iter_child_nodes(child))


def is_generator(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether calling ``function`` makes a generator instead of running its body."""
    stack: list[ast.AST] = list(function.body)
    while stack:
        node = stack.pop()
        if isinstance(node, (ast.Yield, ast.YieldFrom)):
            return True
        if not isinstance(node, _SCOPES):
            stack.extend(ast.iter_child_nodes(node))
    return False


def statements(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield every statement of ``body`` and below, without entering expressions."""
    stack: list[ast.AST] = list(body)
    while stack:
        node = stack.pop()
        if isinstance(node, ast.stmt):
            yield node
        for block in ("body", "orelse", "finalbody", "handlers", "cases"):
            stack.extend(getattr(node, block, ()))
