"""Names that a local binding hides from an import around them.

Python decides per block whether a name is local: one binding anywhere in a function,
also in a branch that never runs, makes every use of it in that function local
(reference 4.2.2). CPython's own symbol table says which names are; the order in which
a function runs says whether a use comes before every binding (``unbound``), may come
before (``maybe``), or reads what the local binding made of it (``bound``).
"""

from __future__ import annotations

import ast
import symtable
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from codemod.analysis.assigned import BOUND, Use, uses_of
from codemod.analysis.assigned_forms import captured
from codemod.analysis.guard_facts import Shadow, Watched
from codemod.analysis.positions import SourceLines
from codemod.analysis.toplevel import import_bindings

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


@dataclass(frozen=True)
class _Hidden:
    """A function in which an imported name is local."""

    table: symtable.SymbolTable
    name: str
    outer: symtable.SymbolTable
    parameter: bool


def shadows(
    tree: ast.Module,
    text: str,
    lines: SourceLines,
    module: str,
    is_package: bool,
    watched: Watched,
) -> tuple[Shadow, ...]:
    """Uses of names that are hidden, in source order."""
    names = None if watched.all_imports else watched.names | watched.probes
    if names is not None and not any(name in text for name in names):
        return ()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        root = symtable.symtable(text, "<file>", "exec")
    hidden = list(_hidden(root, names))
    if not hidden:
        return ()
    nodes = _Nodes(tree)
    evaluated = not _keeps_annotations(tree)
    found: list[Shadow] = []
    for case in hidden:
        function = nodes.function(case.table)
        if function is None:
            continue
        outer = nodes.imported(case.outer, case.name, module, is_package)
        if outer is None:
            continue
        if names is not None and outer.rpartition(".")[2] not in names:
            continue
        bindings = list(_bindings(function, case.name, module, is_package))
        if not bindings and not case.parameter:
            continue
        inner = {ref for _, _, ref in bindings}
        same = inner == {outer}
        line, kind = (
            (case.table.get_lineno(), "parameter")
            if case.parameter
            else min((line, kind) for line, kind, _ in bindings)
        )
        inside = () if same or watched.all_imports else _calls_inside(nodes, case)
        uses = uses_of(function, case.name, case.parameter, evaluated)
        for use in (*_wrong(uses, same, watched.all_imports), *inside):
            found.append(
                Shadow(
                    name=case.name,
                    outer=outer,
                    inner=next(iter(inner)) if len(inner) == 1 else "",
                    line=use.node.lineno,
                    column=lines.column(use.node.lineno, use.node.col_offset),
                    function=nodes.path(function),
                    state=use.state,
                    binding=line,
                    kind=kind,
                    called=use.called,
                )
            )
    return tuple(sorted(found, key=lambda s: (s.line, s.column, s.state)))


def _keeps_annotations(tree: ast.Module) -> bool:
    """Whether annotations are kept as text (PEP 563)."""
    return any(
        isinstance(node, ast.ImportFrom)
        and node.module == "__future__"
        and any(alias.name == "annotations" for alias in node.names)
        for node in tree.body
    )


def _wrong(uses: Iterable[Use], same: bool, only_unbound: bool) -> Iterator[Use]:
    """The uses that go wrong; the first of each state speaks for the others."""
    said: set[str] = set()
    for use in uses:
        wrong = use.state != "bound" or not (same or only_unbound)
        if use.state == "bound" and not use.called:
            wrong = False  # a local variable that is not taken for the accessor
        if wrong and use.state not in said:
            said.add(use.state)
            yield use


def _calls_inside(nodes: _Nodes, case: _Hidden) -> Iterator[Use]:
    """The first call of the name in a nested function that sees the local one."""
    stack = list(case.table.get_children())
    while stack:
        table = stack.pop()
        if case.name not in table.get_identifiers():
            continue
        if not table.lookup(case.name).is_free():
            continue
        stack += table.get_children()
        function = nodes.function(table) if table.get_type() == "function" else None
        for node in own_nodes(function) if function is not None else ():
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Name)
                and node.func.id == case.name
            ):
                yield Use(node.func, BOUND, True)
                return


def _hidden(
    root: symtable.SymbolTable, names: frozenset[str] | None
) -> Iterator[_Hidden]:
    """Functions in which a name is local that an import around them binds."""
    stack: list[tuple[symtable.SymbolTable, tuple[symtable.SymbolTable, ...]]]
    stack = [(child, (root,)) for child in root.get_children()]
    imported = {root: _imported(root)}
    while stack:
        table, around = stack.pop()
        if table.get_type() == "function":
            for name in table.get_identifiers():
                if names is not None and name not in names:
                    continue
                outer = next(
                    (t for t in reversed(around) if name in imported.get(t, ())), None
                )
                if outer is None:
                    continue
                symbol = table.lookup(name)
                if symbol.is_local() and not symbol.is_free():
                    yield _Hidden(table, name, outer, symbol.is_parameter())
        if table.get_type() != "class":
            imported[table] = _imported(table)
        stack += [(child, (*around, table)) for child in table.get_children()]


def _imported(table: symtable.SymbolTable) -> frozenset[str]:
    return frozenset(s.get_name() for s in table.get_symbols() if s.is_imported())


class _Nodes:
    """The functions of a tree by name and line, as symbol tables name them."""

    def __init__(self, tree: ast.Module) -> None:
        self._tree = tree
        self._by_key: dict[tuple[str, int], list[ast.AST]] = {}
        self._paths: dict[int, str] = {}
        self._visit(tree, "")

    def _visit(self, node: ast.AST, path: str) -> None:
        for child in ast.iter_child_nodes(node):
            inner = path
            if isinstance(child, (*_FUNCTIONS, ast.ClassDef)):
                name = getattr(child, "name", "lambda")
                if not isinstance(child, ast.Lambda):
                    inner = f"{path}.{name}" if path else name
                self._paths[id(child)] = inner
                self._by_key.setdefault((name, child.lineno), []).append(child)
            self._visit(child, inner)

    def function(self, table: symtable.SymbolTable) -> ast.AST | None:
        """The node of a function's symbol table; None for a comprehension's.

        Two lambdas on one line cannot be told apart, so neither is looked at.
        """
        found = [
            node
            for node in self._by_key.get((table.get_name(), table.get_lineno()), ())
            if isinstance(node, _FUNCTIONS)
        ]
        return found[0] if len(found) == 1 else None

    def path(self, function: ast.AST) -> str:
        """The dotted path of a function."""
        return self._paths[id(function)]

    def imported(
        self, table: symtable.SymbolTable, name: str, module: str, is_package: bool
    ) -> str | None:
        """What the imports of a block bind a name to, if they agree.

        An import in the ``except`` of another is its stand-in: the first one counts.
        """
        block = self._tree if table.get_type() == "module" else self.function(table)
        if block is None:
            return None
        found = [
            (node.lineno, target)
            for node in own_nodes(block)
            if isinstance(node, (ast.Import, ast.ImportFrom))
            for bound, target, _ in import_bindings(node, module, is_package)
            if bound == name
        ]
        return min(found)[1] if found else None


def own_nodes(block: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a function or module that are not of a function or class in it.

    Comprehensions count as the block's own: a walrus in one binds around it (PEP 572).
    """
    body: Any = getattr(block, "body", ())
    stack: list[ast.AST] = list(reversed(body)) if isinstance(body, list) else [body]
    while stack:
        node = stack.pop()
        yield node
        if isinstance(node, (*_FUNCTIONS, ast.ClassDef)):
            continue
        stack += reversed(list(ast.iter_child_nodes(node)))


def _bindings(
    function: ast.AST, name: str, module: str, is_package: bool
) -> Iterator[tuple[int, str, str]]:
    """The local bindings of a name: line, form, and the dotted name of an import."""
    for node in own_nodes(function):
        kind = type(node)
        if kind is ast.Name and node.id == name:  # type: ignore[attr-defined]
            if not isinstance(node.ctx, ast.Load):  # type: ignore[attr-defined]
                yield node.lineno, "assignment", ""  # type: ignore[attr-defined]
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            for bound, target, _ in import_bindings(node, module, is_package):
                if bound == name:
                    yield node.lineno, "import", target
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            if node.name == name:
                yield node.lineno, "class" if kind is ast.ClassDef else "def", ""
        elif isinstance(node, ast.ExceptHandler) and node.name == name:
            yield node.lineno, "except", ""
        elif isinstance(node, ast.pattern) and captured(node) == name:
            yield node.lineno, "match", ""
