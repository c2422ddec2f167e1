"""Statements of one scope, compiled in order to the operations of ``ir``."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import Any

from codemod.analysis.block_names import names_bound
from codemod.analysis.spelling import last_name
from codemod.hoist.conditions import UNKNOWN as MAYBE
from codemod.hoist.conditions import condition
from codemod.hoist.emitting import Emitter
from codemod.hoist.expressions import Names, sequence
from codemod.hoist.ir import (
    CO_KNOWN,
    OP_ALL,
    OP_BIND,
    OP_CLASS,
    OP_DECORATE,
    OP_EVAL,
    OP_IF,
    OP_LOOP,
    OP_RAISE,
    OP_RETURN,
    OP_TRY,
    ClassRef,
    Expr,
    FunctionRef,
    Ops,
)
from codemod.hoist.syntax import (
    catches,
    caught_by,
    ends_in_raise,
    is_exit,
    literal_strings,
)


class Compiler(Emitter):
    """Compiles the statements of one scope; see ``ir`` for what is kept."""

    def _statement(self, node: ast.stmt) -> None:
        _COMPILE.get(type(node), Compiler._other)(self, node)

    # -- definitions -----------------------------------------------------------

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        arguments = node.args
        nodes: list[ast.expr | None] = [*arguments.defaults, *arguments.kw_defaults]
        if not self.lazy_annotations:
            every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
            nodes += [argument.annotation for argument in every]
            stars = (arguments.vararg, arguments.kwarg)
            nodes += [star.annotation for star in stars if star is not None]
            nodes.append(node.returns)
        self._evaluate(node.lineno, *nodes)
        ref = self._function_ref(node)
        decorators = self._decorators(node)
        if decorators:
            self._emit(OP_DECORATE, node.lineno, ref, decorators)
        self._bind(node.name, ref)

    def _function_ref(
        self, node: ast.FunctionDef | ast.AsyncFunctionDef
    ) -> FunctionRef:
        runs = isinstance(node, ast.FunctionDef)
        return FunctionRef(self.module, node.lineno, node.col_offset, node.name, runs)

    def _decorators(
        self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
    ) -> tuple[Expr, ...]:
        found = (self._expression(decorator) for decorator in node.decorator_list)
        return tuple(decorator for decorator in found if decorator is not None)

    def _class(self, node: ast.ClassDef) -> None:
        decorators = self._decorators(node)
        bases = tuple(self._expression(base) for base in node.bases)
        keywords = {k.arg: self._expression(k.value) for k in node.keywords}
        metaclass = keywords.pop("metaclass", None)
        rest = sequence(keywords.values())
        if rest is not None:
            self._emit(OP_EVAL, node.lineno, rest)
        methods = {
            child.name: self._function_ref(child)
            for child in node.body
            if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef))
        }
        ref = ClassRef(self.module, node.lineno, node.name, methods)
        body = self._class_body(node)
        if any(bases) or metaclass or decorators or body:
            self._emit(
                OP_CLASS,
                node.lineno,
                node.name,
                bases,
                metaclass,
                decorators,
                body,
                ref,
            )
            self.names.followed.add(node.name)
        else:
            self._bind(node.name, ref)

    def _class_body(self, node: ast.ClassDef) -> Ops:
        """The body's operations; () when only plain names are bound in it."""
        local = set(names_bound(node.body))
        inner = Compiler(
            self.module,
            self.is_package,
            self.roots,
            self.builtins,
            self.lazy_annotations,
            self.parameters,
            self.in_function,
            in_class=True,
            external=self.external,
            guarded=self.guarded,
        )
        inner.names = Names(
            set(self.names.followed) - local,
            # A name that the class binds may still be loaded from the module before.
            self.names.plain | local,
            self.names.follow_unknown,
            self.builtins,
        )
        ops = inner.compile(node.body)
        return () if all(op[0] == OP_BIND for op in ops) else ops

    # -- control flow ----------------------------------------------------------

    def _if(self, node: ast.If) -> None:
        self._evaluate(node.lineno, node.test)
        test = condition(node.test, self.parameters)
        if test[0] == CO_KNOWN:
            for statement in node.body if test[1] else node.orelse:
                self._statement(statement)
            return
        raises, else_raises = ends_in_raise(node.body), ends_in_raise(node.orelse)
        self._branch(
            node.lineno,
            test,
            None if raises else node.body,
            None if else_raises else node.orelse,
        )

    def _branch(
        self,
        line: int,
        test: Any,
        body: Sequence[ast.stmt] | None,
        orelse: Sequence[ast.stmt] | None,
    ) -> None:
        """Emit an ``if``; a branch of None always raises and is never taken."""
        ops = None if body is None else self.compile(body)
        else_ops = None if orelse is None else self.compile(orelse)
        names = tuple(names_bound(body or ()))
        else_names = tuple(names_bound(orelse or ()))
        relevant = [op for op in (ops or ()) + (else_ops or ()) if op[0] != OP_BIND]
        if relevant:
            self._emit(OP_IF, line, test, ops, else_ops, names, else_names)
            return
        for name in names + else_names:
            self._bind(name)
        for op in (ops or ()) + (else_ops or ()):
            for name, value in op[2].items():
                self._bind(name, value)

    def _match(self, node: ast.Match) -> None:
        self._evaluate(node.lineno, node.subject)
        for case in node.cases:
            for name in names_bound([case.pattern]):
                self._bind(name)
            self._branch(node.lineno, MAYBE, case.body, ())

    def _try(self, node: ast.Try) -> None:
        handlers = [(caught_by(h.type), h) for h in node.handlers]
        # A handler that raises again makes the package required, not optional.
        guards = any(
            catches(c, "ImportError") and not ends_in_raise(h.body) for c, h in handlers
        )
        self.guarded += guards
        body = self.compile(node.body)
        self.guarded -= guards
        compiled = tuple((caught, self.compile(h.body)) for caught, h in handlers)
        orelse, final = self.compile(node.orelse), self.compile(node.finalbody)
        names = tuple(names_bound([node]))
        every = [*body, *orelse, *final, *(op for _, ops in compiled for op in ops)]
        always = set(names_bound([*node.body, *node.orelse, *node.finalbody]))
        relevant = any(op[0] not in (OP_BIND, OP_RAISE) for op in every)
        if relevant or not always.issuperset(names):
            self._emit(OP_TRY, node.lineno, body, compiled, orelse, final, names)
            return
        for name in names:
            self._bind(name)

    def _with(self, node: ast.With | ast.AsyncWith) -> None:
        caught: frozenset[str] | None = frozenset()
        for item in node.items:
            self._evaluate(node.lineno, item.context_expr)
            caught = _suppressed(item.context_expr) or caught
            if item.optional_vars is not None:
                for name in names_bound([item.optional_vars]):
                    self._bind(name)
        if not caught:
            for statement in node.body:
                self._statement(statement)
            return
        self.guarded += 1
        body = self.compile(node.body)
        self.guarded -= 1
        names = tuple(names_bound(node.body))
        self._emit(OP_TRY, node.lineno, body, ((caught, ()),), (), (), names)

    def _loop(self, node: ast.For | ast.AsyncFor | ast.While) -> None:
        if isinstance(node, ast.While):
            self._evaluate(node.lineno, node.test)
        else:
            self._evaluate(node.lineno, node.iter)
            for name in names_bound([node.target]):
                self._bind(name)
        body = self.compile([*node.body, *node.orelse])
        names = tuple(names_bound(node.body))
        if any(op[0] != OP_BIND for op in body):
            self._emit(OP_LOOP, node.lineno, body, names)
            return
        for name in names:
            self._bind(name)

    def _raise(self, node: ast.Raise) -> None:
        self._evaluate(node.lineno, node.exc)
        self._emit(OP_RAISE, node.lineno, _exception_name(node.exc))

    def _return(self, node: ast.Return) -> None:
        self._emit(OP_RETURN, node.lineno, self._expression(node.value))

    def _expression_statement(self, node: ast.Expr) -> None:
        if _extends_exports(node.value) and not (self.in_function or self.in_class):
            assert isinstance(node.value, ast.Call)
            argument = node.value.args[0]
            found = literal_strings(argument)
            expression = None if found is not None else self._expression(argument)
            self._emit(OP_ALL, node.lineno, "+", found, expression)
            return
        self._evaluate(node.lineno, node.value)
        if is_exit(node):
            self._emit(OP_RAISE, node.lineno, "SystemExit")

    def _other(self, node: ast.stmt) -> None:
        children = [c for c in ast.iter_child_nodes(node) if isinstance(c, ast.expr)]
        if isinstance(node, ast.Assert):
            children = [node.test]
        self._evaluate(node.lineno, *children)
        for name in names_bound([node]):
            self._bind(name)


def _suppressed(node: ast.expr) -> frozenset[str] | None:
    if not isinstance(node, ast.Call):
        return None
    if last_name(node.func) != "suppress":
        return None
    caught: set[str] = set()
    for argument in node.args:
        found = caught_by(argument)
        caught |= {"Exception"} if found is None else found
    return frozenset(caught)


def _exception_name(node: ast.expr | None) -> str:
    if isinstance(node, ast.Call):
        node = node.func
    return last_name(node)


def _extends_exports(node: ast.expr) -> bool:
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "extend"
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id == "__all__"
        and len(node.args) == 1
    )


_COMPILE: dict[type[ast.stmt], Callable[[Compiler, Any], None]] = {
    ast.Import: Compiler._import,
    ast.ImportFrom: Compiler._import_from,
    ast.FunctionDef: Compiler._function,
    ast.AsyncFunctionDef: Compiler._function,
    ast.ClassDef: Compiler._class,
    ast.Assign: Compiler._assign,
    ast.AnnAssign: Compiler._annotated,
    ast.AugAssign: Compiler._augmented,
    ast.Delete: Compiler._delete,
    ast.If: Compiler._if,
    ast.Match: Compiler._match,
    ast.Try: Compiler._try,
    ast.With: Compiler._with,
    ast.AsyncWith: Compiler._with,
    ast.For: Compiler._loop,
    ast.AsyncFor: Compiler._loop,
    ast.While: Compiler._loop,
    ast.Raise: Compiler._raise,
    ast.Return: Compiler._return,
    ast.Expr: Compiler._expression_statement,
}
if hasattr(ast, "TryStar"):
    _COMPILE[ast.TryStar] = Compiler._try
