"""Tests that ask what machine this is, and blocks that leave the function."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

_QUESTION = re.compile(
    r"_?(?:(?:is|has|have|use|can|supports?|with)_[a-z0-9_]+|[a-z0-9_]+_available)\Z",
    re.IGNORECASE,
)
_PLATFORM_ATTRIBUTES = {
    ("sys", "platform"),
    ("sys", "version_info"),
    ("sys", "implementation"),
    ("os", "name"),
}


def leaves(body: Sequence[ast.stmt]) -> bool:
    """Whether ``body`` ends the function or the round of a loop."""
    last = body[-1]
    return isinstance(last, (ast.Return, ast.Raise, ast.Continue, ast.Break))


def platform_test(test: ast.expr) -> bool:
    """Whether ``test`` asks about the machine or what is installed, not about a value.

    ``sys.platform``, ``os.name``, ``platform.*``, ``find_spec(…)``, and names and calls
    without arguments that read as such a question: ``is_cuda()``, ``_HAS_TRITON``,
    ``flash_attn_available()``.
    """
    for node in ast.walk(test):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            if (node.value.id, node.attr) in _PLATFORM_ATTRIBUTES:
                return True
            if node.value.id == "platform":
                return True
        if isinstance(node, ast.Call):
            name = getattr(node.func, "attr", None) or getattr(node.func, "id", "")
            if name == "find_spec":
                return True
            if not (node.args or node.keywords) and isinstance(node.func, ast.Name):
                if _QUESTION.match(name):
                    return True
    return _bare_question(test)


def _bare_question(test: ast.expr) -> bool:
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return _bare_question(test.operand)
    if isinstance(test, ast.BoolOp):
        return any(_bare_question(value) for value in test.values)
    # A parameter is spelled in lower case as well; a module-level flag rarely is
    # without an underscore or capitals.
    return (
        isinstance(test, ast.Name)
        and _QUESTION.match(test.id) is not None
        and (test.id.startswith("_") or test.id.isupper())
    )
