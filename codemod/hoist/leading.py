"""The part of a module that runs before any of its own functions can be called.

The same rule as ``codemod.rewrite.leading``, asked of ``ast``: whoever hoists has to
know where an import will stand long before a file is rewritten.
"""

from __future__ import annotations

import ast


def leading_end(tree: ast.Module) -> int:
    """The line of the first statement that may run code of the module; 0 for none."""
    defined: set[str] = set()
    for node in tree.body:
        if _may_run(node, defined):
            return first_line(node)
    return 0


def first_line(node: ast.stmt) -> int:
    """The line a statement starts in, its decorators included."""
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(d.lineno for d in decorators)])


def _may_run(node: ast.AST, defined: set[str]) -> bool:
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        defined.add(node.name)
        if node.decorator_list:
            return True
        executed = [node.args, *([node.returns] if node.returns else [])]
        return any(isinstance(n, ast.Call) for part in executed for n in ast.walk(part))
    if isinstance(node, ast.ClassDef):
        defined.add(node.name)
        if node.decorator_list or node.bases or node.keywords:
            return True
        return any(_may_run(part, defined) for part in node.body)
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        return False
    if isinstance(node, ast.Name):
        return node.id in defined
    if isinstance(node, ast.Assign) and isinstance(node.value, ast.Lambda):
        names = (
            n for t in node.targets for n in ast.walk(t) if isinstance(n, ast.Name)
        )
        defined.update(name.id for name in names)
        return False
    if isinstance(node, ast.Lambda):
        return True
    return any(_may_run(child, defined) for child in ast.iter_child_nodes(node))
