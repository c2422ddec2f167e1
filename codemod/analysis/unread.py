"""Parameters that are, by name or annotation, the record, and whether they are read."""

from __future__ import annotations

import ast
import symtable
import warnings
from collections.abc import Iterator

from codemod.analysis.blocks import Blocks, Function
from codemod.analysis.guard_facts import Parameter, Watched
from codemod.analysis.positions import SourceLines
from codemod.analysis.shadows import own_nodes
from codemod.analysis.toplevel import gather

_INNER = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)


def record_parameters(
    tree: ast.Module,
    blocks: Blocks,
    text: str,
    lines: SourceLines,
    module: str,
    is_package: bool,
    watched: Watched,
) -> tuple[Parameter, ...]:
    """The record's parameters of every function, in source order.

    Whether a name is read, also by a function inside, is CPython's own symbol table's
    to say.
    """
    words = watched.parameters | watched.classes
    if not any(word in text for word in words):
        return ()
    wanted = [
        (node, path, class_path, found)
        for node, path, class_path in blocks.functions
        if (found := _of_record(node, watched))
    ]
    if not wanted:
        return ()
    tables = _Tables(text)
    level = gather(tree, module, is_package)
    bound = {fact.bound: fact.target for fact in level.imports if fact.bound}
    bound |= {name: f"{module}.{name}" for name in level.definitions}
    result: list[Parameter] = []
    for node, path, class_path, arguments in wanted:
        for argument in arguments:
            result.append(
                Parameter(
                    name=argument.arg,
                    line=argument.lineno,
                    column=lines.column(argument.lineno, argument.col_offset),
                    function=path,
                    class_path=class_path,
                    annotations=tuple(_refs(argument.annotation, bound)),
                    read=_is_read(node, argument.arg, tables),
                    pinned=_pinned(node),
                )
            )
    return tuple(result)


def _of_record(node: Function, watched: Watched) -> list[ast.arg]:
    args = node.args
    return [
        arg
        for arg in (*args.posonlyargs, *args.args, *args.kwonlyargs)
        if arg.arg in watched.parameters
        or (arg.annotation is not None and _names(arg.annotation) & watched.classes)
    ]


def _names(annotation: ast.expr) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(annotation):
        if isinstance(node, ast.Name):
            found.add(node.id)
        elif isinstance(node, ast.Attribute):
            found.add(node.attr)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            found.update(_names(_parsed(node.value)))
    return found


def _parsed(text: str) -> ast.expr:
    try:
        return ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError):
        return ast.Constant(None)


def _refs(annotation: ast.expr | None, bound: dict[str, str]) -> Iterator[str]:
    """The dotted names in an annotation, through the module's own imports."""
    if annotation is None:
        return
    for node in ast.walk(annotation):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield from _refs(_parsed(node.value), bound)
        elif isinstance(node, (ast.Name, ast.Attribute)):
            parts: list[str] = []
            part: ast.expr = node
            while isinstance(part, ast.Attribute):
                parts.insert(0, part.attr)
                part = part.value
            if isinstance(part, ast.Name):
                yield ".".join([bound.get(part.id, part.id), *parts])


class _Tables:
    """The symbol tables of a file's functions, made when one is asked for."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._found: dict[tuple[str, int], list[symtable.SymbolTable]] | None = None

    def of(self, node: Function) -> list[symtable.SymbolTable]:
        """The tables that may be a function's: those of its name and line."""
        if self._found is None:
            self._found = {}
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                stack = [symtable.symtable(self._text, "<file>", "exec")]
            while stack:
                table = stack.pop()
                if table.get_type() == "function":
                    key = (table.get_name(), table.get_lineno())
                    self._found.setdefault(key, []).append(table)
                stack += table.get_children()
        return self._found.get((node.name, node.lineno), [])


def _is_read(node: Function, name: str, tables: _Tables) -> bool:
    """Whether a function uses a parameter, itself or in a function inside.

    Most do in plain sight; where only an inner block spells the name, which may be a
    name of its own, CPython's symbol table says.
    """
    spelled = False
    for part in own_nodes(node):
        if isinstance(part, ast.Name) and part.id == name:
            if isinstance(part.ctx, ast.Load):
                return True
            spelled = True
        elif isinstance(part, _INNER):
            spelled = spelled or any(
                isinstance(inner, ast.Name) and inner.id in (name, "locals")
                for inner in ast.walk(part)
            )
        elif isinstance(part, ast.Name) and part.id == "locals":
            return True  # it sees every name
    if not spelled:
        return False
    same = tables.of(node)
    return not same or any(_is_used(table, name) for table in same)


def _is_used(table: symtable.SymbolTable, name: str) -> bool:
    if name not in table.get_identifiers():
        return True  # another block of the same name and line: nothing is known
    if table.lookup(name).is_referenced():
        return True
    stack = list(table.get_children())
    while stack:
        child = stack.pop()
        if name in child.get_identifiers() and child.lookup(name).is_free():
            return True
        stack += child.get_children()
    return False


def _pinned(node: Function) -> str:
    """Why the signature is pinned by what stands in the function itself, or ""."""
    if node.decorator_list:
        return "decorated"
    body = [
        s
        for s in node.body
        if not (isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant))
    ]
    if all(isinstance(s, (ast.Pass, ast.Raise)) for s in body):
        return "stub"
    return ""
