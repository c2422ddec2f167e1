"""What a name of a local import means around it, asked of Python's own ``symtable``."""

from __future__ import annotations

import ast
import builtins
import re
import symtable
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from codemod.hoist.facts import Imported, LocalImport, ModuleImport

_BUILTINS = frozenset(dir(builtins))
_LOCALS = re.compile(r"\b(?:locals|vars|dir)\(\s*\)|\bf_locals\b")


class NameScopes:
    """The scopes of one file; raises SyntaxError for what does not compile."""

    def __init__(self, text: str, path: str) -> None:
        self._module = symtable.symtable(text, path, "exec")
        self._tables: list[symtable.SymbolTable] = []
        self._parents: list[int] = []
        self._index: dict[tuple[str, int], int] = {}
        self._collect(self._module, -1)
        self._asks = _LOCALS.search(text) is not None
        self._uses: dict[str, list[int]] | None = None

    def _collect(self, table: symtable.SymbolTable, parent: int) -> None:
        number = len(self._tables)
        self._tables.append(table)
        self._parents.append(parent)
        if str(table.get_type()) in ("function", "class"):
            self._index.setdefault((table.get_name(), table.get_lineno()), number)
        for child in table.get_children():
            self._collect(child, number)

    def looked_up(
        self, site: LocalImport, owner: ast.AST, imports: Sequence[ModuleImport]
    ) -> LocalImport:
        """``site`` with its scope, whether its name is used, and why it is taken."""
        assert isinstance(owner, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))
        number = self._index.get((owner.name, owner.lineno), -1)
        name = site.bound
        symbol = self._symbol(number, name)
        if number < 0 or symbol is None:
            taken = f"what {name!r} means in {site.function} is not clear"
            return replace(site, taken=taken)
        outer = tuple(self._outer(number, name))
        return replace(
            site,
            scope=number,
            outer=outer,
            used=self._used(number, name),
            used_before=_used_before(owner, site),
            taken=self._taken_locally(number, name, symbol, site.function)
            or (_asked_for_names(owner, site.function) if self._asks else "")
            or self._taken_in_module(number, site.imported, imports),
        )

    def _symbol(self, number: int, name: str) -> symtable.Symbol | None:
        if number < 0:
            return None
        try:
            return self._tables[number].lookup(name)
        except KeyError:  # mangled: a private name in a class
            return None

    def _outer(self, number: int, name: str) -> Iterator[int]:
        """The functions around scope ``number`` that bind ``name``, innermost first."""
        parent = self._parents[number]
        while parent > 0:
            table = self._tables[parent]
            symbol = self._symbol(parent, name)
            if str(table.get_type()) == "function" and symbol and symbol.is_local():
                yield parent
            parent = self._parents[parent]

    def _used(self, number: int, name: str) -> bool:
        symbol = self._symbol(number, name)
        if symbol is None:
            return False
        if symbol.is_referenced():
            return True
        return any(self._free(child, name) for child in self._children(number))

    def _children(self, number: int) -> list[int]:
        return [i for i, parent in enumerate(self._parents) if parent == number]

    def _free(self, number: int, name: str) -> bool:
        symbol = self._symbol(number, name)
        if symbol is not None and symbol.is_free() and symbol.is_referenced():
            return True
        if symbol is not None and symbol.is_local():
            is_class = str(self._tables[number].get_type()) == "class"
            if not is_class:
                return False
        return any(self._free(child, name) for child in self._children(number))

    def _taken_locally(
        self, number: int, name: str, symbol: symtable.Symbol, function: str
    ) -> str:
        table = self._tables[number]
        if str(table.get_type()) == "class":
            return f"it binds an attribute of the class {function}"
        if symbol.is_declared_global():
            return f"{function} binds the module's {name!r} through `global`"
        if symbol.is_nonlocal():
            return f"{function} binds an outer function's {name!r} through `nonlocal`"
        if symbol.is_parameter():
            return f"{name!r} is a parameter of {function} too"
        if symbol.is_assigned() or symbol.is_namespace() or symbol.is_annotated():
            return f"{function} binds {name!r} to something else too"
        for child in self._descendants(number):
            inner = self._symbol(child, name)
            if inner is not None and inner.is_nonlocal():
                where = self._tables[child].get_name()
                return f"{where} in {function} binds {name!r} through `nonlocal`"
        for parent in self._outer(number, name):
            outer = self._symbol(parent, name)
            assert outer is not None
            if not outer.is_imported() or outer.is_assigned() or outer.is_parameter():
                where = self._tables[parent].get_name()
                return f"in {function} the name would mean that of {where} around it"
        return ""

    def _descendants(self, number: int) -> Iterator[int]:
        for child in self._children(number):
            yield child
            yield from self._descendants(child)

    def _taken_in_module(
        self, number: int, imported: Imported, imports: Sequence[ModuleImport]
    ) -> str:
        name = imported.bound
        symbol = self._symbol(0, name)
        bound = symbol is not None and symbol.is_local()
        if symbol is not None and bound:
            if symbol.is_assigned() or symbol.is_namespace() or symbol.is_annotated():
                return f"the module binds {name!r} to something else"
            for statement in imports:
                for other in statement.names:
                    if other.bound != name:
                        continue
                    if not other.same_object(imported):
                        return f"line {statement.line} binds {name!r} to `{other}`"
                    if statement.where == "guarded":
                        return f"line {statement.line} binds {name!r} on a condition"
        declared = self._declared_global(name)
        if declared:
            return f"{declared} binds the module's {name!r} through `global`"
        user = self._global_use(name)
        if bound or not user:
            return ""
        if name in _BUILTINS:
            return f"elsewhere in the module ({user}) {name!r} is the builtin"
        if any(statement.star for statement in imports):
            return f"elsewhere in the module ({user}) {name!r} may come from a star"
        return ""

    def _declared_global(self, name: str) -> str:
        for number in self._users(name):
            symbol = self._symbol(number, name)
            if symbol is None or not symbol.is_declared_global():
                continue
            if symbol.is_assigned() or symbol.is_imported():
                return self._tables[number].get_name()
        return ""

    def _global_use(self, name: str) -> str:
        for number in self._users(name):
            symbol = self._symbol(number, name)
            if symbol is None or not symbol.is_referenced():
                continue
            table = self._tables[number]
            # A class body takes a name that it binds later from the module.
            in_class = str(table.get_type()) == "class" and symbol.is_local()
            if symbol.is_global() or number == 0 or in_class:
                where = "at module level" if number == 0 else table.get_name()
                return f"{where}, line {table.get_lineno()}" if number else where
        return ""

    def _users(self, name: str) -> Iterable[int]:
        if self._uses is None:
            self._uses = {}
            for number, table in enumerate(self._tables):
                for known in table.get_identifiers():
                    self._uses.setdefault(known, []).append(number)
        return self._uses.get(name, ())


def _asked_for_names(owner: ast.AST, function: str) -> str:
    """Whether the function asks for its local names, which ``taken`` then says."""
    for node in ast.walk(owner):
        if isinstance(node, ast.Attribute) and node.attr == "f_locals":
            return f"{function} asks for its local names through `f_locals`"
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            name = node.func.id
            if name in ("locals", "vars", "dir") and not node.args:
                return f"{function} asks for its local names through `{name}()`"
    return ""


def _used_before(
    owner: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef, site: LocalImport
) -> int:
    """The line of a load of the name before the import, in the function's own code."""
    first = 0
    stack: list[ast.AST] = [s for s in owner.body if s.lineno < site.line]
    while stack:
        node = stack.pop()
        if isinstance(node, ast.Name):
            if node.id == site.bound and node.lineno < site.line:
                first = min(first or node.lineno, node.lineno)
        elif not isinstance(node, (ast.Lambda, ast.FunctionDef, ast.AsyncFunctionDef)):
            stack.extend(ast.iter_child_nodes(node))
    return first
