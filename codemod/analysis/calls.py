"""Which calls each function of a file makes, in the order it makes them.

Made only when somebody asks what runs before the record is published. What is called is
symbolic, as a chain from a dotted name: the index, which knows every class and return
annotation, says which functions it means. A chain is written with blanks between its
steps:

``pkg.mod.get () .publish``  ``publish`` of what ``pkg.mod.get()`` returns
``@pkg.mod.Server .run``     ``run`` of an instance of the class
``^pkg.mod.Server .run``     ``run`` of its next base class, as ``super().run``
"""

from __future__ import annotations

import ast
import sys
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from codemod.analysis.arms import arms_of, heads_of
from codemod.analysis.handing import handed
from codemod.analysis.origins import Flow, class_of_self
from codemod.analysis.scopes import Binding, Scope, lookup
from codemod.analysis.source_order import ordered_children
from codemod.analysis.summarise import RECURSION_LIMIT
from codemod.analysis.vocabulary import Vocabulary
from codemod.analysis.walk import Walker

#: Names a value may pass through before it is given up, and meanings of one value.
_MAX_HOPS, _MAX_VALUES = 8, 8

#: What statements call on a value.
_ENTERING, _LEAVING = ("__enter__", "__aenter__"), ("__exit__", "__aexit__")
_ITERATING = ("__iter__", "__next__", "__aiter__", "__anext__")

_TABLES = (ast.Dict, ast.List, ast.Tuple)

_NESTED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


@dataclass(frozen=True, slots=True)
class CallFact:
    """One call: what is called, its line, and its place in the function's order.

    ``kind`` is ``call``, ``thread`` or ``process`` for a function that is handed to
    one as its target, and ``read`` for an attribute, which runs code if it is a
    property.
    """

    chains: tuple[str, ...]
    line: int
    order: int
    kind: str = "call"


@dataclass(frozen=True, slots=True)
class Branch:
    """The lines of one arm of a statement that runs one of several."""

    statement: int
    arm: int
    first_line: int
    last_line: int


@dataclass(frozen=True, slots=True)
class FunctionFact:
    """A function (or the module's own level, "") with its calls in order.

    ``returns`` are the classes its annotation names; ``decorators`` the chains of what
    wraps it. ``is_property`` says that reading its name runs it.
    """

    path: str
    line: int
    calls: tuple[CallFact, ...] = ()
    branches: tuple[Branch, ...] = ()
    returns: tuple[str, ...] = ()
    decorators: tuple[str, ...] = ()
    is_property: bool = False


@dataclass(frozen=True, slots=True)
class CallFacts:
    """The functions of one file, and what its classes' attributes hold.

    ``attributes`` are class path, attribute, chains.
    """

    functions: tuple[FunctionFact, ...] = ()
    attributes: tuple[tuple[str, str, tuple[str, ...]], ...] = ()


def call_facts(text: str, module: str, is_package: bool) -> CallFacts:
    """The calls of one file; none for a file that cannot be analysed."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, RECURSION_LIMIT))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
        walker = Walker(Vocabulary(), module, is_package)
        walker.walk(tree)
        return _Calls(walker, module).facts(tree)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return CallFacts()
    finally:
        sys.setrecursionlimit(limit)


class _Calls:
    """Turns a walked file into facts."""

    def __init__(self, walker: Walker, module: str) -> None:
        self._walker = walker
        self._module = module
        self._flow = Flow(Vocabulary(), module)
        spots = [*walker.calls, *walker.attributes]
        spots += [spot for named in walker.names.values() for spot in named]
        self._scopes = {id(spot.node): spot.scope for spot in spots}
        self._statements = 0

    def facts(self, tree: ast.Module) -> CallFacts:
        functions: list[FunctionFact] = []
        self._function(tree, "", functions, self._walker.root)
        return CallFacts(tuple(functions), tuple(self._attributes()))

    # -- functions --------------------------------------------------------------

    def _function(
        self, node: Any, path: str, found: list[FunctionFact], scope: Scope
    ) -> None:
        """The fact of one function or module, then those of what it defines."""
        calls: list[CallFact] = []
        branches: list[Branch] = []
        inner: list[tuple[Any, str]] = []
        for statement in node.body:
            self._statement(statement, path, calls, branches, inner)
        returns: list[str] = []
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.returns:
            returns = self._flow.annotation_refs(node.returns, self._walker.root)
        decorators = [
            chain
            for decorator in getattr(node, "decorator_list", ())
            for chain in self._chains(_undecorated(decorator), scope)
        ]
        found.append(
            FunctionFact(
                path,
                getattr(node, "lineno", 1),
                tuple(calls),
                tuple(branches),
                tuple(dict.fromkeys(returns)),
                tuple(dict.fromkeys(decorators)),
                any(map(_is_property, getattr(node, "decorator_list", ()))),
            )
        )
        for child, child_path in inner:
            self._function(child, child_path, found, scope)

    def _statement(
        self,
        node: Any,
        path: str,
        calls: list[CallFact],
        branches: list[Branch],
        inner: list[tuple[Any, str]],
    ) -> None:
        if isinstance(node, _NESTED):
            own = f"{path}.{node.name}" if path else node.name
            for decorator in node.decorator_list:
                self._expression(decorator, calls)
            if isinstance(node, ast.ClassDef):
                for part in node.body:
                    self._statement(part, own, calls, branches, inner)
            else:
                for default in (*node.args.defaults, *node.args.kw_defaults):
                    if default is not None:
                        self._expression(default, calls)
                inner.append((node, own))
            return
        if isinstance(node, (ast.With, ast.AsyncWith)):
            self._with(node, path, calls, branches, inner)
            return
        arms = arms_of(node)
        if not arms:
            if isinstance(node, (ast.For, ast.AsyncFor)):
                self._implicit(node.iter, node.lineno, _ITERATING, calls)
            for child in ordered_children(node):
                if isinstance(child, ast.stmt):
                    self._statement(child, path, calls, branches, inner)
                else:
                    self._expression(child, calls)
            return
        self._statements += 1
        number = self._statements
        for head in heads_of(node):
            self._expression(head, calls)
        for arm, body in enumerate(arms):
            if not body:
                continue
            last = body[-1].end_lineno or body[-1].lineno
            branches.append(Branch(number, arm, body[0].lineno, last))
            for part in body:
                self._statement(part, path, calls, branches, inner)
        for part in getattr(node, "finalbody", ()):
            self._statement(part, path, calls, branches, inner)

    def _with(
        self,
        node: ast.With | ast.AsyncWith,
        path: str,
        calls: list[CallFact],
        branches: list[Branch],
        inner: list[tuple[Any, str]],
    ) -> None:
        """What a ``with`` runs: its items in turn, its body, and the ends of them."""
        for item in node.items:
            self._expression(item.context_expr, calls)
            self._implicit(item.context_expr, node.lineno, _ENTERING, calls)
            if item.optional_vars is not None:
                self._expression(item.optional_vars, calls)
        for part in node.body:
            self._statement(part, path, calls, branches, inner)
        last = node.body[-1].end_lineno or node.lineno
        for item in reversed(node.items):
            self._implicit(item.context_expr, last, _LEAVING, calls)

    def _implicit(
        self, node: ast.expr, line: int, methods: tuple[str, ...], calls: list[CallFact]
    ) -> None:
        """The methods that a statement calls on the value of an expression."""
        scope = self._scopes.get(id(node))
        if scope is not None:
            chains = self._chains(node, scope)
            found = [f"{chain} .{method}" for chain in chains for method in methods]
            if found:
                calls.append(CallFact(tuple(found), line, len(calls)))

    def _expression(self, node: ast.AST, calls: list[CallFact]) -> None:
        """The calls of an expression: arguments first, as they are evaluated."""
        for child in ordered_children(node):
            self._expression(child, calls)
        scope = self._scopes.get(id(node))
        if scope is None:
            return
        if isinstance(node, ast.Attribute):
            # Of an instance: what is read off a module runs nothing.
            read = [c for c in self._chains(node, scope) if " " in c]
            if read:
                calls.append(CallFact(tuple(read), node.lineno, len(calls), "read"))
        elif isinstance(node, ast.Call):
            chains = self._callees(node.func, scope)
            calls.append(CallFact(tuple(chains), node.lineno, len(calls)))
            for target, kind in handed(node):
                later = tuple(self._chains(target, scope))
                calls.append(CallFact(later, node.lineno, len(calls), kind))

    def _callees(self, func: ast.expr, scope: Scope, hops: int = 0) -> list[str]:
        """What a call calls: ``cls()`` makes an instance, as the class does."""
        chains = self._chains(func, scope, hops)
        if isinstance(func, ast.Name):
            chains += _plain_classes(chains)
        return chains

    def _attributes(self) -> Iterator[tuple[str, str, tuple[str, ...]]]:
        """What methods assign to attributes of ``self``, and class bodies annotate."""
        for spot, value in self._walker.attribute_stores:
            class_path = class_of_self(spot.node.value, spot.scope)
            if class_path and value is not None:
                chains = self._chains(value, spot.scope)
                if chains:
                    yield class_path, spot.node.attr, tuple(chains)
        for node, _, inner in self._walker.classes:
            for part in node.body:
                if isinstance(part, ast.AnnAssign) and isinstance(
                    part.target, ast.Name
                ):
                    refs = self._flow.annotation_refs(part.annotation, inner)
                    if refs:
                        chains = [f"@{ref}" for ref in refs]
                        yield inner.path, part.target.id, tuple(chains)

    # -- chains -----------------------------------------------------------------

    def _chains(self, node: ast.AST, scope: Scope, hops: int = 0) -> list[str]:
        """What an expression may be, as chains; none when nothing is known."""
        if hops > _MAX_HOPS:
            return []
        found: list[str] = []
        if isinstance(node, ast.Name):
            class_path = class_of_self(node, scope)
            if class_path:
                return [f"@{self._module}.{class_path}"]
            for binding in lookup(node.id, scope):
                found += self._bound(node.id, binding, hops)
        elif isinstance(node, ast.Attribute) and node.attr == "__class__":
            return self._classes_of(node.value, scope, hops)
        elif isinstance(node, ast.Subscript):
            found = self._elements(node.value, scope, hops)
        elif isinstance(node, ast.Attribute):
            for base in self._chains(node.value, scope, hops + 1):
                plain = " " not in base and base[0] not in "@^"
                found.append(f"{base}.{node.attr}" if plain else f"{base} .{node.attr}")
        elif isinstance(node, ast.Call):
            func = node.func
            if isinstance(func, ast.Name) and func.id == "super":
                if scope.class_path:
                    return [f"^{self._module}.{scope.class_path}"]
                return []
            if isinstance(func, ast.Name) and func.id == "type" and len(node.args) == 1:
                return self._classes_of(node.args[0], scope, hops)
            found = [f"{base} ()" for base in self._callees(func, scope, hops + 1)]
            if isinstance(func, ast.Attribute) and func.attr == "get":
                found += self._elements(func.value, scope, hops)
        elif isinstance(node, (ast.Await, ast.NamedExpr, ast.Starred)):
            found = self._chains(node.value, scope, hops + 1)
        elif isinstance(node, ast.IfExp):
            for part in (node.body, node.orelse):
                found += self._chains(part, scope, hops + 1)
        elif isinstance(node, ast.BoolOp):
            for part in node.values:
                found += self._chains(part, scope, hops + 1)
        return list(dict.fromkeys(found))[:_MAX_VALUES]

    def _classes_of(self, node: ast.expr, scope: Scope, hops: int) -> list[str]:
        """The classes that a value is plainly an instance of: ``self``, a parameter."""
        return _plain_classes(self._chains(node, scope, hops + 1))

    def _elements(self, node: ast.expr, scope: Scope, hops: int) -> list[str]:
        """What any element of a table that the file writes out may be."""
        if isinstance(node, ast.Name):
            return [
                chain
                for binding in lookup(node.id, scope)
                if binding.kind == "value" and isinstance(binding.node, _TABLES)
                for chain in self._elements(binding.node, binding.scope, hops + 1)
            ]
        parts: list[ast.expr] = []
        if isinstance(node, ast.Dict):
            parts = node.values
        elif isinstance(node, (ast.List, ast.Tuple)):
            parts = node.elts
        return [c for part in parts for c in self._chains(part, scope, hops + 1)]

    def _bound(self, name: str, binding: Binding, hops: int) -> list[str]:
        """What one binding makes of a name."""
        kind = binding.kind
        if kind == "import":
            return [binding.ref]
        if kind == "definition":
            path = binding.scope.path
            return [".".join(part for part in (self._module, path, name) if part)]
        if kind == "value" and binding.node is not None:
            return self._chains(binding.node, binding.scope, hops + 1)
        if kind == "parameter" and isinstance(binding.node, ast.arg):
            annotation = binding.node.annotation
            if annotation is not None:
                scope = binding.scope.parent or binding.scope
                refs = self._flow.annotation_refs(annotation, scope)
                return [f"@{ref}" for ref in refs]
        return []


def _plain_classes(chains: list[str]) -> list[str]:
    """The classes of those chains that are nothing but an instance of one."""
    return [c[1:] for c in chains if c[0] == "@" and " " not in c]


def _undecorated(decorator: ast.expr) -> ast.expr:
    """What a decorator is: ``deco`` of ``@deco`` and of ``@deco(...)``."""
    return decorator.func if isinstance(decorator, ast.Call) else decorator


def _is_property(decorator: ast.expr) -> bool:
    """Whether a decorator makes reading an attribute a call."""
    if isinstance(decorator, ast.Attribute):
        return decorator.attr == "cached_property"
    return getattr(decorator, "id", "") in ("property", "cached_property")
