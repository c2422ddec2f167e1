"""What a ``with`` or a handler around an import says about it."""

from __future__ import annotations

import ast

from codemod.hoist.facts import ContextKind
from codemod.hoist.syntax import catches, caught_by

_SETTING = {"catch_warnings", "redirect_stdout", "redirect_stderr", "chdir"}
_CATCHING = ("raises", "assertRaises", "assertRaisesRegex")


def with_kind(node: ast.With | ast.AsyncWith) -> ContextKind:
    """What a ``with`` means for the imports in it."""
    for item in node.items:
        call = item.context_expr
        if not isinstance(call, ast.Call):
            continue
        parts = ast.unparse(call.func).split(".")
        waits = parts[-1] == "suppress" or parts[-1] in _CATCHING
        if waits and any(waits_for_missing(a) for a in call.args):
            return "suppress"
        if any(part in ("patch", "mock", "monkeypatch") for part in parts):
            return "patch"
        if parts[-1] in _SETTING:
            return "setup"
    imports = (ast.Import, ast.ImportFrom)
    # A ``with`` around imports alone is there for them.
    return "setup" if all(isinstance(s, imports) for s in node.body) else "with"


def with_text(node: ast.With | ast.AsyncWith) -> str:
    """A ``with`` statement's own line, on one line."""
    return "with " + ", ".join(ast.unparse(item.context_expr) for item in node.items)


def waits_for_missing(caught: ast.expr | None) -> bool:
    """Whether a handler waits for a module or a name that is not there."""
    found = caught_by(caught)
    return any(catches(found, k) for k in ("ImportError", "ModuleNotFoundError"))
