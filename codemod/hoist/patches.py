"""Who replaces attributes of modules while the program runs.

A local import takes a name each time the function runs, and so sees what a test put in
its place; a module-level import takes it once. The same holds for a module that binds
its own name anew through ``global``.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator

from codemod.analysis.block_names import names_bound, statements
from codemod.hoist.facts import ANY_NAME, Patch
from codemod.hoist.naming import Meanings

_WORDS = ("patch", "setattr", "setitem", "delitem", "delattr", "reload")
_CALLS = re.compile(
    rf"\b(?:{'|'.join(_WORDS)})\b|\bmodules\.(?:pop|update|setdefault)\("
    r"|\b__dict__\.|\bvars\(|\bglobals\(\)\."
)
_GLOBAL = re.compile(r"^\s+global\s", re.MULTILINE)
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_CHANGES = ("update", "setdefault", "pop")


def patches_of(
    tree: ast.Module, text: str, path: str, module: str, is_package: bool
) -> Iterator[Patch]:
    """Yield every replacement in a file of an attribute of some module.

    Seen are ``mock.patch("a.b.c")``, ``patch.object(module, "c")``,
    ``patch.multiple``, ``patch.dict(sys.modules, …)``, ``monkeypatch.setattr`` in both
    forms, ``setattr(module, "c", …)``, ``module.c = …`` as any target,
    ``module.__dict__["c"] = …``, ``sys.modules["a"] = …``, ``sys.modules.pop("a")``,
    ``importlib.reload(module)``, and names that functions bind through ``global`` or
    ``globals()``; module and name in every form that ``Meanings`` knows.
    """
    body = list(statements(tree.body))
    finder = _Finder(path, module, Meanings(body, module, is_package))
    pattern = _CALLS
    others = finder.meanings.other_names_of(_WORDS)
    if others:
        pattern = re.compile(rf"{_CALLS.pattern}|\b(?:{'|'.join(others)})\b")
    calls = {text.count("\n", 0, m.start()) + 1 for m in pattern.finditer(text)}
    if _GLOBAL.search(text):
        for node in body:
            if isinstance(node, _SCOPES):
                yield from finder.declared(node)
    if "globals()" in text:
        finder.running = {
            id(inner)
            for node in body
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
            for inner in statements(node.body)
        }
    for node in body:
        yield from finder.targets(node)
        if calls and calls.intersection(range(*_lines_of(node))):
            for part in _own_expressions(node):
                for call in ast.walk(part):
                    if isinstance(call, ast.Call):
                        yield from finder.call(call, node)


def _lines_of(node: ast.stmt) -> tuple[int, int]:
    """The lines of a statement and its decorators, end exclusive."""
    decorators = getattr(node, "decorator_list", ())
    first = min([node.lineno, *(d.lineno for d in decorators)])
    return first, (node.end_lineno or node.lineno) + 1


def _own_expressions(node: ast.stmt) -> Iterator[ast.AST]:
    """The expressions of a statement that are in no statement inside it."""
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, (ast.stmt, ast.excepthandler, ast.match_case)):
            yield child


class _Finder:
    """Replacements in one file."""

    def __init__(self, path: str, module: str, meanings: Meanings) -> None:
        self.path = path
        self.module = module
        self.meanings = meanings
        self.running: set[int] = set()
        """Statements in functions; those at module level run as it is imported."""

    # -- targets -----------------------------------------------------------------

    def targets(self, node: ast.stmt) -> Iterator[Patch]:
        """Attributes and items that a statement binds or deletes."""
        found: list[ast.expr] = []
        if isinstance(node, (ast.Assign, ast.Delete)):
            found = node.targets
        elif isinstance(node, (ast.AugAssign, ast.AnnAssign, ast.For, ast.AsyncFor)):
            found = [node.target]
        elif isinstance(node, (ast.With, ast.AsyncWith)):
            found = [i.optional_vars for i in node.items if i.optional_vars]
        for target in found:
            for part in _leaves(target):
                yield from self._target(part, node)

    def _target(self, target: ast.expr, node: ast.stmt) -> Iterator[Patch]:
        if isinstance(target, ast.Attribute):
            # Another class makes another module of it.
            name = "" if target.attr == "__class__" else target.attr
            for module in self.meanings.dotted(target.value):
                yield Patch(module, name, self.path, target.lineno, _shown(node))
        elif isinstance(target, ast.Subscript):
            keys = [target.slice]
            yield from self._items(target.value, keys, (), target, _shown(node), node)

    def _items(
        self,
        owner: ast.expr,
        keys: Iterable[ast.expr],
        names: Iterable[str],
        at: ast.expr,
        how: str,
        node: ast.stmt,
    ) -> Iterator[Patch]:
        """Items of ``sys.modules`` or of a module's names that are set or deleted.

        ``keys`` are expressions for some of them, ``names`` others.
        """
        if self.meanings.is_sys_modules(owner) or self._is_text(owner, "sys.modules"):
            found = [self.meanings.strings(key) for key in keys]
            for module in {*names}.union(*found):
                yield Patch(module, "", self.path, at.lineno, how)
            return
        for module in self._namespaces(owner, node):
            for key in keys:
                for name in self.meanings.strings(key) or {ANY_NAME}:
                    yield Patch(module, name, self.path, at.lineno, how)
            for name in names:
                yield Patch(module, name, self.path, at.lineno, how)

    def _namespaces(self, node: ast.expr, within: ast.stmt) -> Iterator[str]:
        """The modules whose names ``node`` is the dictionary of."""
        if isinstance(node, ast.Attribute) and node.attr == "__dict__":
            yield from self.meanings.dotted(node.value)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            if node.func.id == "vars" and node.args:
                yield from self.meanings.dotted(node.args[0])
            elif node.func.id == "globals" and id(within) in self.running:
                yield self.module
        for text in self.meanings.strings(node):
            if text.endswith(".__dict__"):
                yield text.removesuffix(".__dict__")

    def _is_text(self, node: ast.expr, text: str) -> bool:
        return isinstance(node, ast.Constant) and node.value == text

    # -- calls -------------------------------------------------------------------

    def call(self, node: ast.Call, within: ast.stmt) -> Iterator[Patch]:
        """What a call replaces."""
        how = _shown(node)
        for owner, name in self._called(node.func):
            if name == "dict" and owner == "patch":
                first = _argument(node, 0, "in_dict")
                if first is not None:
                    keys, names = self._keys(node)
                    yield from self._items(first, keys, names, node, how, within)
            elif name in ("setitem", "delitem"):
                first, key = _argument(node, 0, "dic"), _argument(node, 1, "name")
                if first is not None and key is not None:
                    yield from self._items(first, [key], (), node, how, within)
            elif name in _CHANGES and isinstance(node.func, ast.Attribute):
                at = node.func.value
                keys, names = self._keys(node, 0)
                if name != "update":
                    keys, names = node.args[:1], []
                yield from self._items(at, keys, names, node, how, within)
            elif name == "reload" and node.args:
                for module in self.meanings.dotted(node.args[0]):
                    yield Patch(module, "", self.path, node.lineno, how)
            else:
                for module, attribute in self._attributes(node, owner, name):
                    yield Patch(module, attribute, self.path, node.lineno, how)

    def _called(self, function: ast.expr) -> set[tuple[str, str]]:
        """The last two parts of the names of what is called."""
        parts: list[str] = []
        node = function
        while isinstance(node, ast.Attribute):
            parts.append(node.attr)
            node = node.value
        if isinstance(node, ast.Name):
            parts.append(node.id)
        found = {(parts[1] if len(parts) > 1 else "", parts[0])} if parts else set()
        for dotted in self.meanings.dotted(function):
            owner, _, name = dotted.rpartition(".")
            found.add((owner.rpartition(".")[2], name))
        return found

    def _keys(self, node: ast.Call, index: int = 1) -> tuple[list[ast.expr], list[str]]:
        """The keys a call puts into a dictionary: expressions, and keywords."""
        keys: list[ast.expr] = []
        values = _argument(node, index, "values")
        for value in self.meanings.values_of(values) if values is not None else ():
            if isinstance(value, ast.Dict):
                stack = [value]
                while stack:
                    literal = stack.pop()
                    for key, item in zip(literal.keys, literal.values):
                        if key is not None:
                            keys.append(key)
                        elif isinstance(item, ast.Dict):
                            stack.append(item)
        names = [k.arg for k in node.keywords if k.arg not in (None, "clear")]
        return keys, [name for name in names if name]

    def _attributes(
        self, node: ast.Call, owner: str, name: str
    ) -> Iterator[tuple[str, str]]:
        """Module and attribute that ``patch`` and its like, or ``setattr`` replace."""
        target = _argument(node, 0, "target")
        if target is None:
            return
        if name in ("patch", "setattr", "delattr"):
            for text in self.meanings.strings(target):
                module, dot, attribute = text.rpartition(".")
                if dot:
                    yield module, attribute
        if name in ("object", "setattr", "delattr"):
            second = _argument(node, 1, "attribute", "name")
            if second is not None:
                for module in self.meanings.dotted(target):
                    for attribute in self.meanings.strings(second) or {ANY_NAME}:
                        yield module, attribute
        elif name == "multiple" and owner == "patch":
            modules = self.meanings.strings(target) | self.meanings.dotted(target)
            for module in modules:
                for keyword in node.keywords:
                    if keyword.arg != "target":
                        yield module, keyword.arg or ANY_NAME

    # -- global ------------------------------------------------------------------

    def declared(
        self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
    ) -> Iterator[Patch]:
        """Names of the module that a block binds through ``global``."""
        inner = list(statements(node.body))
        declared = {n for s in inner if isinstance(s, ast.Global) for n in s.names}
        lines: dict[str, int] = {}
        for statement in inner if declared else ():
            # The innermost statement that binds it starts last.
            for name in declared.intersection(names_bound([statement])):
                lines[name] = max(lines.get(name, 0), statement.lineno)
        for name, line in lines.items():
            how = f"`global {name}` in {node.name}"
            yield Patch(self.module, name, self.path, line, how)


def _leaves(target: ast.expr) -> Iterator[ast.expr]:
    """The single targets in a target list."""
    if isinstance(target, (ast.Tuple, ast.List)):
        for part in target.elts:
            yield from _leaves(part)
    elif isinstance(target, ast.Starred):
        yield from _leaves(target.value)
    else:
        yield target


def _argument(node: ast.Call, index: int, *names: str) -> ast.expr | None:
    """An argument by position or keyword."""
    if index < len(node.args):
        return node.args[index]
    return next((k.value for k in node.keywords if k.arg in names), None)


def _shown(node: ast.AST) -> str:
    text = ast.unparse(node)
    first = text.split("\n", 1)[0]
    return first if len(first) <= 70 else first[:67] + "..."
