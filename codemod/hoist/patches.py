"""Who replaces attributes of modules while the program runs.

A local import takes a name each time the function runs, and so sees what a test put in
its place; a module-level import takes it once. The same holds for a module that binds
its own name anew through ``global``.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Any

from codemod.hoist.facts import Patch
from codemod.hoist.names import statements
from codemod.hoist.syntax import absolute

_CALLS = re.compile(
    r"\b(?:patch|setattr|setitem|delitem|delattr|reload)\b|\bmodules\.pop\("
)
_GLOBAL = re.compile(r"^\s+global\s", re.MULTILINE)


def patches_of(
    tree: ast.Module, text: str, path: str, module: str, is_package: bool
) -> Iterator[Patch]:
    """Yield every replacement in a file of an attribute of some module.

    Seen are ``mock.patch("a.b.c")``, ``patch.object(module, "c")``,
    ``patch.multiple``, ``patch.dict(sys.modules, …)``, ``monkeypatch.setattr`` in both
    forms, ``setattr(module, "c", …)``, ``module.c = …``, ``sys.modules["a"] = …``,
    ``sys.modules.pop("a")``, ``importlib.reload(module)`` and names that functions bind
    through ``global``.
    """
    calls = {text.count("\n", 0, m.start()) + 1 for m in _CALLS.finditer(text)}
    has_globals = _GLOBAL.search(text) is not None
    body = list(statements(tree.body))
    imported = _imported(body, module, is_package)
    for node in body:
        if isinstance(node, (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Delete)):
            targets = getattr(node, "targets", None) or [node.target]  # type: ignore[union-attr]
            for target in targets:
                yield from _target(target, node, path, imported)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and has_globals:
            yield from _globals(node, path, module)
        if calls and calls.intersection(range(*_lines_of(node))):
            for part in _own_expressions(node):
                for call in ast.walk(part):
                    if isinstance(call, ast.Call):
                        yield from _call(call, path, imported)


def _lines_of(node: ast.stmt) -> tuple[int, int]:
    """The lines of a statement and its decorators, end exclusive."""
    decorators = getattr(node, "decorator_list", ())
    first = min([node.lineno, *(d.lineno for d in decorators)])
    return first, (node.end_lineno or node.lineno) + 1


def _own_expressions(node: ast.stmt) -> Iterator[ast.AST]:
    """The expressions of a statement that are in no statement inside it."""
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, (ast.stmt, ast.excepthandler, ast.match_case)):
            yield child


def _imported(body: list[ast.stmt], module: str, is_package: bool) -> dict[str, str]:
    """Names bound by imports anywhere in the file, to the dotted names they mean."""
    found: dict[str, str] = {}
    for node in body:
        if isinstance(node, ast.Import):
            for alias in node.names:
                top = alias.name.partition(".")[0]
                found[alias.asname or top] = alias.name if alias.asname else top
        elif isinstance(node, ast.ImportFrom):
            target = absolute(module, is_package, node.module, node.level)
            if target:
                for alias in node.names:
                    found[alias.asname or alias.name] = f"{target}.{alias.name}"
    return found


def _dotted(node: ast.AST, imported: dict[str, str]) -> str:
    """The dotted name that ``node`` means through the file's imports, or ""."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name) or node.id not in imported:
        return ""
    return ".".join([imported[node.id], *reversed(parts)])


def _call(node: ast.Call, path: str, imported: dict[str, str]) -> Iterator[Patch]:
    parts: list[str] = []
    function: ast.AST = node.func
    while isinstance(function, ast.Attribute):
        parts.append(function.attr)
        function = function.value
    if isinstance(function, ast.Name):
        parts.append(function.id)
    if not parts:
        return
    name, owner = parts[0], parts[1] if len(parts) > 1 else ""
    first = _text(node.args[0]) if node.args else ""
    how = _shown(node)

    def patch(module: str, attribute: str) -> Patch:
        return Patch(module, attribute, path, node.lineno, how)

    if (name == "dict" and owner == "patch") or name in ("setitem", "delitem"):
        yield from (patch(module, "") for module in _modules_replaced(node))
    elif name == "pop" and owner == "modules" and first:
        yield patch(first, "")
    elif name == "reload" and node.args and _dotted(node.args[0], imported):
        yield patch(_dotted(node.args[0], imported), "")
    elif name in ("patch", "setattr", "delattr") and first and "." in first:
        module, _, attribute = first.rpartition(".")
        yield patch(module, attribute)
    elif name in ("object", "setattr", "delattr") and len(node.args) >= 2:
        target, attribute = _dotted(node.args[0], imported), _text(node.args[1])
        if target and attribute:
            yield patch(target, attribute)
    elif name == "multiple" and owner == "patch" and node.args:
        target = first or _dotted(node.args[0], imported)
        for keyword in node.keywords:
            if target and keyword.arg:
                yield patch(target, keyword.arg)


def _modules_replaced(node: ast.Call) -> Iterator[str]:
    if not node.args:
        return
    target = node.args[0]
    if not (_text(target) == "sys.modules" or ast.unparse(target) == "sys.modules"):
        return
    for argument in node.args[1:2]:
        if isinstance(argument, ast.Dict):
            yield from (_text(key) for key in argument.keys if _text(key))
        elif _text(argument):
            yield _text(argument)


def _target(
    target: ast.expr, node: ast.AST, path: str, imported: dict[str, str]
) -> Iterator[Patch]:
    line = target.lineno
    if isinstance(target, ast.Attribute):
        module = _dotted(target.value, imported)
        if module:
            yield Patch(module, target.attr, path, line, _shown(node))
    elif isinstance(target, ast.Subscript):
        name = _text(target.slice)
        if name and ast.unparse(target.value) == "sys.modules":
            yield Patch(name, "", path, line, _shown(node))


def _globals(
    node: ast.FunctionDef | ast.AsyncFunctionDef, path: str, module: str
) -> Iterator[Patch]:
    declared = {
        name
        for inner in statements(node.body)
        if isinstance(inner, ast.Global)
        for name in inner.names
    }
    if not declared:
        return
    for child in ast.walk(node):
        if not isinstance(child, ast.Name) or isinstance(child.ctx, ast.Load):
            continue
        if child.id in declared:
            how = f"`global {child.id}` in {node.name}"
            yield Patch(module, child.id, path, child.lineno, how)


def _text(node: Any) -> str:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    return ""


def _shown(node: ast.AST) -> str:
    text = ast.unparse(node)
    first = text.split("\n", 1)[0]
    return first if len(first) <= 70 else first[:67] + "..."
