"""Names that strings spell: quoted annotations, and texts that may be such."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterable, Iterator
from typing import Literal

from codemod.analysis.spelling import last_name


class Quoted:
    """Which names the strings of a file spell, apart by what becomes of them.

    ``asked`` are names that are a whole string, as ``getattr(module, "name")`` has
    them, or stand in code in a string: an annotation, what ``eval`` is given, an
    example for doctest.
    ``leaving`` are the names in the annotations that go, ``staying`` those of
    ``spelled`` that any other string has as a word: it may be an annotation too.
    """

    def __init__(
        self, tree: ast.Module, leaving: Iterable[ast.expr], spelled: frozenset[str]
    ) -> None:
        self.leaving: frozenset[str] = frozenset()
        self.staying: frozenset[str] = frozenset()
        gone = dict(item for e in leaving for item in _strings(e).items())
        self.asked = frozenset(_asked(tree, gone.keys()))
        if not spelled:
            return
        self.leaving = spelled & {n for text in gone.values() for n in _names(text)}
        doc = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        others = [
            text
            for key, text in _strings(tree).items()
            if key not in gone and key not in doc
        ]
        self.staying = spelled & {w for text in others for w in _WORD.findall(text)}


def _asked(tree: ast.Module, gone: Collection[int]) -> Iterator[str]:
    for node in ast.walk(tree):
        code: list[ast.expr] = []
        if isinstance(node, ast.Constant):
            text = node.value
            if id(node) in gone or not isinstance(text, str):
                continue
            if text.isidentifier():
                yield text
            elif ">>>" in text:
                yield from _of_examples(text)
        elif isinstance(node, (ast.arg, ast.AnnAssign)):
            code = [node.annotation] if node.annotation is not None else []
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            code = [node.returns] if node.returns is not None else []
        elif isinstance(node, ast.Call) and last_name(node.func) in ("eval", "exec"):
            code = node.args[:1]
        for part in code:
            for key, text in _strings(part).items():
                if key not in gone:
                    yield from _names(text, "exec")


def _of_examples(text: str) -> Iterator[str]:
    """The words of the examples that a text has for doctest to run."""
    for line in text.splitlines():
        if line.lstrip().startswith((">>>", "...")):
            yield from _WORD.findall(line)


_WORD = re.compile(r"\w+")


def _strings(tree: ast.AST) -> dict[int, str]:
    """The string constants of a tree, by the ids of their nodes."""
    return {
        id(node): node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }


def _names(text: str, mode: Literal["eval", "exec"] = "eval") -> set[str]:
    """The names in a quoted annotation; none when it is no expression."""
    try:
        tree: ast.AST = ast.parse(text.strip(), mode=mode)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return set()
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
