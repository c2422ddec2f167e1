"""Scopes and name lookup as the language reference has them (section 4.2).

A scope holds every binding of each of its names; lookup goes from a scope outwards,
skips class bodies on the way, and honours ``global`` and ``nonlocal``. Values are kept
as syntax: what a binding means is asked later, when the whole file has been seen.
"""

from __future__ import annotations

import ast
from typing import Any, Literal

ScopeKind = Literal["module", "function", "lambda", "comprehension", "class", "types"]
BindingKind = Literal[
    "value",  # bound to one expression: assignment, walrus, unpacking by position
    "import",  # bound by an import statement: ``ref`` is the dotted name
    "parameter",
    "definition",  # def or class: ``ref`` is the dotted name at module level
    "declared",  # an annotation without a value: makes a local, binds nothing
    "other",  # any binding whose value no expression gives
]


class Binding:
    """One binding of a name: what kind, to which syntax, under which handlers."""

    __slots__ = ("direct", "guards", "kind", "line", "node", "ref", "scope")

    def __init__(
        self,
        kind: BindingKind,
        scope: Scope,
        *,
        node: ast.AST | None = None,
        ref: str = "",
        guards: tuple[Any, ...] = (),
        line: int = 0,
        direct: bool = False,
    ) -> None:
        self.kind = kind
        self.scope = scope
        self.node = node
        self.ref = ref
        self.guards = guards
        self.line = line
        self.direct = direct


class Scope:
    """One block of code with names of its own."""

    __slots__ = (
        "bindings",
        "class_path",
        "globals",
        "immediate",
        "kind",
        "name",
        "nonlocals",
        "parent",
        "path",
        "pending",
        "self_name",
    )

    def __init__(
        self,
        kind: ScopeKind,
        parent: Scope | None,
        name: str = "",
        immediate: bool = False,
    ) -> None:
        self.kind: ScopeKind = kind
        #: A lambda that is called where it stands: its body runs then and there.
        self.immediate = immediate
        self.parent = parent
        self.name = name
        self.bindings: dict[str, list[Binding]] = {}
        self.globals: set[str] = set()
        self.nonlocals: set[str] = set()
        self.self_name = ""
        self.pending: list[tuple[Scope, str, Binding]] = []
        if parent is None:
            self.path = ""
            self.class_path = ""
        else:
            # Lambdas and comprehensions belong to the function around them.
            self.path = (
                (f"{parent.path}.{name}" if parent.path else name)
                if kind in ("function", "class")
                else parent.path
            )
            self.class_path = self.path if kind == "class" else parent.class_path

    def bind(self, name: str, binding: Binding) -> None:
        """Record a binding in the scope that Python would put it in.

        ``global`` names belong to the module. ``nonlocal`` ones belong to the nearest
        enclosing function that binds them, which may do so further down the file: they
        wait for ``settle``.
        """
        if name in self.nonlocals:
            self.module().pending.append((self, name, binding))
            return
        target = self.module() if name in self.globals else self
        target.bindings.setdefault(name, []).append(binding)

    def module(self) -> Scope:
        """The outermost scope."""
        scope = self
        while scope.parent is not None:
            scope = scope.parent
        return scope

    def in_function(self) -> bool:
        """Whether code of this scope waits for a call: some ``def`` or lambda is
        around it. A class body or comprehension at module level runs at import."""
        scope: Scope | None = self
        while scope is not None:
            if scope.kind in ("function", "lambda") and not scope.immediate:
                return True
            scope = scope.parent
        return False


def settle(module: Scope) -> None:
    """Give every ``nonlocal`` binding to the function that owns its name."""
    for scope, name, binding in module.pending:
        here = scope.parent
        while here is not None:
            if (
                here.kind in ("function", "lambda")
                and name in here.bindings
                and name not in here.nonlocals
            ):
                here.bindings[name].append(binding)
                break
            here = here.parent
    module.pending.clear()


def lookup(name: str, scope: Scope) -> list[Binding]:
    """Every binding that ``name`` may mean when read in ``scope``.

    Empty when no scope binds it (a builtin, or a star import). A name bound in a class
    body is looked up there first and falls through to the enclosing scopes when it is
    not bound yet, so both count.
    """
    found = lookup_scopes(name, scope)
    if len(found) == 1:
        return found[0].bindings[name]
    return [binding for each in found for binding in each.bindings[name]]


def lookup_scopes(name: str, scope: Scope) -> list[Scope]:
    """The scopes whose bindings ``name`` may mean when read in ``scope``."""
    found: list[Scope] = []
    here: Scope | None = scope
    first = True
    while here is not None:
        if name in here.globals:
            module = here.module()
            return [*found, module] if name in module.bindings else found
        # A type-parameter scope sees the class around it (PEP 695).
        visible = first or here.kind != "class"
        if visible and name in here.bindings and name not in here.nonlocals:
            found.append(here)
            if here.kind != "class":
                return found
        first = here.kind == "types"
        here = here.parent
    return found
