"""Whether a local name is bound where it is used: definite assignment in one function.

The function is followed in the order it runs. A state is ``unbound``, ``maybe`` or
``bound``; where paths meet, states that differ become ``maybe``. A path that ends
(``return``, ``raise``, ``break``, ``continue``) does not meet what follows it. A loop
may run no time at all; its body is followed twice, so that what a first turn binds or
deletes counts in the next. Code of nested functions runs later and is not followed.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from codemod.analysis.assigned_forms import (
    annotations_of,
    captures,
    constant_test,
    irrefutable,
    is_exit,
    swallows,
)
from codemod.analysis.source_order import ordered_children
from codemod.analysis.toplevel import import_bindings

UNBOUND, MAYBE, BOUND = "unbound", "maybe", "bound"

#: No path leads here.
_NEVER = ""

_NESTED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


@dataclass(frozen=True, slots=True)
class Use:
    """One use of the name: its node, the name's state there, whether it is called."""

    node: ast.Name
    state: str
    called: bool


def uses_of(
    function: ast.AST, name: str, parameter: bool = False, annotations: bool = True
) -> list[Use]:
    """Every use of a local name in a function, in source order.

    ``annotations`` says whether those of a nested function are evaluated where it is
    defined, which PEP 563 (``from __future__ import annotations``) ends.
    """
    walk = _Walk(name, annotations)
    state = BOUND if parameter else UNBOUND
    body = function.body  # type: ignore[attr-defined]
    if isinstance(body, list):
        walk.block(body, state)
    else:
        walk.expression(body, state)
    return sorted(walk.found.values(), key=lambda u: (u.node.lineno, u.node.col_offset))


def _meet(*states: str) -> str:
    known = {state for state in states if state != _NEVER}
    if not known:
        return _NEVER
    return known.pop() if len(known) == 1 else MAYBE


class _Walk:
    """One function, followed for one name."""

    def __init__(self, name: str, annotations: bool = True) -> None:
        self.name = name
        self.annotations = annotations
        self.found: dict[int, Use] = {}
        #: States at the ``break`` and ``continue`` statements of the loops around.
        self._breaks: list[list[str]] = []
        self._continues: list[list[str]] = []
        #: States at every point of the ``try`` bodies around.
        self._points: list[list[str]] = []
        #: States where something leaves the ``try`` statements around: for a
        #: ``return``, and for a ``break`` or ``continue`` of a loop around them.
        self._returns: list[list[str]] = []
        self._jumps: list[list[str]] = []

    # -- statements -------------------------------------------------------------

    def block(self, body: Sequence[ast.stmt], state: str) -> str:
        """Follow statements; the state after the last."""
        for statement in body:
            if state == _NEVER:
                break
            state = self.statement(statement, state)
            for points in self._points:
                points.append(state)
        return state

    def statement(self, node: ast.stmt, state: str) -> str:
        """Follow one statement; the state after it."""
        method = getattr(self, f"_{type(node).__name__.lower()}", None)
        if method is not None:
            after: str = method(node, state)
            return after
        for child in ordered_children(node):
            state = self.expression(child, state)
        return state

    def _assign(self, node: ast.Assign, state: str) -> str:
        return self._targets(node.targets, self.expression(node.value, state))

    def _annassign(self, node: ast.AnnAssign, state: str) -> str:
        # Annotations of local names are not evaluated (7.2.2).
        if node.value is None:
            return state
        return self._targets([node.target], self.expression(node.value, state))

    def _augassign(self, node: ast.AugAssign, state: str) -> str:
        if isinstance(node.target, ast.Name) and node.target.id == self.name:
            self._use(node.target, state)
        return self._targets([node.target], self.expression(node.value, state))

    def _targets(self, targets: Sequence[ast.expr], state: str) -> str:
        for target in targets:
            for node in ast.walk(target):
                if not isinstance(node, ast.Name) or node.id != self.name:
                    continue
                if isinstance(node.ctx, ast.Load):
                    self._use(node, state)
                else:
                    state = BOUND
        return state

    def _delete(self, node: ast.Delete, state: str) -> str:
        for target in node.targets:
            if isinstance(target, ast.Name) and target.id == self.name:
                self._use(target, state)
                state = UNBOUND
            else:
                state = self.expression(target, state)
        return state

    def _import(self, node: Any, state: str) -> str:
        bound = {name for name, _, _ in import_bindings(node, "", False)}
        return BOUND if self.name in bound else state

    _importfrom = _import

    def _functiondef(self, node: Any, state: str) -> str:
        for part in (*node.decorator_list, *node.args.defaults, *node.args.kw_defaults):
            if part is not None:
                state = self.expression(part, state)
        for part in annotations_of(node) if self.annotations else ():
            state = self.expression(part, state)
        return BOUND if node.name == self.name else state

    _asyncfunctiondef = _functiondef

    def _classdef(self, node: ast.ClassDef, state: str) -> str:
        for part in (*node.decorator_list, *node.bases, *node.keywords):
            state = self.expression(part, state)
        # The body runs here, with names of its own on top.
        inner = _Walk(self.name, self.annotations)
        inner.block(node.body, state)
        if not any(use.state == BOUND != state for use in inner.found.values()):
            self.found.update(inner.found)
        return BOUND if node.name == self.name else state

    def _return(self, node: Any, state: str) -> str:
        for child in ordered_children(node):
            state = self.expression(child, state)
        for leaving in self._returns:
            leaving.append(state)
        return _NEVER

    def _raise(self, node: ast.Raise, state: str) -> str:
        for child in ordered_children(node):
            state = self.expression(child, state)
        for points in self._points:
            points.append(state)
        return _NEVER

    def _expr(self, node: ast.Expr, state: str) -> str:
        state = self.expression(node.value, state)
        return _NEVER if is_exit(node.value) else state

    def _assert(self, node: ast.Assert, state: str) -> str:
        state = self.expression(node.test, state)
        if node.msg is not None:
            self.expression(node.msg, state)
        return _NEVER if constant_test(node.test) is False else state

    def _break(self, node: ast.Break, state: str) -> str:
        for leaving in self._jumps:
            leaving.append(state)
        if self._breaks:
            self._breaks[-1].append(state)
        return _NEVER

    def _continue(self, node: ast.Continue, state: str) -> str:
        for leaving in self._jumps:
            leaving.append(state)
        if self._continues:
            self._continues[-1].append(state)
        return _NEVER

    def _if(self, node: ast.If, state: str) -> str:
        state = self.expression(node.test, state)
        known = constant_test(node.test)
        return _meet(
            self.block(node.body, state if known is not False else _NEVER),
            self.block(node.orelse, state if known is not True else _NEVER),
        )

    def _while(self, node: ast.While, state: str) -> str:
        forever = constant_test(node.test) is True
        return self._loop(node, state, lambda s: self.expression(node.test, s), forever)

    def _for(self, node: Any, state: str) -> str:
        state = self.expression(node.iter, state)
        return self._loop(node, state, lambda s: self._targets([node.target], s))

    _asyncfor = _for

    def _loop(self, node: Any, state: str, head: Any, forever: bool = False) -> str:
        entered = state
        breaks: list[str] = []
        around, self._jumps = self._jumps, []
        for _ in range(2):
            self._breaks.append(breaks)
            self._continues.append([])
            turn = self.block(node.body, head(entered))
            again = _meet(turn, *self._continues.pop())
            self._breaks.pop()
            entered = _meet(state, again)
        self._jumps = around
        # A ``for`` that ends binds nothing more; a ``while`` tests once more.
        done = _NEVER if forever else _meet(state, again)
        if not forever and isinstance(node, ast.While):
            done = head(done) if done != _NEVER else done
        return _meet(self.block(node.orelse, done) if done else done, *breaks)

    def _with(self, node: Any, state: str) -> str:
        for item in node.items:
            state = self.expression(item.context_expr, state)
            if item.optional_vars is not None:
                state = self._targets([item.optional_vars], state)
        if not any(swallows(item.context_expr) for item in node.items):
            return self.block(node.body, state)
        points = [state]
        self._points.append(points)
        body = self.block(node.body, state)
        self._points.pop()
        return _meet(body, *points)

    _asyncwith = _with

    def _try(self, node: Any, state: str) -> str:
        points = [state]
        left: list[str] = []
        self._returns.append(left)
        self._jumps.append(left)
        self._points.append(points)
        body = self.block(node.body, state)
        self._points.pop()
        failed = _meet(*points)
        ends = [self.block(node.orelse, body) if body else body]
        for handler in node.handlers:
            entered = failed
            if handler.type is not None:
                entered = self.expression(handler.type, entered)
            caught = self.block(
                handler.body, BOUND if handler.name == self.name else entered
            )
            # The name is deleted at the end of the clause (8.4.1).
            ends.append(UNBOUND if caught and handler.name == self.name else caught)
        self._returns.pop()
        self._jumps.pop()
        after = _meet(*ends)
        if not node.finalbody:
            return after
        # The clause runs after every way out; what follows it, after a good one only.
        if after == _NEVER:
            self.block(node.finalbody, _meet(failed, *left, *ends))
            return _NEVER
        if left:
            self.block(node.finalbody, _meet(after, *left))
        return self.block(node.finalbody, after)

    _trystar = _try

    def _match(self, node: ast.Match, state: str) -> str:
        state = self.expression(node.subject, state)
        ends = []
        rest = state
        for case in node.cases:
            entered = rest
            if captures(case.pattern, self.name):
                entered = BOUND
            if case.guard is not None:
                entered = self.expression(case.guard, entered)
            ends.append(self.block(case.body, entered))
            always = irrefutable(case.pattern)
            if always and case.guard is None:
                return _meet(*ends)
            # A guard is asked, and may fail, once the pattern has matched.
            if case.guard is not None:
                rest = entered if always else _meet(rest, entered)
        return _meet(rest, *ends)

    # -- expressions ------------------------------------------------------------

    def expression(self, node: Any, state: str, called: bool = False) -> str:
        """Follow an expression; the state after it."""
        if isinstance(node, ast.Name):
            if node.id == self.name and isinstance(node.ctx, ast.Load):
                self._use(node, state, called)
            return state
        if isinstance(node, ast.NamedExpr):
            state = self.expression(node.value, state)
            return BOUND if node.target.id == self.name else state
        if isinstance(node, ast.Call):
            state = self.expression(node.func, state, called=True)
            for part in ordered_children(node)[1:]:
                if isinstance(part, ast.GeneratorExp):
                    state = self._comprehension(part, state)
                else:
                    state = self.expression(part, state)
            return state
        if isinstance(node, ast.GeneratorExp):
            # Only its first iterable is asked here; who is handed it asks for the rest.
            return self.expression(node.generators[0].iter, state)
        if isinstance(node, ast.BoolOp):
            state = self.expression(node.values[0], state)
            after = state
            for value in node.values[1:]:
                after = self.expression(value, after)
            return _meet(state, after)
        if isinstance(node, ast.Compare):
            # ``a < b < c`` does not look at c when a < b fails (6.10).
            state = self.expression(node.left, state)
            state = after = self.expression(node.comparators[0], state)
            for value in node.comparators[1:]:
                after = self.expression(value, after)
            return _meet(state, after)
        if isinstance(node, ast.IfExp):
            state = self.expression(node.test, state)
            return _meet(
                self.expression(node.body, state), self.expression(node.orelse, state)
            )
        if isinstance(node, _COMPREHENSIONS):
            return self._comprehension(node, state)
        if isinstance(node, _NESTED):
            if isinstance(node, ast.Lambda):
                for default in (*node.args.defaults, *node.args.kw_defaults):
                    if default is not None:
                        state = self.expression(default, state)
            return state
        for child in ordered_children(node):
            state = self.expression(child, state)
        return state

    def _comprehension(self, node: Any, state: str) -> str:
        """A comprehension's targets are its own; a walrus in it binds around it."""
        first = node.generators[0]
        state = self.expression(first.iter, state)
        own = {
            part.id
            for generator in node.generators
            for part in ast.walk(generator.target)
            if isinstance(part, ast.Name)
        }
        if self.name in own:
            return state
        after = state
        for number, generator in enumerate(node.generators):
            if number:
                after = self.expression(generator.iter, after)
            for test in generator.ifs:
                after = self.expression(test, after)
        parts = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
        for part in parts:
            if part is not None:
                after = self.expression(part, after)
        return _meet(state, after)

    def _use(self, node: ast.Name, state: str, called: bool = False) -> None:
        known = self.found.get(id(node))
        if known is not None:  # a loop's second turn
            state = _meet(known.state, state)
            called = called or known.called
        if state != _NEVER:
            self.found[id(node)] = Use(node, state, called)
