"""Operations of ``ir`` as they are emitted: bindings, imports, assignments."""

from __future__ import annotations

import ast
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from codemod.analysis.block_names import import_binding, names_bound
from codemod.hoist.expressions import Names, compile_expression, sequence
from codemod.hoist.ir import (
    OP_ALL,
    OP_ASSIGN,
    OP_BIND,
    OP_DELETE,
    OP_EVAL,
    OP_EXTERNAL,
    OP_FROM,
    OP_IMPORT,
    OP_RAISE,
    OP_SET_ATTRIBUTE,
    OP_STAR,
    Expr,
    Op,
    Ops,
)
from codemod.hoist.syntax import (
    absolute,
    is_first_party,
    literal_strings,
)

UNKNOWN = 0
"""The value of a name that holds nothing that an import could change."""


@dataclass
class Emitter(ABC):
    """Emits the operations of one scope's statements; see ``ir`` for what is kept."""

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
            self._statement(statement)
        self._flush()
        done = tuple(self.out)
        self.out, self.bindings, self.bind_line = saved
        return done

    @abstractmethod
    def _statement(self, node: ast.stmt) -> None:
        """Emit the operations of a statement."""

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
