"""Text to syntax tree, once for those who ask about one text in a row."""

from __future__ import annotations

import ast
import contextlib
import symtable
import sys
import warnings
from functools import lru_cache

#: Characters in which no expression can be so deep that Python dies of it.
_SHALLOW = 40_000


def _refuse_too_deep(text: str) -> None:
    """Raise RecursionError for a text that nests too deep.

    ``ast.parse`` does so itself since Python 3.11; before, it ran out of stack and
    ended the process. The symbol table always looked.
    """
    with contextlib.suppress(SyntaxError, ValueError):
        symtable.symtable(text, "<file>", "exec")


@lru_cache(maxsize=1)
def parse(text: str) -> ast.Module:
    """The tree of a file's text; raises what ``ast.parse`` does.

    The last tree is kept: a scan and the guards look at a file in one go. Nobody may
    change it, but for positions in f-strings, which come out the same each time.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # invalid escapes are the linter's affair
        if sys.version_info < (3, 11) and len(text) > _SHALLOW:
            _refuse_too_deep(text)
        tree = ast.parse(text)
    _held.hold(tree, len(text))
    return tree


class _Held:
    """Trees that nobody frees, up to so many characters of source."""

    def __init__(self) -> None:
        self.left = 0
        self._trees: list[ast.Module] = []

    def hold(self, tree: ast.Module, size: int) -> None:
        if size <= self.left:
            self.left -= size
            self._trees.append(tree)


_held = _Held()


def hold_trees(characters: int) -> None:
    """Free no tree of the next so many characters of text.

    For a process that ends when its files are done: the system takes its memory back
    at once, where freeing a tree node by node is a tenth of the work on a file. A
    character is about 30 bytes of tree.
    """
    _held.left = characters
