"""Bodies of functions that are called while modules are imported, found on demand.

Few functions are, so nothing of a function is kept until a simulation calls it. The
file is parsed again then, and the trees of the last few files are kept.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Iterator
from functools import lru_cache

from codemod.analysis.block_names import is_generator, names_bound
from codemod.hoist.ir import FunctionRef, Ops, TopLevel
from codemod.hoist.toplevel import compile_function, has_future_annotations

Definition = ast.FunctionDef | ast.AsyncFunctionDef


class FunctionBodies:
    """Compiles functions of a project when they are first asked for.

    ``read`` gives the text of a path relative to the root; a file that cannot be read
    any more has functions that do nothing.
    """

    def __init__(self, read: Callable[[str], str], roots: Collection[str]) -> None:
        self._roots = roots
        self._ops: dict[FunctionRef, Ops] = {}
        self._index = lru_cache(maxsize=48)(_Index(read))

    def ops(self, ref: FunctionRef, unit: TopLevel) -> Ops:
        """What one call of ``ref``, which stands in ``unit``, does."""
        found = self._ops.get(ref)
        if found is None:
            lazy, index = self._index(unit.path)
            node, enclosing = index.get((ref.line, ref.column), (None, frozenset()))
            found = ()
            # Calling a generator function runs no code yet (6.2.9.1).
            if node is not None and not is_generator(node):
                found = compile_function(node, ref, unit, self._roots, enclosing, lazy)
            self._ops[ref] = found
        return found


class _Index:
    def __init__(self, read: Callable[[str], str]) -> None:
        self._read = read

    def __call__(
        self, path: str
    ) -> tuple[bool, dict[tuple[int, int], tuple[Definition, frozenset[str]]]]:
        try:
            tree = ast.parse(self._read(path))
        except (OSError, SyntaxError, ValueError):
            return True, {}
        lazy = has_future_annotations(tree)
        return lazy, {
            (node.lineno, node.col_offset): (node, enclosing)
            for node, enclosing in _definitions(tree, frozenset())
        }


def _definitions(
    node: ast.AST, enclosing: frozenset[str]
) -> Iterator[tuple[Definition, frozenset[str]]]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield child, enclosing
            own = frozenset(names_bound(child.body)) | frozenset(
                argument.arg
                for argument in ast.walk(child.args)
                if isinstance(argument, ast.arg)
            )
            yield from _definitions(child, enclosing | own)
        elif not isinstance(child, (ast.expr, ast.Import, ast.ImportFrom)):
            yield from _definitions(child, enclosing)
