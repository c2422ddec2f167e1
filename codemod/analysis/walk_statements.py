"""Statements of a walk: what they bind, and what stands around what is in them."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from codemod.analysis.handlers import leaves, suppressing
from codemod.analysis.scopes import Scope
from codemod.analysis.source_order import ordered_children
from codemod.analysis.toplevel import import_bindings

if TYPE_CHECKING:
    from codemod.analysis.walk import Walker


def visit_assign(walker: Walker, node: ast.Assign, scope: Scope) -> None:
    walker.assigns.append(walker.spot(node, scope, len(walker.assigns)))
    for target in node.targets:
        walker.target(target, node.value, scope)
    walker.visit(node.value, scope)


def visit_annassign(walker: Walker, node: ast.AnnAssign, scope: Scope) -> None:
    walker.assigns.append(walker.spot(node, scope, len(walker.assigns)))
    if node.value is None:
        # PEP 526: ``(name): annotation`` is no declaration of a local.
        if isinstance(node.target, ast.Name) and node.simple:
            walker.bind(node.target.id, scope, "declared", node.lineno)
        elif not isinstance(node.target, ast.Name):
            walker.visit(node.target, scope)
        walker.visit(node.annotation, scope)
        return
    walker.target(node.target, node.value, scope)
    walker.visit(node.annotation, scope)
    walker.visit(node.value, scope)


def visit_augassign(walker: Walker, node: ast.AugAssign, scope: Scope) -> None:
    walker.assigns.append(walker.spot(node, scope, len(walker.assigns)))
    walker.target(node.target, None, scope)
    walker.visit(node.value, scope)


def visit_for(walker: Walker, node: Any, scope: Scope) -> None:
    walker.target(node.target, None, scope)
    walker.visit(node.iter, scope)
    direct, walker.direct = walker.direct, False
    walker.visit_all(node.body, scope)
    walker.visit_all(node.orelse, scope)
    walker.direct = direct


def visit_branching(walker: Walker, node: Any, scope: Scope) -> None:
    walker.visit(node.test, scope)
    direct, walker.direct = walker.direct, False
    walker.visit_all(node.body, scope)
    walker.visit_all(node.orelse, scope)
    walker.direct = direct


def visit_with(walker: Walker, node: Any, scope: Scope) -> None:
    guards = walker.guards
    for item in node.items:
        walker.visit(item.context_expr, scope)
        if item.optional_vars is not None:
            walker.target(item.optional_vars, None, scope)
        # A later item already runs under an earlier one.
        walker.guards += suppressing(item.context_expr, scope)
    walker.visit_all(node.body, scope)
    walker.guards = guards


def visit_try(walker: Walker, node: Any, scope: Scope) -> None:
    outer, direct = walker.guards, walker.direct
    walker.direct = False
    if leaves(node.finalbody):
        walker.guards += ((None, scope),)
    guards = walker.guards
    for handler in node.handlers:
        walker.guards += ((handler.type, scope),)
    walker.visit_all(node.body, scope)
    walker.guards = guards
    for handler in node.handlers:
        if handler.type is not None:
            walker.visit(handler.type, scope)
        if handler.name:
            # Bound on entry and deleted on exit (8.4.1).
            walker.bind(handler.name, scope, "other", handler.lineno)
        walker.visit_all(handler.body, scope)
    walker.visit_all(node.orelse, scope)
    walker.guards = outer
    walker.visit_all(node.finalbody, scope)
    walker.direct = direct


def visit_import(walker: Walker, node: Any, scope: Scope) -> None:
    walker.import_statements.append(
        walker.spot(node, scope, len(walker.import_statements))
    )
    for bound, target, source in import_bindings(
        node, walker.module_name, walker.is_package
    ):
        if bound == "*":
            walker.stars.append(source)
        else:
            walker.imports.append((bound, target))
            walker.bind(bound, scope, "import", node.lineno, ref=target)


def visit_global(walker: Walker, node: ast.Global, scope: Scope) -> None:
    scope.globals.update(node.names)
    walker.declared.update(node.names)


def visit_nonlocal(walker: Walker, node: ast.Nonlocal, scope: Scope) -> None:
    scope.nonlocals.update(node.names)
    walker.declared.update(node.names)


def visit_match(walker: Walker, node: ast.Match, scope: Scope) -> None:
    walker.visit(node.subject, scope)
    direct, walker.direct = walker.direct, False
    walker.visit_all(node.cases, scope)
    walker.direct = direct


def visit_match_name(walker: Walker, node: Any, scope: Scope) -> None:
    if getattr(node, "pattern", None) is not None:
        walker.visit(node.pattern, scope)
    if node.name:
        walker.bind(node.name, scope, "other", node.lineno)


def visit_match_mapping(walker: Walker, node: ast.MatchMapping, scope: Scope) -> None:
    for child in ordered_children(node):
        walker.visit(child, scope)
    if node.rest:
        walker.bind(node.rest, scope, "other", node.lineno)


def visit_pattern_value(walker: Walker, node: Any, scope: Scope) -> None:
    """The parts of a pattern that are dotted names (reference 8.6.4)."""
    if isinstance(node, ast.MatchValue):
        names: Sequence[ast.AST] = [node.value]
    elif isinstance(node, ast.MatchClass):
        names = [node.cls]
    else:
        names = node.keys
    for name in names:
        walker.in_pattern.update(id(part) for part in ast.walk(name))
    if isinstance(node, ast.MatchMapping):
        visit_match_mapping(walker, node, scope)
        return
    for child in ordered_children(node):
        walker.visit(child, scope)


HANDLERS: dict[type[ast.AST], Callable[[Walker, Any, Scope], None]] = {
    ast.Assign: visit_assign,
    ast.AnnAssign: visit_annassign,
    ast.AugAssign: visit_augassign,
    ast.For: visit_for,
    ast.AsyncFor: visit_for,
    ast.If: visit_branching,
    ast.While: visit_branching,
    ast.With: visit_with,
    ast.AsyncWith: visit_with,
    ast.Try: visit_try,
    ast.Import: visit_import,
    ast.ImportFrom: visit_import,
    ast.Global: visit_global,
    ast.Nonlocal: visit_nonlocal,
    ast.MatchAs: visit_match_name,
    ast.MatchStar: visit_match_name,
    ast.MatchMapping: visit_pattern_value,
    ast.MatchValue: visit_pattern_value,
    ast.MatchClass: visit_pattern_value,
    ast.Match: visit_match,
}
if hasattr(ast, "TryStar"):
    HANDLERS[ast.TryStar] = visit_try
