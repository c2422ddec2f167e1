"""Expressions of a walk: names, attributes, calls, and what binds inside of them."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from codemod.analysis.scopes import Scope
from codemod.analysis.setting import stored_by_call
from codemod.analysis.source_order import ordered_children
from codemod.analysis.spots import Spot

if TYPE_CHECKING:
    from codemod.analysis.walk import Walker


def visit_name(walker: Walker, node: ast.Name, scope: Scope) -> None:
    if type(node.ctx) is ast.Load:
        spots = walker.names.get(node.id)
        spot = Spot(node, scope, 0, walker.guards, walker.functions, walker.fstring)
        if spots is None:
            walker.names[node.id] = [spot]
        else:
            spots.append(spot)
    else:
        # Reached only for targets no statement handled, such as ``del``.
        walker.bind(node.id, scope, "other", node.lineno)


def visit_constant(walker: Walker, node: ast.Constant, scope: Scope) -> None:
    pass


def visit_attribute(walker: Walker, node: ast.Attribute, scope: Scope) -> None:
    ordinal = walker.n_attribute
    walker.n_attribute = ordinal + 1
    walker.attributes.append(
        Spot(node, scope, ordinal, walker.guards, walker.functions, walker.fstring)
    )
    walker.visit(node.value, scope)


def visit_call(walker: Walker, node: ast.Call, scope: Scope) -> None:
    walker.calls.append(walker.spot(node, scope, walker.n_call))
    walker.n_call += 1
    walker.called.add(id(node.func))
    stored = stored_by_call(node)
    if stored is not None:
        target, value = stored
        walker.attribute_stores.append((walker.spot(target, scope, -1), value))
    for child in ordered_children(node):
        walker.visit(child, scope)


def visit_subscript(walker: Walker, node: ast.Subscript, scope: Scope) -> None:
    ordinal = walker.n_subscript
    walker.n_subscript = ordinal + 1
    if walker.subscripts_read:
        walker.subscripts.append(walker.spot(node, scope, ordinal))
    walker.visit(node.value, scope)
    walker.visit(node.slice, scope)


def visit_named(walker: Walker, node: ast.NamedExpr, scope: Scope) -> None:
    walker.walruses.append(walker.spot(node, scope, len(walker.walruses)))
    # PEP 572: inside comprehensions the target belongs to the scope around them.
    target_scope = scope
    while target_scope.kind == "comprehension" and target_scope.parent is not None:
        target_scope = target_scope.parent
    walker.values.append((node.target.id, node.value))
    if target_scope.kind != "module":
        walker.bound_in_functions[node.target.id] += 1
    binding = walker.binding("value", scope, node.lineno, node=node.value)
    target_scope.bind(node.target.id, binding)
    walker.consumed.add(id(node.value))
    walker.visit(node.value, scope)


def visit_comprehension(walker: Walker, node: Any, scope: Scope) -> None:
    inner = Scope("comprehension", scope)
    parts = [node.key, node.value] if type(node) is ast.DictComp else [node.elt]
    for part in parts:
        if part is not None:  # PEP 798 leaves a dict value out
            walker.visit(part, inner)
    for index, generator in enumerate(node.generators):
        walker.target(generator.target, None, inner)
        # 6.2.4: the first iterable is evaluated in the enclosing scope.
        walker.visit(generator.iter, inner if index else scope)
        walker.visit_all(generator.ifs, inner)


def visit_fstring(walker: Walker, node: ast.JoinedStr, scope: Scope) -> None:
    outer, walker.fstring = walker.fstring, walker.fstring or node
    walker.visit_all(node.values, scope)
    walker.fstring = outer


HANDLERS: dict[type[ast.AST], Callable[[Walker, Any, Scope], None]] = {
    ast.Name: visit_name,
    ast.Constant: visit_constant,
    ast.Attribute: visit_attribute,
    ast.Call: visit_call,
    ast.Subscript: visit_subscript,
    ast.NamedExpr: visit_named,
    ast.ListComp: visit_comprehension,
    ast.SetComp: visit_comprehension,
    ast.DictComp: visit_comprehension,
    ast.GeneratorExp: visit_comprehension,
}
if sys.version_info < (3, 12):
    HANDLERS[ast.JoinedStr] = visit_fstring
