"""Uses of the record that are not reads of one literal field.

Passing it whole, ``hasattr``, ``vars``, ``asdict``, computed names: nobody is to be
told that a file is clean when it is not.
"""

from __future__ import annotations

import ast

from codemod.analysis.facts import UseFact
from codemod.analysis.flowing import FileFlow
from codemod.analysis.origins import Origins, is_builtin, literal_getattr, spelled
from codemod.analysis.positions import SourceLines
from codemod.analysis.spots import Spot

#: Calls that take the record as their first argument, by the last part of their name.
_KINDS = {
    "hasattr": "hasattr",
    "vars": "vars",
    "dir": "vars",
    "asdict": "asdict",
    "astuple": "asdict",
    "fields": "fields",
    "replace": "copy",
    "copy": "copy",
    "deepcopy": "copy",
    "setattr": "setattr",
    "delattr": "setattr",
    "isinstance": "isinstance",
}
WHOLE = "whole-object"


def collect_uses(
    flow: FileFlow, bases: dict[int, tuple[str, int]], lines: SourceLines
) -> list[UseFact]:
    """Every place where what may be the record is taken whole.

    ``bases`` are ids of expressions that candidates read a field from.
    """
    walker = flow.walker
    kinds = _kinds_by_argument(flow)
    found: list[UseFact] = []

    def add(spot: Spot, origins: Origins, kind: str) -> None:
        node, where = spot.node, tuple(sorted(origins))
        column = lines.column(node.lineno, node.col_offset)
        text = lines.segment(node) if spot.fstring is None else ""
        found.append(UseFact(node.lineno, spot.scope.path, kind, where, column, text))

    def visit(spot: Spot) -> None:
        node = spot.node
        if id(node) in bases or id(node) in walker.consumed:
            return
        origins = flow.record_origins(node, spot.scope)
        if origins is not None:
            add(spot, origins, kinds.get(id(node), WHOLE))
        elif id(node) not in walker.called:
            if isinstance(node, ast.Name) and node.id not in flow.suspects.names:
                return
            getter = flow.exact.of(node, spot.scope)
            if flow.is_getter(getter):
                add(spot, getter, "getter")

    for name in sorted(flow.suspects.names & walker.names.keys()):
        for spot in walker.names[name]:
            visit(spot)
    words = flow.vocabulary.words | spelled(flow.stash_names)
    for spot in walker.attributes:
        if spot.node.attr in words and type(spot.node.ctx) is ast.Load:
            visit(spot)
    for spot in walker.calls:
        if flow.suspects.expression(spot.node):
            visit(spot)
    found.sort(key=lambda use: (use.line, use.kind))
    return found


def _kinds_by_argument(flow: FileFlow) -> dict[int, str]:
    found: dict[int, str] = {}
    for spot in flow.walker.calls:
        node = spot.node
        if not node.args:
            continue
        func = node.func
        name = func.attr if isinstance(func, ast.Attribute) else getattr(func, "id", "")
        if name == "getattr":
            if literal_getattr(node, spot.scope) is None and is_builtin(
                "getattr", spot.scope
            ):
                found[id(node.args[0])] = "computed-name"
        elif name in _KINDS:
            found[id(node.args[0])] = _KINDS[name]
    for spot in flow.walker.subscripts:
        found[id(spot.node.value)] = "computed-name"
    for spot in flow.walker.attributes:
        attr = spot.node.attr
        if attr.startswith("__") and attr.endswith("__"):
            found[id(spot.node.value)] = "vars" if attr == "__dict__" else WHOLE
    return found
