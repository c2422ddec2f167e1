"""Names that strings spell: quoted annotations, and texts that may be such."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable


class Quoted:
    """Which of some names the strings of a file spell, apart by what becomes of them.

    ``leaving`` are the names in the annotations that go, ``staying`` those of
    ``spelled`` that any other string has as a word: it may be an annotation too.
    """

    def __init__(
        self, tree: ast.Module, leaving: Iterable[ast.expr], spelled: frozenset[str]
    ) -> None:
        self.leaving: frozenset[str] = frozenset()
        self.staying: frozenset[str] = frozenset()
        if not spelled:
            return
        gone = dict(item for e in leaving for item in _strings(e).items())
        self.leaving = spelled & {n for text in gone.values() for n in _names(text)}
        doc = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        others = [
            text
            for key, text in _strings(tree).items()
            if key not in gone and key not in doc
        ]
        self.staying = spelled & {w for text in others for w in _WORD.findall(text)}


_WORD = re.compile(r"\w+")


def _strings(tree: ast.AST) -> dict[int, str]:
    """The string constants of a tree, by the ids of their nodes."""
    return {
        id(node): node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }


def _names(text: str) -> set[str]:
    """The names in a quoted annotation; none when it is no expression."""
    try:
        tree = ast.parse(text.strip(), mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return set()
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
