"""Names of modules that tests set in other ways than by a patch of one function.

``patch.multiple``, ``patch.dict`` and the like, ``setattr``, plain assignment, and
names in strings that something else patches by. None of them becomes an override: they
are reported, since they would pass silently.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator

from codemod.analysis.origins import Flow
from codemod.analysis.patching import PatchSite, Place
from codemod.analysis.scopes import Scope
from codemod.analysis.setting import SETTING
from codemod.analysis.spelling import last_name
from codemod.analysis.spots import Spot
from codemod.analysis.walk import Walker

_ITEMS = frozenset({"setitem", "__setitem__", "setdefault"})
_PROBLEM = "it sets the name in a way that no override has"


def other_patches(
    tree: ast.Module,
    walker: Walker,
    flow: Flow,
    place: Place,
    probes: frozenset[str],
    known: Collection[int],
) -> Iterator[PatchSite]:
    """Every place that may set a probe's name, apart from those that are ``known``.

    ``known`` are ids of the calls that are patches as any.
    """

    def site(spot: Spot, kind: str, targets: list[str]) -> PatchSite:
        where = place(spot, (kind, spot.ordinal))
        return PatchSite(where, tuple(sorted(targets)), None, "other", _PROBLEM)

    for spot in walker.calls:
        if id(spot.node) not in known:
            targets = _of_call(spot, flow, probes)
            if targets:
                yield site(spot, "call", targets)
    for spot, _ in walker.attribute_stores:
        node = spot.node  # setattr(m, "name", value) is made one of them
        if node.attr in probes:
            modules = flow.refs(node.value, spot.scope)
            if modules:
                yield site(spot, "attribute", [f"{m}.{node.attr}" for m in modules])
    for spot, _ in walker.stored_items:
        key = spot.node.slice
        if isinstance(key, ast.Constant) and key.value in probes:
            modules = _namespace(spot.node.value, spot.scope, flow)
            if modules:
                yield site(spot, "subscript", [f"{m}.{key.value}" for m in modules])
    yield from _strings(tree, walker, place, probes, known)


def _of_call(spot: Spot, flow: Flow, probes: frozenset[str]) -> list[str]:
    node = spot.node
    name = last_name(node.func)
    names = [k.arg for k in node.keywords if k.arg in probes]
    if name == "multiple" and names and node.args:
        first = node.args[0]
        modules = flow.refs(first, spot.scope)
        if isinstance(first, ast.Constant) and isinstance(first.value, str):
            modules = [first.value]
        return [f"{module}.{each}" for module in modules for each in names]
    spaces = [*node.args[:1]]
    if isinstance(node.func, ast.Attribute):
        spaces.append(node.func.value)
    if name in _ITEMS:
        names += [
            each.value
            for each in node.args[:2]
            if isinstance(each, ast.Constant) and each.value in probes
        ]
    if not names or name not in SETTING | _ITEMS:
        return []
    modules = [m for each in spaces for m in _namespace(each, spot.scope, flow)]
    return [f"{module}.{each}" for module in modules for each in names]


def _namespace(node: ast.expr, scope: Scope, flow: Flow) -> list[str]:
    """The modules whose names ``vars(m)``, ``m.__dict__`` or ``globals()`` holds."""
    if isinstance(node, ast.Attribute) and node.attr == "__dict__":
        return flow.refs(node.value, scope)
    if isinstance(node, ast.Call):
        if last_name(node.func) == "vars" and node.args:
            return flow.refs(node.args[0], scope)
        if last_name(node.func) == "globals":
            return [flow.module]
    return []


def _strings(
    tree: ast.Module,
    walker: Walker,
    place: Place,
    probes: frozenset[str],
    known: Collection[int],
) -> Iterator[PatchSite]:
    """Dotted names in strings that are no argument of a patch."""
    inside: set[int] = set()
    for node in ast.walk(tree):
        if id(node) in known or (
            isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        ):
            inside.update(map(id, ast.walk(node)))
    for node in ast.walk(tree):
        if not isinstance(node, ast.Constant) or id(node) in inside:
            continue
        text = node.value
        if not isinstance(text, str) or not text.replace(".", "").isidentifier():
            continue
        if "." in text and text.rpartition(".")[2] in probes:
            spot = Spot(node, walker.root, 0, (), (), None)
            where = place(spot, ("string", 0))
            problem = "what is patched by it is not what is asked"
            yield PatchSite(where, (text,), None, "string", problem)
