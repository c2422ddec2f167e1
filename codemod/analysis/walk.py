"""One pass over a syntax tree: scopes, bindings, and every expression of interest.

The walk goes in source order, outer first, so that the ordinals it counts are those of
``codemod.model.Anchor``. It decides nothing: values are kept as syntax until the whole
file, with every binding of every name, has been seen.
"""

from __future__ import annotations

import ast
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from codemod.analysis.handlers import Guard, leaves, suppressing
from codemod.analysis.hits import Hits
from codemod.analysis.scopes import Binding, Scope, settle
from codemod.analysis.setting import stored_by_call
from codemod.analysis.source_order import ordered_children
from codemod.analysis.toplevel import import_bindings
from codemod.analysis.vocabulary import Vocabulary


class Spot:
    """An expression of interest with what stands around it."""

    __slots__ = ("fstring", "functions", "guards", "node", "ordinal", "scope")

    def __init__(
        self,
        node: Any,
        scope: Scope,
        ordinal: int,
        guards: tuple[Guard, ...],
        functions: tuple[int, ...],
        fstring: ast.JoinedStr | None,
    ) -> None:
        self.node = node
        self.scope = scope
        self.ordinal = ordinal
        self.guards = guards
        self.functions = functions
        self.fstring = fstring


class Walker:
    """Walks one module. After ``walk`` the lists and scopes are complete."""

    def __init__(
        self,
        vocabulary: Vocabulary,
        module: str,
        is_package: bool,
        hits: Hits | None = None,
    ) -> None:
        #: When given, functions and classes at the outer levels that mention nothing
        #: wait in ``deferred``, and ordinals are not those of anchors.
        self.hits = hits
        self.deferred: list[tuple[ast.AST, Scope, tuple[Guard, ...], bool]] = []
        #: Definitions whose names are bound already, though their bodies wait.
        self._bound: set[tuple[int, Scope]] = set()
        self.words = vocabulary.words
        self.subscripts_read = "subscript" in vocabulary.access
        self.module_name = module
        self.is_package = is_package
        self.root = Scope("module", None)
        #: ``a.b`` in any context.
        self.attributes: list[Spot] = []
        self.calls: list[Spot] = []
        self.subscripts: list[Spot] = []
        self.names: dict[str, list[Spot]] = {}
        #: Targets on attributes: node, value or None, scope, guards.
        self.attribute_stores: list[tuple[Spot, ast.expr | None]] = []
        #: Class statements with the scope they stand in and the scope of their body.
        self.classes: list[tuple[ast.ClassDef, Scope, Scope]] = []
        self.stars: list[str] = []
        #: Every name bound to an expression, and every name bound by an import.
        self.values: list[tuple[str, ast.expr]] = []
        self.imports: list[tuple[str, str]] = []
        self.parameters: list[tuple[ast.arg, ast.expr | None]] = []
        #: Assignment and import statements, by their ordinals as anchors.
        self.assigns: list[Spot] = []
        self.import_statements: list[Spot] = []
        self.walruses: list[Spot] = []
        #: Names that some scope declares ``global`` or ``nonlocal``.
        self.declared: set[str] = set()
        #: How many times a name is bound in scopes other than the module's.
        self.bound_in_functions: Counter[str] = Counter()
        #: ids of expressions whose parent takes them as a value it accounts for.
        self.consumed: set[int] = set()
        #: ids of expressions that a pattern compares with: no call may stand there.
        self.in_pattern: set[int] = set()
        #: ids of expressions that are called.
        self.called: set[int] = set()
        self.guards: tuple[Guard, ...] = ()
        self.functions: tuple[int, ...] = ()
        #: The outermost f-string around, where ``ast`` misplaces what is inside.
        self.fstring: ast.JoinedStr | None = None
        self.direct = True
        self._n_attribute = 0
        self._n_call = 0
        self._n_subscript = 0
        self._n_function = 0

    def walk(self, tree: ast.Module) -> None:
        """Visit the whole module."""
        for statement in tree.body:
            self.visit(statement, self.root)
        settle(self.root)

    def resume(self) -> None:
        """Visit the deferred definitions that mention something by now."""
        waiting, self.deferred = self.deferred, []
        for node, scope, guards, direct in waiting:
            self.guards, self.direct = guards, direct
            self.visit(node, scope)
        self.guards, self.direct = (), True
        settle(self.root)

    def _defer(self, node: Any, scope: Scope) -> bool:
        """Put off a definition outside of functions that mentions no word."""
        if self.hits is None or scope.kind not in ("module", "class"):
            return False
        if self.functions:
            return False
        first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
        if self.hits.between(first, node.end_lineno):
            return False
        if (id(node), scope) not in self._bound:
            self._bound.add((id(node), scope))
            self._bind(node.name, scope, "definition", node.lineno)
        self.deferred.append((node, scope, self.guards, self.direct))
        return True

    # -- dispatch ---------------------------------------------------------------

    def visit(self, node: ast.AST, scope: Scope) -> None:
        handler = _HANDLERS.get(type(node))
        if handler is not None:
            handler(self, node, scope)
        else:
            for child in ordered_children(node):
                self.visit(child, scope)

    def visit_all(self, nodes: Sequence[ast.AST], scope: Scope) -> None:
        for node in nodes:
            self.visit(node, scope)

    def spot(self, node: ast.AST, scope: Scope, ordinal: int) -> Spot:
        return Spot(node, scope, ordinal, self.guards, self.functions, self.fstring)

    def _bind(self, name: str, scope: Scope, kind: Any, line: int, **more: Any) -> None:
        if scope.kind != "module":
            self.bound_in_functions[name] += 1
        scope.bind(name, self._binding(kind, scope, line, **more))

    def _binding(self, kind: Any, scope: Scope, line: int, **more: Any) -> Binding:
        return Binding(
            kind, scope, guards=self.guards, line=line, direct=self.direct, **more
        )

    # -- expressions ------------------------------------------------------------

    def visit_name(self, node: ast.Name, scope: Scope) -> None:
        if type(node.ctx) is ast.Load:
            spots = self.names.get(node.id)
            spot = Spot(node, scope, 0, self.guards, self.functions, self.fstring)
            if spots is None:
                self.names[node.id] = [spot]
            else:
                spots.append(spot)
        else:
            # Reached only for targets no statement handled, such as ``del``.
            self._bind(node.id, scope, "other", node.lineno)

    def visit_constant(self, node: ast.Constant, scope: Scope) -> None:
        pass

    def visit_attribute(self, node: ast.Attribute, scope: Scope) -> None:
        ordinal = self._n_attribute
        self._n_attribute = ordinal + 1
        self.attributes.append(
            Spot(node, scope, ordinal, self.guards, self.functions, self.fstring)
        )
        self.visit(node.value, scope)

    def visit_call(self, node: ast.Call, scope: Scope) -> None:
        self.calls.append(self.spot(node, scope, self._n_call))
        self._n_call += 1
        self.called.add(id(node.func))
        stored = stored_by_call(node)
        if stored is not None:
            target, value = stored
            self.attribute_stores.append((self.spot(target, scope, -1), value))
        for child in ordered_children(node):
            self.visit(child, scope)

    def visit_subscript(self, node: ast.Subscript, scope: Scope) -> None:
        ordinal = self._n_subscript
        self._n_subscript = ordinal + 1
        if self.subscripts_read:
            self.subscripts.append(self.spot(node, scope, ordinal))
        self.visit(node.value, scope)
        self.visit(node.slice, scope)

    def visit_named(self, node: ast.NamedExpr, scope: Scope) -> None:
        self.walruses.append(self.spot(node, scope, len(self.walruses)))
        # PEP 572: inside comprehensions the target belongs to the scope around them.
        target_scope = scope
        while target_scope.kind == "comprehension" and target_scope.parent is not None:
            target_scope = target_scope.parent
        self.values.append((node.target.id, node.value))
        if target_scope.kind != "module":
            self.bound_in_functions[node.target.id] += 1
        binding = self._binding("value", scope, node.lineno, node=node.value)
        target_scope.bind(node.target.id, binding)
        self.consumed.add(id(node.value))
        self.visit(node.value, scope)

    def visit_lambda(self, node: ast.Lambda, scope: Scope) -> None:
        inner = Scope("lambda", scope)
        self._parameters(node.args, scope, inner)
        guards, self.guards = self.guards, ()
        self.visit(node.body, inner)
        self.guards = guards

    def visit_comprehension(self, node: Any, scope: Scope) -> None:
        inner = Scope("comprehension", scope)
        parts = [node.key, node.value] if type(node) is ast.DictComp else [node.elt]
        for part in parts:
            if part is not None:  # PEP 798 leaves a dict value out
                self.visit(part, inner)
        for index, generator in enumerate(node.generators):
            self._target(generator.target, None, inner)
            # 6.2.4: the first iterable is evaluated in the enclosing scope.
            self.visit(generator.iter, inner if index else scope)
            self.visit_all(generator.ifs, inner)

    def visit_fstring(self, node: ast.JoinedStr, scope: Scope) -> None:
        outer, self.fstring = self.fstring, self.fstring or node
        self.visit_all(node.values, scope)
        self.fstring = outer

    # -- targets ----------------------------------------------------------------

    def _target(self, target: ast.expr, value: ast.expr | None, scope: Scope) -> None:
        """Bind an assignment target to ``value``, or to something unknown."""
        kind = type(target)
        if kind is ast.Name:
            name = target.id  # type: ignore[attr-defined]
            if value is None:
                self._bind(name, scope, "other", target.lineno)
            else:
                self.consumed.add(id(value))
                self.values.append((name, value))
                self._bind(name, scope, "value", target.lineno, node=value)
        elif kind is ast.Tuple or kind is ast.List:
            self._unpack(target.elts, value, scope)  # type: ignore[attr-defined]
        elif kind is ast.Starred:
            self._target(target.value, None, scope)  # type: ignore[attr-defined]
        else:
            if kind is ast.Attribute:
                spot = self.spot(target, scope, -1)
                self.attribute_stores.append((spot, value))
                if value is not None and target.attr in self.words:  # type: ignore[attr-defined]
                    self.consumed.add(id(value))
            self.visit(target, scope)

    def _unpack(
        self, targets: list[ast.expr], value: ast.expr | None, scope: Scope
    ) -> None:
        """Unpack by position where both sides show every position."""
        values: Sequence[ast.expr | None] = [None] * len(targets)
        if (
            isinstance(value, (ast.Tuple, ast.List))
            and len(value.elts) == len(targets)
            and not any(isinstance(e, ast.Starred) for e in [*value.elts, *targets])
        ):
            values = value.elts
        for target, part in zip(targets, values):
            self._target(target, part, scope)

    # -- statements -------------------------------------------------------------

    def visit_assign(self, node: ast.Assign, scope: Scope) -> None:
        self.assigns.append(self.spot(node, scope, len(self.assigns)))
        for target in node.targets:
            self._target(target, node.value, scope)
        self.visit(node.value, scope)

    def visit_annassign(self, node: ast.AnnAssign, scope: Scope) -> None:
        self.assigns.append(self.spot(node, scope, len(self.assigns)))
        if node.value is None:
            # PEP 526: ``(name): annotation`` is no declaration of a local.
            if isinstance(node.target, ast.Name) and node.simple:
                self._bind(node.target.id, scope, "declared", node.lineno)
            elif not isinstance(node.target, ast.Name):
                self.visit(node.target, scope)
            self.visit(node.annotation, scope)
            return
        self._target(node.target, node.value, scope)
        self.visit(node.annotation, scope)
        self.visit(node.value, scope)

    def visit_augassign(self, node: ast.AugAssign, scope: Scope) -> None:
        self.assigns.append(self.spot(node, scope, len(self.assigns)))
        self._target(node.target, None, scope)
        self.visit(node.value, scope)

    def visit_for(self, node: Any, scope: Scope) -> None:
        self._target(node.target, None, scope)
        self.visit(node.iter, scope)
        direct, self.direct = self.direct, False
        self.visit_all(node.body, scope)
        self.visit_all(node.orelse, scope)
        self.direct = direct

    def visit_branching(self, node: Any, scope: Scope) -> None:
        self.visit(node.test, scope)
        direct, self.direct = self.direct, False
        self.visit_all(node.body, scope)
        self.visit_all(node.orelse, scope)
        self.direct = direct

    def visit_with(self, node: Any, scope: Scope) -> None:
        guards = self.guards
        for item in node.items:
            self.visit(item.context_expr, scope)
            if item.optional_vars is not None:
                self._target(item.optional_vars, None, scope)
            # A later item already runs under an earlier one.
            self.guards += suppressing(item.context_expr, scope)
        self.visit_all(node.body, scope)
        self.guards = guards

    def visit_try(self, node: Any, scope: Scope) -> None:
        outer, direct = self.guards, self.direct
        self.direct = False
        if leaves(node.finalbody):
            self.guards += ((None, scope),)
        guards = self.guards
        for handler in node.handlers:
            self.guards += ((handler.type, scope),)
        self.visit_all(node.body, scope)
        self.guards = guards
        for handler in node.handlers:
            if handler.type is not None:
                self.visit(handler.type, scope)
            if handler.name:
                # Bound on entry and deleted on exit (8.4.1).
                self._bind(handler.name, scope, "other", handler.lineno)
            self.visit_all(handler.body, scope)
        self.visit_all(node.orelse, scope)
        self.guards = outer
        self.visit_all(node.finalbody, scope)
        self.direct = direct

    def visit_import(self, node: Any, scope: Scope) -> None:
        self.import_statements.append(
            self.spot(node, scope, len(self.import_statements))
        )
        for bound, target, source in import_bindings(
            node, self.module_name, self.is_package
        ):
            if bound == "*":
                self.stars.append(source)
            else:
                self.imports.append((bound, target))
                self._bind(bound, scope, "import", node.lineno, ref=target)

    def visit_global(self, node: ast.Global, scope: Scope) -> None:
        scope.globals.update(node.names)
        self.declared.update(node.names)

    def visit_nonlocal(self, node: ast.Nonlocal, scope: Scope) -> None:
        scope.nonlocals.update(node.names)
        self.declared.update(node.names)

    def visit_match_name(self, node: Any, scope: Scope) -> None:
        if getattr(node, "pattern", None) is not None:
            self.visit(node.pattern, scope)
        if node.name:
            self._bind(node.name, scope, "other", node.lineno)

    def visit_match_mapping(self, node: ast.MatchMapping, scope: Scope) -> None:
        for child in ordered_children(node):
            self.visit(child, scope)
        if node.rest:
            self._bind(node.rest, scope, "other", node.lineno)

    def visit_match(self, node: ast.Match, scope: Scope) -> None:
        self.visit(node.subject, scope)
        direct, self.direct = self.direct, False
        self.visit_all(node.cases, scope)
        self.direct = direct

    def visit_pattern_value(self, node: Any, scope: Scope) -> None:
        """The parts of a pattern that are dotted names (reference 8.6.4)."""
        if isinstance(node, ast.MatchValue):
            names: Sequence[ast.AST] = [node.value]
        elif isinstance(node, ast.MatchClass):
            names = [node.cls]
        else:
            names = node.keys
        for name in names:
            self.in_pattern.update(id(part) for part in ast.walk(name))
        if isinstance(node, ast.MatchMapping):
            self.visit_match_mapping(node, scope)
            return
        for child in ordered_children(node):
            self.visit(child, scope)

    # -- definitions ------------------------------------------------------------

    def visit_function(self, node: Any, scope: Scope) -> None:
        if self._defer(node, scope):
            return
        ordinal = self._n_function
        self._n_function += 1
        self.visit_all(node.decorator_list, scope)
        if (id(node), scope) not in self._bound:
            self._bind(node.name, scope, "definition", node.lineno)
        outer = self._type_parameters(node, scope)
        inner = Scope("function", outer, node.name)
        if scope.kind == "class" and not _is_static(node):
            named = [*node.args.posonlyargs, *node.args.args]
            inner.self_name = named[0].arg if named else ""
        self._parameters(node.args, outer, inner)
        if node.returns is not None:
            self.visit(node.returns, outer)
        saved = self.guards, self.direct, self.functions
        self.guards, self.direct = (), True
        self.functions = (*self.functions, ordinal)
        self.visit_all(node.body, inner)
        self.guards, self.direct, self.functions = saved

    def _parameters(self, args: ast.arguments, outer: Scope, inner: Scope) -> None:
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
                self.parameters.append((child, default))
                self.bound_in_functions[child.arg] += 1
                if default is not None:
                    inner.bindings[child.arg].append(
                        Binding("declared", outer, node=default, ref="default")
                    )
                if child.annotation is not None:
                    self.visit(child.annotation, outer)
            else:
                self.visit(child, outer)

    def _type_parameters(self, node: Any, scope: Scope) -> Scope:
        """The scope of PEP 695 type parameters, or ``scope`` when there are none."""
        parameters = getattr(node, "type_params", None)
        if not parameters:
            return scope
        inner = Scope("types", scope)
        guards, self.guards = self.guards, ()
        for parameter in parameters:
            self._bind(parameter.name, inner, "other", node.lineno)
            # Bounds, constraints and defaults wait until something asks for them.
            self.visit_all(ordered_children(parameter), Scope("lambda", inner))
        self.guards = guards
        return inner

    def visit_class(self, node: ast.ClassDef, scope: Scope) -> None:
        if self._defer(node, scope):
            return
        self.visit_all(node.decorator_list, scope)
        if (id(node), scope) not in self._bound:
            self._bind(node.name, scope, "definition", node.lineno)
        outer = self._type_parameters(node, scope)
        inner = Scope("class", outer, node.name)
        self.classes.append((node, scope, inner))
        skipped = {id(part) for part in node.decorator_list}
        skipped.update(id(part) for part in node.body)
        skipped.update(id(part) for part in getattr(node, "type_params", ()))
        for child in ordered_children(node):
            if id(child) not in skipped:
                self.visit(child, outer)
        self.visit_all(node.body, inner)

    def visit_type_alias(self, node: Any, scope: Scope) -> None:
        self._bind(node.name.id, scope, "other", node.lineno)
        outer = self._type_parameters(node, scope)
        # 3.12: the value is evaluated lazily, in a scope like a function's.
        self.visit(node.value, Scope("lambda", outer))


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


_HANDLERS: dict[type[ast.AST], Callable[[Walker, Any, Scope], None]] = {
    ast.Name: Walker.visit_name,
    ast.Constant: Walker.visit_constant,
    ast.Attribute: Walker.visit_attribute,
    ast.Call: Walker.visit_call,
    ast.Subscript: Walker.visit_subscript,
    ast.NamedExpr: Walker.visit_named,
    ast.Lambda: Walker.visit_lambda,
    ast.ListComp: Walker.visit_comprehension,
    ast.SetComp: Walker.visit_comprehension,
    ast.DictComp: Walker.visit_comprehension,
    ast.GeneratorExp: Walker.visit_comprehension,
    ast.Assign: Walker.visit_assign,
    ast.AnnAssign: Walker.visit_annassign,
    ast.AugAssign: Walker.visit_augassign,
    ast.For: Walker.visit_for,
    ast.AsyncFor: Walker.visit_for,
    ast.If: Walker.visit_branching,
    ast.While: Walker.visit_branching,
    ast.With: Walker.visit_with,
    ast.AsyncWith: Walker.visit_with,
    ast.Try: Walker.visit_try,
    ast.Import: Walker.visit_import,
    ast.ImportFrom: Walker.visit_import,
    ast.Global: Walker.visit_global,
    ast.Nonlocal: Walker.visit_nonlocal,
    ast.MatchAs: Walker.visit_match_name,
    ast.MatchStar: Walker.visit_match_name,
    ast.MatchMapping: Walker.visit_pattern_value,
    ast.MatchValue: Walker.visit_pattern_value,
    ast.MatchClass: Walker.visit_pattern_value,
    ast.Match: Walker.visit_match,
    ast.FunctionDef: Walker.visit_function,
    ast.AsyncFunctionDef: Walker.visit_function,
    ast.ClassDef: Walker.visit_class,
}
if sys.version_info < (3, 12):
    _HANDLERS[ast.JoinedStr] = Walker.visit_fstring
if hasattr(ast, "TryStar"):
    _HANDLERS[ast.TryStar] = Walker.visit_try
if hasattr(ast, "TypeAlias"):
    _HANDLERS[ast.TypeAlias] = Walker.visit_type_alias
