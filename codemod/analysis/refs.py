"""Where a file means a function of another module by name, however it is imported."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemod.analysis.origins import Flow
from codemod.analysis.spots import Spot
from codemod.analysis.vocabulary import Vocabulary
from codemod.analysis.walk import Walker


def references_to(
    tree: ast.Module, module: str, is_package: bool, names: frozenset[str]
) -> Iterator[tuple[Spot, tuple[str, ...]]]:
    """Every expression that may be an object of one of the names, with its origins.

    ``names`` are last parts of dotted names. Import statements are not among them. A
    name bound to such an object counts where it is read; the origins are dotted names.
    """
    vocabulary = Vocabulary(getters=names)
    walker = Walker(vocabulary, module, is_package)
    walker.walk(tree)
    yield from walked_references(walker, Flow(vocabulary, module, walker.stars), names)


def walked_references(
    walker: Walker, flow: Flow, names: frozenset[str]
) -> Iterator[tuple[Spot, tuple[str, ...]]]:
    """As ``references_to``, on a walked file."""
    carriers = _carriers(walker, names)
    spots = [spot for name in carriers for spot in walker.names.get(name, ())]
    spots += [
        spot
        for spot in walker.attributes
        if spot.node.attr in names and type(spot.node.ctx) is ast.Load
    ]
    spots.sort(key=lambda spot: (spot.node.lineno, spot.node.col_offset))
    for spot in spots:
        origins = flow.of(spot.node, spot.scope)
        refs = tuple(
            sorted(
                origin[1]
                for origin in origins
                if origin[0] == "ref" and origin[1].rpartition(".")[2] in names
            )
        )
        if refs:
            yield spot, refs


def _carriers(walker: Walker, names: frozenset[str]) -> set[str]:
    """Names of the file that some binding may bind to one of the objects."""
    found = {name for name in names if name in walker.names}
    found |= {
        bound for bound, target in walker.imports if target.rpartition(".")[2] in names
    }
    while True:
        more = {
            name for name, value in walker.values if _carries(value, found, names)
        } - found
        if not more:
            return found
        found |= more


def _carries(node: ast.expr, found: set[str], names: frozenset[str]) -> bool:
    """Whether the value of an expression may be one of the objects, by its spelling."""
    if isinstance(node, ast.Name):
        return node.id in found
    if isinstance(node, ast.Attribute):
        return node.attr in names
    if isinstance(node, ast.NamedExpr):
        return _carries(node.value, found, names)
    if isinstance(node, ast.BoolOp):
        return any(_carries(part, found, names) for part in node.values)
    if isinstance(node, ast.IfExp):
        return any(_carries(part, found, names) for part in (node.body, node.orelse))
    return False
