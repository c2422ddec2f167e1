"""The statements of a module that hold others, without a look into expressions."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field

Function = ast.FunctionDef | ast.AsyncFunctionDef

#: The fields with statements of each kind of node that has some.
_BODIES: dict[type[ast.AST], tuple[str, ...]] = {
    ast.Module: ("body",),
    ast.FunctionDef: ("body",),
    ast.AsyncFunctionDef: ("body",),
    ast.ClassDef: ("body",),
    ast.If: ("body", "orelse"),
    ast.For: ("body", "orelse"),
    ast.AsyncFor: ("body", "orelse"),
    ast.While: ("body", "orelse"),
    ast.With: ("body",),
    ast.AsyncWith: ("body",),
    ast.Try: ("body", "handlers", "orelse", "finalbody"),
    ast.ExceptHandler: ("body",),
    ast.Match: ("cases",),
    ast.match_case: ("body",),
}
if hasattr(ast, "TryStar"):
    _BODIES[ast.TryStar] = _BODIES[ast.Try]


@dataclass
class Blocks:
    """Every function of a file, and every import statement inside of one.

    A function comes with its dotted path and the path of the class it is a method of
    ("" for none), an import with the path of its function.
    """

    functions: list[tuple[Function, str, str]] = field(default_factory=list)
    local_imports: list[tuple[ast.Import | ast.ImportFrom, str]] = field(
        default_factory=list
    )


def blocks_of(tree: ast.Module) -> Blocks:
    """The functions and local imports of a module, in source order."""
    found = Blocks()
    _visit(tree, "", "", False, found)
    return found


def _visit(
    node: ast.AST, path: str, class_path: str, inside: bool, found: Blocks
) -> None:
    for child in _statements(node):
        kind = type(child)
        if kind is ast.FunctionDef or kind is ast.AsyncFunctionDef:
            inner = f"{path}.{child.name}" if path else child.name  # type: ignore[attr-defined]
            found.functions.append((child, inner, class_path))  # type: ignore[arg-type]
            _visit(child, inner, "", True, found)
        elif kind is ast.ClassDef:
            inner = f"{path}.{child.name}" if path else child.name  # type: ignore[attr-defined]
            _visit(child, inner, inner, inside, found)
        elif kind is ast.Import or kind is ast.ImportFrom:
            if inside:
                found.local_imports.append((child, path))  # type: ignore[arg-type]
        elif kind in _BODIES:
            _visit(child, path, class_path, inside, found)


def _statements(node: ast.AST) -> Iterator[ast.AST]:
    for name in _BODIES[type(node)]:
        yield from getattr(node, name)
