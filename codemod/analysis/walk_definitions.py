"""Definitions of a walk: functions, classes, lambdas, and the scopes they open."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from codemod.analysis.scopes import Binding, Scope
from codemod.analysis.source_order import ordered_children

if TYPE_CHECKING:
    from codemod.analysis.walk import Walker


def visit_function(walker: Walker, node: Any, scope: Scope) -> None:
    if walker.defer(node, scope):
        return
    ordinal = walker.n_function
    walker.n_function += 1
    walker.visit_all(node.decorator_list, scope)
    walker.bind_definition(node, scope)
    outer = _type_parameters(walker, node, scope)
    inner = Scope("function", outer, node.name)
    if scope.kind == "class" and not _is_static(node):
        named = [*node.args.posonlyargs, *node.args.args]
        inner.self_name = named[0].arg if named else ""
    _parameters(walker, node.args, outer, inner)
    if node.returns is not None:
        walker.visit(node.returns, outer)
    saved = walker.guards, walker.direct, walker.functions
    walker.guards, walker.direct = (), True
    walker.functions = (*walker.functions, ordinal)
    walker.visit_all(node.body, inner)
    walker.guards, walker.direct, walker.functions = saved


def visit_lambda(walker: Walker, node: ast.Lambda, scope: Scope) -> None:
    inner = Scope("lambda", scope, immediate=id(node) in walker.called)
    _parameters(walker, node.args, scope, inner)
    guards = walker.guards
    if not inner.immediate:
        walker.guards = ()
    walker.visit(node.body, inner)
    walker.guards = guards


def _parameters(
    walker: Walker, args: ast.arguments, outer: Scope, inner: Scope
) -> None:
    """Bind parameters in ``inner``; defaults and annotations run in ``outer``."""
    defaults = _defaults_by_parameter(args)
    for child in ordered_children(args):
        if type(child) is ast.arg:
            inner.bindings[child.arg] = [
                Binding(
                    "parameter",
                    inner,
                    node=child,
                    line=child.lineno,
                    ref="",
                )
            ]
            default = defaults.get(child.arg)
            walker.parameters.append((child, default))
            walker.bound_in_functions[child.arg] += 1
            if default is not None:
                inner.bindings[child.arg].append(
                    Binding("declared", outer, node=default, ref="default")
                )
            if child.annotation is not None:
                walker.visit(child.annotation, outer)
        else:
            walker.visit(child, outer)


def _type_parameters(walker: Walker, node: Any, scope: Scope) -> Scope:
    """The scope of PEP 695 type parameters, or ``scope`` when there are none."""
    parameters = getattr(node, "type_params", None)
    if not parameters:
        return scope
    inner = Scope("types", scope)
    guards, walker.guards = walker.guards, ()
    for parameter in parameters:
        walker.bind(parameter.name, inner, "other", node.lineno)
        # Bounds, constraints and defaults wait until something asks for them.
        walker.visit_all(ordered_children(parameter), Scope("lambda", inner))
    walker.guards = guards
    return inner


def visit_class(walker: Walker, node: ast.ClassDef, scope: Scope) -> None:
    if walker.defer(node, scope):
        return
    walker.visit_all(node.decorator_list, scope)
    walker.bind_definition(node, scope)
    outer = _type_parameters(walker, node, scope)
    inner = Scope("class", outer, node.name)
    walker.classes.append((node, scope, inner))
    skipped = {id(part) for part in node.decorator_list}
    skipped.update(id(part) for part in node.body)
    skipped.update(id(part) for part in getattr(node, "type_params", ()))
    for child in ordered_children(node):
        if id(child) not in skipped:
            walker.visit(child, outer)
    walker.visit_all(node.body, inner)


def visit_type_alias(walker: Walker, node: Any, scope: Scope) -> None:
    walker.bind(node.name.id, scope, "other", node.lineno)
    outer = _type_parameters(walker, node, scope)
    # 3.12: the value is evaluated lazily, in a scope like a function's.
    walker.visit(node.value, Scope("lambda", outer))


def _is_static(node: Any) -> bool:
    return any(
        isinstance(d, ast.Name) and d.id == "staticmethod" for d in node.decorator_list
    )


def _defaults_by_parameter(args: ast.arguments) -> dict[str, ast.expr]:
    positional = [*args.posonlyargs, *args.args]
    found: dict[str, ast.expr] = {}
    if args.defaults:
        for arg, default in zip(positional[-len(args.defaults) :], args.defaults):
            found[arg.arg] = default
    for arg, keyword_default in zip(args.kwonlyargs, args.kw_defaults):
        if keyword_default is not None:
            found[arg.arg] = keyword_default
    return found


HANDLERS: dict[type[ast.AST], Callable[[Walker, Any, Scope], None]] = {
    ast.Lambda: visit_lambda,
    ast.FunctionDef: visit_function,
    ast.AsyncFunctionDef: visit_function,
    ast.ClassDef: visit_class,
}
if hasattr(ast, "TypeAlias"):
    HANDLERS[ast.TypeAlias] = visit_type_alias
