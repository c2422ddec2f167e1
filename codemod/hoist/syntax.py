"""Small questions about syntax that several parts ask."""

from __future__ import annotations

import ast
from collections.abc import Collection, Sequence

from codemod.analysis.spelling import last_name
from codemod.hoist.ir import CATCHES


def is_first_party(module: str, roots: Collection[str]) -> bool:
    """Whether ``module`` lies below one of the project's top-level names."""
    return module.partition(".")[0] in roots


def absolute(
    module: str, is_package: bool, target: str | None, level: int
) -> str | None:
    """What ``from <dots><target> import …`` in ``module`` names; None when beyond top.

    The rule is that of ``importlib._bootstrap._resolve_name``.
    """
    if level == 0:
        return target or ""
    parts = module.split(".")
    if not is_package:
        parts = parts[:-1]
    keep = len(parts) - (level - 1)
    if keep <= 0:
        return None
    base = ".".join(parts[:keep])
    return f"{base}.{target}" if target else base


def literal_strings(node: ast.expr) -> tuple[str, ...] | None:
    """The strings of a literal list or tuple of strings (``__all__``), or None."""
    if not isinstance(node, (ast.List, ast.Tuple)):
        return None
    values = [e.value for e in node.elts if isinstance(e, ast.Constant)]
    if len(values) != len(node.elts) or not all(isinstance(v, str) for v in values):
        return None
    return tuple(str(value) for value in values)


def caught_by(node: ast.expr | None) -> frozenset[str] | None:
    """The failures that ``except node`` catches; None when it catches them all."""
    if node is None:
        return None
    found: set[str] = set()
    for item in node.elts if isinstance(node, ast.Tuple) else [node]:
        name = last_name(item)
        if name == "BaseException":
            return None
        found |= CATCHES.get(name, {name})
    return frozenset(found)


def catches(caught: frozenset[str] | None, kind: str) -> bool:
    """Whether a handler that ``caught_by`` describes catches a failure of ``kind``."""
    if caught is None or kind in caught:
        return True
    return "Exception" in caught and kind not in ("SystemExit", "KeyboardInterrupt")


def ends_in_raise(body: Sequence[ast.stmt]) -> bool:
    """Whether running ``body`` always raises or leaves the interpreter."""
    return any(isinstance(s, ast.Raise) or is_exit(s) for s in body)


def is_exit(node: ast.stmt) -> bool:
    """Whether ``node`` is ``sys.exit(…)``, ``os._exit(…)``, ``exit()``, ``quit()``."""
    if not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)):
        return False
    function = node.value.func
    if isinstance(function, ast.Attribute):
        base = function.value
        return isinstance(base, ast.Name) and (base.id, function.attr) in (
            ("sys", "exit"),
            ("os", "_exit"),
        )
    return isinstance(function, ast.Name) and function.id in ("exit", "quit")
