"""Names of modules that are bound anew from outside, or by a name in a string.

``module.name = …`` and ``globals()["name"] = …`` are bindings as any other, so a read
through the name may be of another object. A test that patches the name does the same
for a while; it is listed, because it patches what nobody reads any more.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemod.analysis.facts import Rebinding, UseFact
from codemod.analysis.flowing import FileFlow
from codemod.analysis.origins import is_builtin
from codemod.analysis.scopes import Scope
from codemod.analysis.spelling import last_name
from codemod.analysis.spots import Spot

#: The kind of use that a patch is.
PATCHED = "patched"


def rebound(flow: FileFlow) -> Iterator[Rebinding]:
    """Bindings of names of interest in modules, other than by their own scopes."""
    for names, value, scope in _bindings(flow):
        origins = flow.exact.of(value, scope) if value is not None else frozenset()
        for name in names:
            yield Rebinding(name, tuple(sorted(origins)))


def _bindings(flow: FileFlow) -> Iterator[tuple[list[str], ast.expr | None, Scope]]:
    words = flow.vocabulary.words | flow.vocabulary.accessors | flow.suspects.names
    for spot, value in flow.walker.attribute_stores:
        name = spot.node.attr
        if name in words:
            refs = flow.exact.refs(spot.node.value, spot.scope)
            yield [f"{ref}.{name}" for ref in refs], value, spot.scope
    for spot, value in flow.walker.stored_items:
        key = spot.node.slice
        if (
            isinstance(key, ast.Constant)
            and key.value in words
            and _is_globals(spot.node.value, spot.scope)
        ):
            yield [f"{flow.module}.{key.value}"], value, spot.scope
    for spot in flow.walker.calls:
        func = spot.node.func
        if isinstance(func, ast.Attribute) and _is_globals(func.value, spot.scope):
            for name, value in _updated(spot.node):
                if name in words:
                    yield [f"{flow.module}.{name}"], value, spot.scope


def _is_globals(node: ast.expr, scope: Scope) -> bool:
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "globals"
        and is_builtin("globals", scope)
    )


def _updated(node: ast.Call) -> Iterator[tuple[str, ast.expr]]:
    """The names and values that a call of a method of ``globals()`` gives."""
    method = last_name(node.func)
    if method == "update":
        for keyword in node.keywords:
            if keyword.arg is not None:
                yield keyword.arg, keyword.value
        for argument in node.args:
            if isinstance(argument, ast.Dict):
                for key, value in zip(argument.keys, argument.values):
                    if isinstance(key, ast.Constant) and isinstance(key.value, str):
                        yield key.value, value
    elif method == "__setitem__" and len(node.args) == 2:
        key = node.args[0]
        if isinstance(key, ast.Constant) and isinstance(key.value, str):
            yield key.value, node.args[1]


def patches(flow: FileFlow) -> Iterator[UseFact]:
    """Where a getter, or a name that is the record, is replaced in a module."""
    words = flow.vocabulary.words
    for spot in flow.walker.calls:
        node = spot.node
        if not _patches(node.func) or not node.args:
            continue
        texts = [
            a.value
            for a in node.args[:2]
            if isinstance(a, ast.Constant) and isinstance(a.value, str)
        ]
        if not texts or texts[0].rpartition(".")[2] not in words:
            continue
        if "." in texts[0]:
            found = [texts[0]]
        else:
            found = [
                f"{r}.{texts[0]}" for r in flow.exact.refs(node.args[0], spot.scope)
            ]
        if found:
            yield _patch(spot, found)
    for spot, _ in flow.walker.attribute_stores:
        if spot.node.attr in words:
            refs = flow.exact.refs(spot.node.value, spot.scope)
            if refs:
                yield _patch(spot, [f"{ref}.{spot.node.attr}" for ref in refs])


def _patches(func: ast.expr) -> bool:
    """``patch``, ``mock.patch``, ``patch.object``, ``monkeypatch.setattr``."""
    name = last_name(func)
    return name == "patch" or (
        isinstance(func, ast.Attribute) and name in ("object", "setattr")
    )


def _patch(spot: Spot, names: list[str]) -> UseFact:
    origins = tuple(("ref", name) for name in names)
    return UseFact(spot.node.lineno, spot.scope.path, PATCHED, origins)
