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

from codemod.analysis.origins import Flow, class_of_self
from codemod.analysis.scopes import Binding, Scope, lookup
from codemod.analysis.source_order import ordered_children
from codemod.analysis.summarise import RECURSION_LIMIT
from codemod.analysis.vocabulary import Vocabulary
from codemod.analysis.walk import Walker

#: Names a value may pass through before it is given up, and meanings of one value.
_MAX_HOPS, _MAX_VALUES = 8, 8

#: Callables that run their ``target`` later, by the last part of their name.
_TARGETS = {"Thread": "thread", "Timer": "thread", "Process": "process"}
_SUBMITTING = frozenset({"submit", "run_in_executor", "apply_async", "to_thread"})

_NESTED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


@dataclass(frozen=True, slots=True)
class CallFact:
    """One call: what is called, its line, and its place in the function's order.

    ``kind`` is ``call``, or ``thread`` or ``process`` for a function that is handed to
    one as its target.
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
    wraps it.
    """

    path: str
    line: int
    calls: tuple[CallFact, ...] = ()
    branches: tuple[Branch, ...] = ()
    returns: tuple[str, ...] = ()
    decorators: tuple[str, ...] = ()


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
        self._scopes = {id(spot.node): spot.scope for spot in walker.calls}
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
        arms = _arms(node)
        if not arms:
            for child in ordered_children(node):
                if isinstance(child, ast.stmt):
                    self._statement(child, path, calls, branches, inner)
                else:
                    self._expression(child, calls)
            return
        self._statements += 1
        number = self._statements
        for head in _heads(node):
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

    def _expression(self, node: ast.AST, calls: list[CallFact]) -> None:
        """The calls of an expression: arguments first, as they are evaluated."""
        for child in ordered_children(node):
            self._expression(child, calls)
        if not isinstance(node, ast.Call):
            return
        scope = self._scopes.get(id(node))
        if scope is None:
            return
        chains = self._chains(node.func, scope)
        calls.append(CallFact(tuple(chains), node.lineno, len(calls)))
        handed, kind = _handed(node)
        if handed is not None:
            later = tuple(self._chains(handed, scope))
            calls.append(CallFact(later, node.lineno, len(calls), kind))

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
            found = [f"{base} ()" for base in self._chains(func, scope, hops + 1)]
        elif isinstance(node, (ast.Await, ast.NamedExpr, ast.Starred)):
            found = self._chains(node.value, scope, hops + 1)
        elif isinstance(node, ast.IfExp):
            for part in (node.body, node.orelse):
                found += self._chains(part, scope, hops + 1)
        elif isinstance(node, ast.BoolOp):
            for part in node.values:
                found += self._chains(part, scope, hops + 1)
        return list(dict.fromkeys(found))[:_MAX_VALUES]

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


def _undecorated(decorator: ast.expr) -> ast.expr:
    """What a decorator is: ``deco`` of ``@deco`` and of ``@deco(...)``."""
    return decorator.func if isinstance(decorator, ast.Call) else decorator


def _arms(node: ast.stmt) -> list[list[ast.stmt]]:
    """The bodies of a statement of which one run takes one."""
    if isinstance(node, ast.If):
        return [node.body, node.orelse]
    if isinstance(node, ast.Match):
        return [case.body for case in node.cases]
    if isinstance(node, ast.Try) or type(node).__name__ == "TryStar":
        handlers = [handler.body for handler in node.handlers]  # type: ignore[attr-defined]
        return [[*node.body, *node.orelse], *handlers]  # type: ignore[attr-defined]
    return []


def _heads(node: ast.stmt) -> Iterator[ast.AST]:
    """The expressions of such a statement that run before any of its arms."""
    if isinstance(node, ast.If):
        yield node.test
    elif isinstance(node, ast.Match):
        yield node.subject
        for case in node.cases:
            if case.guard is not None:
                yield case.guard


def _handed(node: ast.Call) -> tuple[ast.expr | None, str]:
    """The function that a call hands on, and to what: ``Thread(target=f)``."""
    func = node.func
    name = func.attr if isinstance(func, ast.Attribute) else getattr(func, "id", "")
    kind = _TARGETS.get(name, "")
    target: ast.expr | None = None
    if kind:
        wanted = "function" if name == "Timer" else "target"
        target = next((k.value for k in node.keywords if k.arg == wanted), None)
        if target is None and len(node.args) > 1:
            target = node.args[1]
    elif name in _SUBMITTING and node.args:
        kind = "thread"
        place = 1 if name == "run_in_executor" and len(node.args) > 1 else 0
        target = node.args[place]
    # ``partial(f, ...)`` runs f.
    while isinstance(target, ast.Call) and target.args:
        inner = target.func
        called = inner.attr if isinstance(inner, ast.Attribute) else inner
        if getattr(called, "id", called) != "partial":
            break
        target = target.args[0]
    return target, kind or "call"
