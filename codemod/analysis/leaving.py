"""What planned edits take out of a file: the expressions that nobody evaluates then.

Names in them are no longer read there, and reads in them are gone; both the clean-up
and the check after a rewrite ask.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable

from codemod.analysis.source_order import ANCHOR_KINDS, walk_in_order
from codemod.model import Anchor, AnchorKind
from codemod.plan import (
    Edit,
    RemoveArguments,
    RemoveParameters,
    RemoveStatement,
    ReplaceExpression,
    WrapRest,
)


def anchored_nodes(tree: ast.AST) -> dict[Anchor, ast.AST]:
    """Every node of a tree that an anchor can name, by its anchor."""
    counts: Counter[AnchorKind] = Counter()
    found: dict[Anchor, ast.AST] = {}
    for node in walk_in_order(tree):
        kind = ANCHOR_KINDS.get(type(node))
        if kind is not None:
            found[Anchor(kind, counts[kind])] = node
            counts[kind] += 1
    return found


def leaving_expressions(tree: ast.AST, edits: Iterable[Edit]) -> list[ast.expr]:
    """The expressions that the edits remove or put other text in the place of."""
    wanted = [edit for edit in edits if isinstance(edit, _TAKING)]
    if not wanted:
        return []
    nodes = anchored_nodes(tree)
    found: list[ast.expr] = []
    for edit in wanted:
        node = nodes[edit.anchor]
        if isinstance(edit, RemoveArguments):
            assert isinstance(node, ast.Call)
            found += _arguments(node, edit.keys)
        elif isinstance(edit, RemoveParameters):
            assert isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
            found += _parts_of_parameters(node.args, edit.names)
        elif isinstance(edit, RemoveStatement):
            assert isinstance(node, (ast.Assign, ast.AnnAssign))
            found += [node.value] if node.value is not None else []
        else:
            assert isinstance(node, ast.expr)
            found.append(node)
    return found


def _arguments(call: ast.Call, keys: tuple[str, ...]) -> list[ast.expr]:
    by_key = {str(number): value for number, value in enumerate(call.args)}
    by_key |= {k.arg: k.value for k in call.keywords if k.arg is not None}
    return [by_key[key] for key in keys]


def _parts_of_parameters(
    arguments: ast.arguments, names: tuple[str, ...]
) -> list[ast.expr]:
    """The annotations and defaults of parameters."""
    positional = [*arguments.posonlyargs, *arguments.args]
    plain = [None] * (len(positional) - len(arguments.defaults))
    pairs = [
        *zip(positional, [*plain, *arguments.defaults]),
        *zip(arguments.kwonlyargs, arguments.kw_defaults),
    ]
    return [
        part
        for argument, default in pairs
        if argument.arg in names
        for part in (argument.annotation, default)
        if part is not None
    ]


def leaving_anchors(tree: ast.AST, edits: Iterable[Edit]) -> frozenset[tuple[str, int]]:
    """The anchors of all nodes that the edits take out."""
    leaving = leaving_expressions(tree, edits)
    if not leaving:
        return frozenset()
    gone = {id(part) for expression in leaving for part in ast.walk(expression)}
    return frozenset(
        (anchor.kind, anchor.ordinal)
        for anchor, node in anchored_nodes(tree).items()
        if id(node) in gone
    )


_TAKING = (
    ReplaceExpression,
    RemoveArguments,
    RemoveParameters,
    RemoveStatement,
    WrapRest,
)
