"""Plans for the tests of the rewrite, written by the source text of their nodes.

A plan is made as the analysis makes it: the nodes are found in the ``ast`` tree and
counted in source order.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass

from codemod.analysis.source_order import ANCHOR_KINDS, walk_in_order
from codemod.model import Anchor, AnchorKind, Via
from codemod.plan import (
    AddImport,
    Edit,
    FilePlan,
    ReadEdit,
    RemoveImportName,
    RemoveStatement,
)
from codemod.rewrite import DEFAULT_STYLE, Style, rewrite


@dataclass(frozen=True)
class Read:
    """Every expression spelled ``text`` is read off ``accessor`` and ``path``."""

    text: str
    accessor: str = "get_exec()"
    path: str = "kernel"


@dataclass(frozen=True)
class Drop:
    """Every assignment spelled ``text`` goes away."""

    text: str


@dataclass(frozen=True)
class Unimport:
    """The name that the ``number``-th import statement binds goes away."""

    bound: str
    number: int = 0


@dataclass(frozen=True)
class Import:
    """``from module import name``, in the function named ``function`` if any."""

    name: str
    asname: str | None = None
    module: str = "app.context"
    function: str | None = None


Wish = Read | Drop | Unimport | Import


def plan_for(
    text: str, *wishes: Wish, module: str = "app.sub.worker", is_package: bool = False
) -> FilePlan:
    """Return the plan of ``wishes`` for the file ``text``."""
    nodes = _anchored(text)
    edits: list[Edit] = []
    for wish in wishes:
        found = _edits(wish, nodes)
        assert found, f"{wish} is nowhere in the text"
        edits += found
    return FilePlan("app/sub/worker.py", module, is_package, tuple(edits))


def rewritten(
    text: str,
    *wishes: Wish,
    style: Style = DEFAULT_STYLE,
    module: str = "app.sub.worker",
    is_package: bool = False,
) -> str:
    """Return ``text`` after ``wishes``."""
    plan = plan_for(text, *wishes, module=module, is_package=is_package)
    return rewrite(text, plan, style).text


def _anchored(text: str) -> list[tuple[Anchor, ast.AST]]:
    counts: dict[str, int] = {}
    found = []
    for node in walk_in_order(ast.parse(text.removeprefix("\ufeff"))):
        if (kind := ANCHOR_KINDS.get(type(node))) is not None:
            found.append((Anchor(kind, counts.get(kind, 0)), node))
            counts[kind] = counts.get(kind, 0) + 1
    return found


def _edits(wish: Wish, nodes: list[tuple[Anchor, ast.AST]]) -> list[Edit]:
    if isinstance(wish, Import):
        function = None
        if wish.function is not None:
            (function,) = (
                anchor
                for anchor, node in nodes
                if getattr(node, "name", None) == wish.function
            )
        return [AddImport(wish.module, wish.name, wish.asname, function)]
    if isinstance(wish, Unimport):
        return [RemoveImportName(Anchor("import", wish.number), wish.bound)]
    if isinstance(wish, Drop):
        return [
            RemoveStatement(anchor)
            for anchor, node in nodes
            if anchor.kind == "assign" and ast.unparse(node) == wish.text
        ]
    path = tuple(wish.path.split(".")) if wish.path else ()
    return [
        ReadEdit(anchor, *_form(node), wish.accessor, path)
        for anchor, node in nodes
        if anchor.kind in ("attribute", "call", "subscript")
        and ast.unparse(node) == wish.text
    ]


def _form(node: ast.AST) -> tuple[Via, str]:
    if isinstance(node, ast.Attribute):
        return "attribute", node.attr
    if isinstance(node, ast.Subscript):
        assert isinstance(node.slice, ast.Constant)
        return "subscript", node.slice.value
    assert isinstance(node, ast.Call)
    if isinstance(node.func, ast.Attribute):
        assert isinstance(node.args[0], ast.Constant)
        return "get", node.args[0].value
    assert isinstance(node.args[1], ast.Constant)
    return "getattr", node.args[1].value


def anchors_of_kind(text: str, kind: AnchorKind) -> list[Anchor]:
    """Return the anchors of one kind in ``text``, in source order."""
    return [anchor for anchor, _ in _anchored(text) if anchor.kind == kind]
