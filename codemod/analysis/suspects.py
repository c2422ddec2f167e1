"""Which names of a file could be the record: a quick filter before exact flow.

Names are taken without their scopes, so the answer may be too large and is never too
small. Exact scope and flow are asked only for reads through a suspect.
"""

from __future__ import annotations

import ast

from codemod.analysis.origins import spelled
from codemod.analysis.vocabulary import Vocabulary
from codemod.analysis.walk import Walker


class Suspects:
    """Names that some binding of the file may bind to the record or its getter."""

    def __init__(
        self, walker: Walker, vocabulary: Vocabulary, stashes: frozenset[str]
    ) -> None:
        self._attributes = vocabulary.attributes | spelled(stashes)
        self._words = vocabulary.words
        self.names: set[str] = set()
        if walker.stars:
            self.names |= self._words
        classes = set(vocabulary.classes)
        for bound, target in walker.imports:
            last = target.rpartition(".")[2]
            if last in self._words:
                self.names.add(bound)
            if last in vocabulary.classes:
                classes.add(bound)
        for node, _ in walker.parameters:
            if node.arg in vocabulary.attributes or (
                node.annotation and _mentions(node.annotation, classes)
            ):
                self.names.add(node.arg)
        self.names |= {
            name
            for name in walker.root.bindings
            if name in self._words and name not in self.names
        }
        defaults = [(node.arg, d) for node, d in walker.parameters if d is not None]
        pending = [*walker.values, *defaults]
        while True:
            rest = [
                (name, value)
                for name, value in pending
                if name not in self.names and not self._add(name, value)
            ]
            if len(rest) == len(pending):
                return
            pending = rest

    def _add(self, name: str, value: ast.expr) -> bool:
        if self.expression(value):
            self.names.add(name)
            return True
        return False

    def expression(self, node: ast.expr) -> bool:
        """Whether an expression may be the record or its getter."""
        kind = type(node)
        if kind is ast.Name:
            return node.id in self.names  # type: ignore[attr-defined]
        if kind is ast.Attribute:
            attr = node.attr  # type: ignore[attr-defined]
            return attr in self._attributes or attr in self._words
        if kind is ast.Call:
            func = node.func  # type: ignore[attr-defined]
            if type(func) is ast.Name and func.id == "getattr":
                key = node.args[1] if len(node.args) > 1 else None  # type: ignore[attr-defined]
                return isinstance(key, ast.Constant) and (
                    key.value in self._attributes or key.value in self._words
                )
            return self.expression(func)
        if kind is ast.NamedExpr:
            return self.expression(node.value)  # type: ignore[attr-defined]
        if kind is ast.BoolOp:
            return any(self.expression(part) for part in node.values)  # type: ignore[attr-defined]
        if kind is ast.IfExp:
            return self.expression(node.body) or self.expression(node.orelse)  # type: ignore[attr-defined]
        return False


def _mentions(annotation: ast.expr, classes: set[str]) -> bool:
    """Whether an annotation names one of the classes, in a string too."""
    for node in ast.walk(annotation):
        if isinstance(node, ast.Name):
            if node.id in classes:
                return True
        elif isinstance(node, ast.Attribute):
            if node.attr in classes:
                return True
        elif (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and any(name in node.value for name in classes)
        ):
            return True
    return False
