"""The value of an expression that is a constant, read and not run."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from codemod.routing.sources import Module, Sources, assigned, dotted_name, statements


@dataclass(frozen=True, slots=True)
class Scope:
    """Where an expression stands: a module, and a class whose names come first."""

    module: Module
    owner: ast.ClassDef | None = None


class Static:
    """Reads strings and dictionaries; anything that had to be run is None."""

    def __init__(self, sources: Sources) -> None:
        self._sources = sources

    def string(self, node: ast.expr, scope: Scope, depth: int = 0) -> str | None:
        """A literal, a sum or f-string of such, or a name assigned one, once.

        A name may be a constant of this module or one it imports, a class attribute,
        or a member of an enum (with or without ``.value``).
        """
        if depth > 20:  # ``A = A + "x"``: names can go round in a circle
            return None
        if isinstance(node, ast.Constant):
            return node.value if isinstance(node.value, str) else None
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            left = self.string(node.left, scope, depth + 1)
            right = self.string(node.right, scope, depth + 1)
            return None if left is None or right is None else left + right
        if isinstance(node, ast.JoinedStr):
            parts = [self._part(part, scope, depth) for part in node.values]
            return None if None in parts else "".join(p for p in parts if p)
        found = self._lookup(node, scope)
        return None if found is None else self.string(*found, depth + 1)

    def _part(self, node: ast.expr, scope: Scope, depth: int) -> str | None:
        if not isinstance(node, ast.FormattedValue):
            return self.string(node, scope, depth + 1)
        if node.conversion != -1 or node.format_spec is not None:
            return None
        return self.string(node.value, scope, depth + 1)

    def entry(
        self, node: ast.expr, key: str, scope: Scope, depth: int = 0
    ) -> tuple[ast.expr, Scope] | None:
        """The value that a dictionary expression has for ``key``, if it shows one."""
        if depth > 20:
            return None
        if isinstance(node, ast.Dict):
            found = None
            for label, value in zip(node.keys, node.values):
                if label is None:  # ``**other``
                    found = self.entry(value, key, scope, depth + 1) or found
                elif self.string(label, scope) == key:
                    found = value, scope
            return found
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
            return self.entry(node.right, key, scope, depth + 1) or self.entry(
                node.left, key, scope, depth + 1
            )
        if isinstance(node, ast.Call):
            name = (dotted_name(node.func) or "").rpartition(".")[2]
            if name not in ("dict", "MappingProxyType"):
                return None
            for keyword in node.keywords:
                if keyword.arg == key:
                    return keyword.value, scope
            inner = (*node.args, *(k.value for k in node.keywords if k.arg is None))
            for value in reversed(inner):
                found = self.entry(value, key, scope, depth + 1)
                if found is not None:
                    return found
            return None
        target = self._lookup(node, scope)
        return (
            None if target is None else self.entry(target[0], key, target[1], depth + 1)
        )

    def _lookup(self, node: ast.expr, scope: Scope) -> tuple[ast.expr, Scope] | None:
        name = dotted_name(node)
        if name is None:
            return None
        if scope.owner is not None and "." not in name:
            own = list(_class_values(scope.owner, name))
            if own:
                return (own[0], scope) if len(own) == 1 else None
        found = self._sources.resolve(scope.module, name)
        if found is not None:
            module, value = found
            return None if isinstance(value, ast.ClassDef) else (value, Scope(module))
        return self._class_attribute(name.removesuffix(".value"), scope)

    def _class_attribute(
        self, name: str, scope: Scope
    ) -> tuple[ast.expr, Scope] | None:
        owner, _, attribute = name.rpartition(".")
        found = self._sources.resolve(scope.module, owner) if owner else None
        if found is None:
            return None
        module, node = found
        if not isinstance(node, ast.ClassDef):
            return None
        values = list(_class_values(node, attribute))
        return (values[0], Scope(module, node)) if len(values) == 1 else None


def _class_values(owner: ast.ClassDef, name: str) -> Iterator[ast.expr]:
    for statement in statements(owner.body):
        for target, value in assigned(statement):
            if target == name:
                yield value
