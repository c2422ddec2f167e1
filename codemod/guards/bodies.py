"""A function's body as a digest, to know it again under another name.

It is made of the lines, without indentation, comments and blank lines, and not of a
syntax tree: a tree is another one under another Python, and a baseline is shared.
"""

from __future__ import annotations

import ast
import hashlib
import re
import warnings
from collections.abc import Iterator

from codemod.index.index import Index

_DIGITS = 12
_LINE_END = re.compile(r"\r\n|\r|\n")

_NAMED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


class Bodies:
    """Digests of functions, each file parsed once, when it is asked for."""

    def __init__(self, index: Index) -> None:
        self._index = index
        self._known: dict[str, dict[str, str]] = {}

    def digest(self, module: str, function: str) -> str:
        """The digest of a function's body; "" where there is no such function.

        The module's own level, ``function`` "", is the whole module.
        """
        file = self._index.project.by_module.get(module)
        if file is None:
            return ""
        if file.path not in self._known:
            source = self._index.sources.get(file.path)
            data = source.data if source is not None else b""
            self._known[file.path] = _digests(data.decode("utf-8", "replace"))
        return self._known[file.path].get(function, "")


def _digests(text: str) -> dict[str, str]:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return {}
    lines = _LINE_END.split(text)
    found = {"": _digest(lines)}
    for path, first, last in _definitions(tree, ""):
        # Two of one name are one to a baseline; both bodies count.
        body = _digest(lines[first - 1 : last])
        found[path] = body if path not in found else _digest([found[path], body])
    return found


def _definitions(node: ast.AST, path: str) -> Iterator[tuple[str, int, int]]:
    """Every function and class, nested ones too: path, first and last body line."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, _NAMED):
            own = f"{path}.{child.name}" if path else child.name
            first = child.body[0].lineno
            yield own, first, child.body[-1].end_lineno or first
            yield from _definitions(child, own)
        elif isinstance(child, (ast.stmt, ast.ExceptHandler, ast.match_case)):
            yield from _definitions(child, path)


def _digest(lines: list[str]) -> str:
    kept = [line.strip() for line in lines]
    text = "\n".join(line for line in kept if line and not line.startswith("#"))
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:_DIGITS]
