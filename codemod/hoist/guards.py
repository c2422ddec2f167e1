"""Tests that ask what machine this is, and blocks that leave the function."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

_MACHINE = (
    "cuda|hip|rocm|npu|xpu|hpu|musa|mps|mlx|tpu|cpu|gpu|amd|nvidia|intel|arm|x86|linux"
    "|windows|win|win32|mac|macos|darwin|posix|unix|wsl|pypy|cpython|sm[0-9]+|gfx[0-9]+"
)
_QUESTION = re.compile(
    rf"_?(?:(?:is|on|use)_(?:{_MACHINE})(?:_[a-z0-9_]+)?"
    r"|(?:has|have)_[a-z0-9_]+|[a-z0-9_]+_(?:available|installed|supported))\Z",
    re.IGNORECASE,
)
_PLATFORM_ATTRIBUTES = {
    ("sys", "platform"),
    ("sys", "version_info"),
    ("sys", "implementation"),
    ("os", "name"),
}


def called_name(call: ast.Call) -> str:
    """The last part of the name that ``call`` calls, "" for another expression."""
    function = call.func
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def leaves(body: Sequence[ast.stmt]) -> bool:
    """Whether ``body`` ends the function or the round of a loop."""
    last = body[-1]
    return isinstance(last, (ast.Return, ast.Raise, ast.Continue, ast.Break))


def platform_test(test: ast.expr) -> bool:
    """Whether ``test`` asks about the machine or what is installed, not about a value.

    ``sys.platform``, ``os.name``, ``platform.*``, ``find_spec(…)``, and names and calls
    without arguments that read as such a question: ``is_cuda()``, ``_HAS_TRITON``,
    ``flash_attn_available()``, ``platform.is_npu()``.
    """
    for node in ast.walk(test):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            if (node.value.id, node.attr) in _PLATFORM_ATTRIBUTES:
                return True
            if node.value.id == "platform":
                return True
        elif isinstance(node, ast.Call):
            name = called_name(node)
            if name == "find_spec":
                return True
            if not (node.args or node.keywords) and _QUESTION.match(name):
                return True
        elif isinstance(node, ast.Name) and _is_flag(node.id):
            return True
    return False


def _is_flag(name: str) -> bool:
    # A parameter reads like a question too; a module's flag seldom does without an
    # underscore in front or capitals.
    flagged = name.startswith("_") or name.isupper()
    return flagged and _QUESTION.match(name) is not None
