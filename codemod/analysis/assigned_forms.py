"""What single forms of the language mean for the way through a function."""

from __future__ import annotations

import ast
from typing import Any

from codemod.analysis.spelling import last_name


def annotations_of(node: Any) -> list[ast.expr]:
    """The annotations of a function, in the order they are evaluated (8.7)."""
    a = node.args
    every = (*a.posonlyargs, *a.args, a.vararg, *a.kwonlyargs, a.kwarg)
    found = [arg.annotation for arg in every if arg is not None]
    return [part for part in (*found, node.returns) if part is not None]


def constant_test(test: ast.expr) -> bool | None:
    """Whether a test always or never holds; None where it depends."""
    return bool(test.value) if isinstance(test, ast.Constant) else None


def swallows(context: ast.expr) -> bool:
    """Whether a ``with`` goes on after an exception in it."""
    if not isinstance(context, ast.Call):
        return False
    return last_name(context.func) in ("suppress", "raises", "assertRaises")


def is_exit(node: ast.expr) -> bool:
    """Whether an expression leaves the program: ``sys.exit()``, ``os._exit(1)``."""
    if not isinstance(node, ast.Call):
        return False
    return ast.unparse(node.func) in ("sys.exit", "os._exit", "exit", "quit")


def irrefutable(pattern: ast.pattern) -> bool:
    """Whether a pattern always matches (reference 8.6.3)."""
    if isinstance(pattern, ast.MatchAs):
        return pattern.pattern is None or irrefutable(pattern.pattern)
    return isinstance(pattern, ast.MatchOr) and irrefutable(pattern.patterns[-1])


def captures(pattern: ast.AST, name: str) -> bool:
    return any(captured(node) == name for node in ast.walk(pattern))


def captured(node: ast.AST) -> str | None:
    """The name that a pattern itself binds (reference 8.6.4), if it binds one."""
    if isinstance(node, (ast.MatchAs, ast.MatchStar)):
        return node.name
    return node.rest if isinstance(node, ast.MatchMapping) else None
