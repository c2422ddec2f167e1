"""Statements of one scope, compiled in order to the operations of ``ir``."""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from codemod.analysis.spelling import last_name
from codemod.hoist.conditions import UNKNOWN as MAYBE
from codemod.hoist.conditions import condition
from codemod.hoist.expressions import Names, compile_expression, sequence
from codemod.hoist.ir import (
    CO_KNOWN,
    OP_ALL,
    OP_ASSIGN,
    OP_BIND,
    OP_CLASS,
    OP_DECORATE,
    OP_DELETE,
    OP_EVAL,
    OP_EXTERNAL,
    OP_FROM,
    OP_IF,
    OP_IMPORT,
    OP_LOOP,
    OP_RAISE,
    OP_RETURN,
    OP_SET_ATTRIBUTE,
    OP_STAR,
    OP_TRY,
    ClassRef,
    Expr,
    FunctionRef,
    Op,
    Ops,
)
from codemod.hoist.names import import_binding, names_bound
from codemod.hoist.syntax import (
    absolute,
    catches,
    caught_by,
    ends_in_raise,
    is_exit,
    is_first_party,
    literal_strings,
)

UNKNOWN = 0
"""The value of a name that holds nothing that an import could change."""


@dataclass
class Compiler:
    """Compiles the statements of one scope; see ``ir`` for what is kept."""

    module: str
    is_package: bool
    roots: Collection[str]
    builtins: frozenset[str]
    lazy_annotations: bool
    parameters: frozenset[str] = frozenset()
    in_function: bool = False
    in_class: bool = False
    names: Names = field(default_factory=Names)
    external: dict[str, int] = field(default_factory=dict)
    outside_star: bool = False
    guarded: int = 0
    """How many ``try`` statements around here would catch an ImportError."""
    out: list[Op] = field(default_factory=list)
    bindings: dict[str, Any] = field(default_factory=dict)
    bind_line: int = 0

    def __post_init__(self) -> None:
        self.names.builtins = self.builtins

    def compile(self, body: Iterable[ast.stmt]) -> Ops:
        """The operations of ``body``, which runs from its start to its end."""
        saved = self.out, self.bindings, self.bind_line
        self.out, self.bindings = [], {}
        importing = False
        for statement in body:
            # Bindings before and after a block of imports stay apart, so that an
            # import can be put at the end of the block.
            if importing is not isinstance(statement, (ast.Import, ast.ImportFrom)):
                importing = not importing
                self._flush()
            if not self.bindings:
                self.bind_line = statement.lineno
            _COMPILE.get(type(statement), Compiler._other)(self, statement)
        self._flush()
        done = tuple(self.out)
        self.out, self.bindings, self.bind_line = saved
        return done

    # -- helpers ---------------------------------------------------------------

    def _flush(self) -> None:
        if self.bindings:
            self.out.append((OP_BIND, self.bind_line, self.bindings))
            self.bindings = {}

    def _emit(self, *op: Any) -> None:
        self._flush()
        self.out.append(op)

    def _bind(self, name: str, value: Any = UNKNOWN) -> None:
        if value is not UNKNOWN:
            self.names.followed.add(name)
        if not self.in_function or name in self.names.followed:
            self.bindings[name] = value

    def _expression(self, node: ast.expr | None) -> Expr:
        found = compile_expression(node, self.names)
        if self.names.walrus:
            for name in self.names.walrus:
                self._bind(name)
            self.names.walrus.clear()
        return found

    def _evaluate(self, line: int, *nodes: ast.expr | None) -> None:
        found = sequence([self._expression(node) for node in nodes])
        if found is not None:
            self._emit(OP_EVAL, line, found)

    # -- imports ---------------------------------------------------------------

    def _import(self, node: ast.Import) -> None:
        site = self._site(node)
        for alias in node.names:
            bound = import_binding(node, alias)
            if is_first_party(alias.name, self.roots):
                self.names.followed.add(bound)
                has_as = alias.asname is not None
                self._emit(OP_IMPORT, node.lineno, site, alias.name, bound, has_as)
            else:
                self._outside(alias.name, node.lineno)
                self._bind(bound)

    def _import_from(self, node: ast.ImportFrom) -> None:
        target = absolute(self.module, self.is_package, node.module, node.level)
        if target is None:
            self._emit(OP_RAISE, node.lineno, "ImportError")
            return
        if not is_first_party(target, self.roots):
            self._outside(target, node.lineno)
            for alias in node.names:
                if alias.name == "*":
                    self.outside_star = True
                else:
                    self._bind(alias.asname or alias.name)
            return
        if node.names[0].name == "*":
            self._emit(OP_STAR, node.lineno, target)
            return
        pairs = tuple((a.name, a.asname or a.name) for a in node.names)
        self.names.followed.update(bound for _, bound in pairs)
        self._emit(OP_FROM, node.lineno, self._site(node), target, pairs)

    def _site(self, node: ast.stmt) -> tuple[str, int, int] | None:
        return (self.module, node.lineno, node.col_offset) if self.in_function else None

    def _outside(self, target: str, line: int) -> None:
        self.external.setdefault(target.partition(".")[0], line)
        if self.guarded:
            self._emit(OP_EXTERNAL, line, target)

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

    # -- bindings --------------------------------------------------------------

    def _assign(self, node: ast.Assign) -> None:
        if self._exports(node.targets[0], "=", node.value, node.lineno):
            return
        self._store(node.targets, node.value, node.lineno)

    def _annotated(self, node: ast.AnnAssign) -> None:
        if not self.lazy_annotations and not self.in_function:
            self._evaluate(node.lineno, node.annotation)
        if node.value is None:
            return
        if self._exports(node.target, "=", node.value, node.lineno):
            return
        self._store([node.target], node.value, node.lineno)

    def _augmented(self, node: ast.AugAssign) -> None:
        if self._exports(node.target, "+", node.value, node.lineno):
            return
        self._evaluate(node.lineno, node.value)
        for name in names_bound([node.target]):
            self._bind(name)

    def _store(self, targets: Sequence[ast.expr], value: ast.expr, line: int) -> None:
        found = self._expression(value)
        plain = [t.id for t in targets if isinstance(t, ast.Name)]
        if found is not None:
            self._emit(OP_ASSIGN, line, tuple(plain), found)
            self.names.followed.update(plain)
        else:
            for name in plain:
                self._bind(name)
        for target in targets:
            if isinstance(target, ast.Attribute):
                base = self._expression(target.value)
                if base is not None:
                    self._emit(OP_SET_ATTRIBUTE, line, base, target.attr, None)
            elif not isinstance(target, ast.Name):
                for name in names_bound([target]):
                    self._bind(name)

    def _exports(self, target: ast.expr, mode: str, value: ast.expr, line: int) -> bool:
        if not (isinstance(target, ast.Name) and target.id == "__all__"):
            return False
        if self.in_function or self.in_class:
            return False
        found = literal_strings(value)
        expression = None if found is not None else self._expression(value)
        self._emit(OP_ALL, line, mode, found, expression)
        return True

    def _delete(self, node: ast.Delete) -> None:
        names = tuple(t.id for t in node.targets if isinstance(t, ast.Name))
        if names and not self.in_function:
            self._emit(OP_DELETE, node.lineno, names)

    # -- control flow ----------------------------------------------------------

    def _if(self, node: ast.If) -> None:
        self._evaluate(node.lineno, node.test)
        test = condition(node.test, self.parameters)
        if test[0] == CO_KNOWN:
            for statement in node.body if test[1] else node.orelse:
                _COMPILE.get(type(statement), Compiler._other)(self, statement)
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
                _COMPILE.get(type(statement), Compiler._other)(self, statement)
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
