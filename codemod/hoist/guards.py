"""Tests that ask what machine this is, and blocks that leave the function."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Sequence

from codemod.analysis.spelling import last_name

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


_LEAVING_CALLS = {"skip", "skipTest", "exit", "_exit", "abort", "fail"}
_SETTERS = {
    "environ": {"setdefault", "update", "pop", "clear", "popitem"},
    "path": {"insert", "append", "extend", "remove"},
    "os": {"putenv", "unsetenv", "chdir"},
    "warnings": {"simplefilter", "filterwarnings", "resetwarnings"},
    "logging": {"disable"},
    "matplotlib": {"use"},
    "gi": {"require_version"},
    "monkeypatch": {"setenv", "delenv", "syspath_prepend", "chdir", "setitem"},
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
    if isinstance(last, ast.Expr) and isinstance(last.value, ast.Call):
        return called_name(last.value) in _LEAVING_CALLS
    return isinstance(last, (ast.Return, ast.Raise, ast.Continue, ast.Break))


def requirement(node: ast.stmt) -> ast.expr | None:
    """The call in a statement that ends a test where a package is missing."""
    for part in _own_expressions(node):
        for call in ast.walk(part):
            if isinstance(call, ast.Call) and called_name(call) == "importorskip":
                return call
    return None


def preparation(
    node: ast.stmt, imported: Collection[str] = ()
) -> ast.stmt | ast.expr | None:
    """What in ``node``, at any depth, sets up what an import that follows may read.

    The environment, ``sys.path``, the current directory, filters of warnings, and
    attributes of the names in ``imported`` (``config.DEBUG = True``): modules read them
    when they are imported, and some the import system does.
    """
    for part in ast.walk(node):
        if isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            if part is node:
                return None
        elif isinstance(part, (ast.Assign, ast.Delete)):
            if any(_prepared(target, imported) for target in part.targets):
                return part
        elif isinstance(part, ast.AugAssign):
            if _prepared(part.target, imported):
                return part
        elif isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute):
            owner = part.func.value
            known = _SETTERS.get(last_name(owner))
            if known and part.func.attr in known and _is_setting(owner):
                return part
    return None


def _own_expressions(node: ast.stmt) -> list[ast.expr]:
    if isinstance(node, (ast.Expr, ast.Assign, ast.AnnAssign)):
        return [node.value] if node.value is not None else []
    return []


def _prepared(target: ast.expr, imported: Collection[str]) -> bool:
    """Whether a target is ``os.environ[…]``, ``sys.path`` or of an imported object."""
    if isinstance(target, ast.Attribute):
        root: ast.expr = target
        while isinstance(root, ast.Attribute):
            root = root.value
        if isinstance(root, ast.Name) and root.id in imported:
            return True
    if isinstance(target, ast.Subscript):
        target = target.value
        if last_name(target) == "environ":
            return True
    return _is_sys_path(target)


def _is_setting(owner: ast.expr) -> bool:
    return last_name(owner) != "path" or _is_sys_path(owner)


def _is_sys_path(node: ast.expr) -> bool:
    return (
        isinstance(node, ast.Attribute)
        and node.attr == "path"
        and last_name(node.value) == "sys"
    )


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
