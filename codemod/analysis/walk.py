"""One pass over a syntax tree: scopes, bindings, and every expression of interest.

The walk goes in source order, outer first, so that the ordinals it counts are those of
``codemod.model.Anchor``. It decides nothing: values are kept as syntax until the whole
file, with every binding of every name, has been seen.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Sequence
from typing import Any

from codemod.analysis import walk_definitions, walk_expressions, walk_statements
from codemod.analysis.handlers import Guard
from codemod.analysis.hits import Hits
from codemod.analysis.scopes import Binding, Scope, settle
from codemod.analysis.source_order import ordered_children
from codemod.analysis.spots import Spot
from codemod.analysis.vocabulary import Vocabulary


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
        #: ``a[b]`` that something is assigned to: node, value or None.
        self.stored_items: list[tuple[Spot, ast.expr | None]] = []
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
        self.n_attribute = 0
        self.n_call = 0
        self.n_subscript = 0
        self.n_function = 0

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

    def defer(self, node: Any, scope: Scope) -> bool:
        """Put off a definition outside of functions that mentions no word."""
        if self.hits is None or scope.kind not in ("module", "class"):
            return False
        if self.functions:
            return False
        first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
        if self.hits.between(first, node.end_lineno):
            return False
        self.bind_definition(node, scope)
        self.deferred.append((node, scope, self.guards, self.direct))
        return True

    def bind_definition(self, node: Any, scope: Scope) -> None:
        """Bind the name of a function or class, once though its body may wait."""
        if (id(node), scope) not in self._bound:
            self._bound.add((id(node), scope))
            self.bind(node.name, scope, "definition", node.lineno)

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

    def bind(self, name: str, scope: Scope, kind: Any, line: int, **more: Any) -> None:
        if scope.kind != "module":
            self.bound_in_functions[name] += 1
        scope.bind(name, self.binding(kind, scope, line, **more))

    def binding(self, kind: Any, scope: Scope, line: int, **more: Any) -> Binding:
        return Binding(
            kind, scope, guards=self.guards, line=line, direct=self.direct, **more
        )

    # -- targets ----------------------------------------------------------------

    def target(self, target: ast.expr, value: ast.expr | None, scope: Scope) -> None:
        """Bind an assignment target to ``value``, or to something unknown."""
        kind = type(target)
        if kind is ast.Name:
            name = target.id  # type: ignore[attr-defined]
            if value is None:
                self.bind(name, scope, "other", target.lineno)
            else:
                self.consumed.add(id(value))
                self.values.append((name, value))
                self.bind(name, scope, "value", target.lineno, node=value)
        elif kind is ast.Tuple or kind is ast.List:
            self._unpack(target.elts, value, scope)  # type: ignore[attr-defined]
        elif kind is ast.Starred:
            self.target(target.value, None, scope)  # type: ignore[attr-defined]
        else:
            if kind is ast.Attribute:
                spot = self.spot(target, scope, -1)
                self.attribute_stores.append((spot, value))
                if value is not None and target.attr in self.words:  # type: ignore[attr-defined]
                    self.consumed.add(id(value))
            elif kind is ast.Subscript:
                self.stored_items.append((self.spot(target, scope, -1), value))
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
            self.target(target, part, scope)


_HANDLERS = {
    **walk_expressions.HANDLERS,
    **walk_statements.HANDLERS,
    **walk_definitions.HANDLERS,
}
