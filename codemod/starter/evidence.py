"""What one file shows of configuration objects: classes, getters, instances, reads.

This looks at names only, as no pack says yet which of them matter. It is a pure,
picklable function of a file's text, like ``codemod.analysis.summarise``.
"""

from __future__ import annotations

import ast
import warnings
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

Kind = Literal["dataclass", "model", "plain"]
#: How a read gets to the object: ``call`` of a dotted function, ``name`` is a dotted
#: object, ``attr`` the last attribute of any expression.
Base = tuple[str, str]

_DATACLASS = ("dataclass", "define", "frozen", "mutable", "attrs")
_MODELS = ("BaseModel", "BaseSettings", "Struct", "NamedTuple")
_CACHES = ("cache", "lru_cache", "cached", "singleton")


@dataclass(frozen=True, slots=True)
class Mark:
    """A field's metadata that looks like a namespace: ``NS("exec")``, ``{"ns": …}``.

    ``name`` is the call's name, or the key with ``is_key``.
    """

    field: str
    name: str
    path: str
    is_key: bool = False


@dataclass(frozen=True, slots=True)
class ClassSeen:
    """A class at module level; ``bases`` are dotted names as far as imports show."""

    name: str
    line: int
    kind: Kind
    fields: tuple[str, ...]
    bases: tuple[str, ...]
    marks: tuple[Mark, ...] = ()


@dataclass(frozen=True, slots=True)
class FunctionSeen:
    """A function at module level that needs no argument.

    ``returns`` are dotted names of classes from its annotation, ``gives`` dotted names
    of objects and functions that its ``return`` statements name. ``cached`` says that
    a decorator makes it give one object. ``raises`` is the exception it raises.
    """

    name: str
    line: int
    returns: tuple[str, ...]
    gives: tuple[str, ...]
    cached: bool
    raises: str | None


@dataclass(frozen=True, slots=True)
class Evidence:
    """Everything of one file. ``objects`` are module-level names with their class."""

    module: str
    classes: tuple[ClassSeen, ...] = ()
    functions: tuple[FunctionSeen, ...] = ()
    objects: dict[str, tuple[str, ...]] = field(default_factory=dict)
    imports: dict[str, str] = field(default_factory=dict)
    reads: dict[tuple[str, str, str], int] = field(default_factory=dict)


def evidence_of(text: str, module: str, is_package: bool) -> Evidence:
    """The evidence in one file's text; none for text that does not parse."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return Evidence(module)
    return _Reader(tree, module, is_package).evidence()


class _Reader:
    def __init__(self, tree: ast.Module, module: str, is_package: bool) -> None:
        self._tree = tree
        self._module = module
        self._package = module if is_package else module.rpartition(".")[0]
        self._nodes = _nodes(tree)
        self._imports = dict(self._imported())
        self._top = {
            name
            for statement in tree.body
            for name in _bound_by(statement)
            if name not in self._imports
        }

    def evidence(self) -> Evidence:
        functions = (ast.FunctionDef, ast.AsyncFunctionDef)
        body = list(_top_level(self._tree.body))
        return Evidence(
            module=self._module,
            classes=tuple(
                self._class(node) for node in body if isinstance(node, ast.ClassDef)
            ),
            functions=tuple(
                self._function(node)
                for node in body
                if isinstance(node, functions) and not _needs_arguments(node.args)
            ),
            objects=self._objects(body),
            imports=self._imports,
            reads=dict(self._reads()),
        )

    def _imported(self) -> Iterator[tuple[str, str]]:
        for node in self._nodes:
            if isinstance(node, ast.Import):
                for alias in node.names:
                    if alias.asname:
                        yield alias.asname, alias.name
                    else:
                        head = alias.name.partition(".")[0]
                        yield head, head
            elif isinstance(node, ast.ImportFrom):
                source = self._source(node)
                for alias in node.names:
                    yield alias.asname or alias.name, f"{source}.{alias.name}"

    def _source(self, node: ast.ImportFrom) -> str:
        if not node.level:
            return node.module or ""
        parts = self._package.split(".")
        base = parts[: len(parts) - node.level + 1]
        return ".".join([*base, *([node.module] if node.module else [])])

    def _dotted(self, node: ast.expr | None) -> str | None:
        """The full dotted name of ``a.b.c`` whose head the module binds."""
        parts: list[str] = []
        while isinstance(node, ast.Attribute):
            parts.append(node.attr)
            node = node.value
        if not isinstance(node, ast.Name):
            return None
        if node.id in self._imports:
            head = self._imports[node.id]
        elif node.id in self._top:
            head = f"{self._module}.{node.id}"
        else:
            return None
        return ".".join([head, *reversed(parts)])

    def _class(self, node: ast.ClassDef) -> ClassSeen:
        bases = tuple(filter(None, map(self._dotted, node.bases)))
        kind = _kind(node)
        fields: dict[str, None] = {}
        marks: list[Mark] = []
        for statement in node.body:
            if isinstance(statement, ast.AnnAssign):
                if isinstance(statement.target, ast.Name):
                    name = statement.target.id
                    if "ClassVar" not in ast.unparse(statement.annotation):
                        fields[name] = None
                        marks += _marks(name, statement)
            elif isinstance(statement, ast.Assign) and kind == "plain":
                fields |= {
                    target.id: None
                    for target in statement.targets
                    if isinstance(target, ast.Name) and target.id[:2] != "__"
                }
            elif (
                isinstance(statement, ast.FunctionDef)
                and kind == "plain"
                and statement.name == "__init__"
            ):
                fields |= dict.fromkeys(_set_on_self(statement))
        return ClassSeen(
            node.name, node.lineno, kind, tuple(fields), bases, tuple(marks)
        )

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> FunctionSeen:
        inside = list(ast.walk(node))
        local = {
            alias.asname or alias.name: alias.name
            for part in inside
            if isinstance(part, ast.ImportFrom)
            for alias in part.names
        }
        gives = []
        for part in inside:
            if isinstance(part, ast.Return) and part.value is not None:
                value: ast.expr = part.value
                # ``get_context().config`` gives what get_context leads to.
                while isinstance(value, (ast.Call, ast.Attribute)):
                    target = self._dotted(value)
                    if target is not None:
                        break
                    value = value.func if isinstance(value, ast.Call) else value.value
                name = self._dotted(value)
                if name is not None:
                    gives.append(name)
        raises = [
            name
            for part in inside
            if isinstance(part, ast.Raise) and (name := _exception(part)) not in local
        ]
        return FunctionSeen(
            name=node.name,
            line=node.lineno,
            returns=tuple(self._classes_in(node.returns)),
            gives=tuple(dict.fromkeys(gives)),
            cached=any(_last(d).lower() in _CACHES for d in node.decorator_list),
            raises=next(filter(None, raises), None),
        )

    def _classes_in(self, annotation: ast.expr | None) -> Iterator[str]:
        """The classes of ``C``, ``C | None``, ``Optional[C]`` and ``"C"``."""
        if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
            try:
                annotation = ast.parse(annotation.value, mode="eval").body
            except (SyntaxError, ValueError):
                return
        if isinstance(annotation, ast.BinOp):
            yield from self._classes_in(annotation.left)
            yield from self._classes_in(annotation.right)
        elif isinstance(annotation, ast.Subscript):
            if _last(annotation.value) in ("Optional", "Annotated", "Final"):
                inner = annotation.slice
                first = inner.elts[0] if isinstance(inner, ast.Tuple) else inner
                yield from self._classes_in(first)
        elif annotation is not None:
            name = self._dotted(annotation)
            if name is not None:
                yield name

    def _objects(self, body: list[ast.stmt]) -> dict[str, tuple[str, ...]]:
        found: dict[str, tuple[str, ...]] = {}
        for node in body:
            if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                classes = tuple(self._classes_in(node.annotation))
                # ``_config: Config | None = None`` is filled later, by a setter.
                if classes:
                    found[node.target.id] = classes
            elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
                name = self._dotted(node.value.func)
                for target in node.targets:
                    if name is not None and isinstance(target, ast.Name):
                        found[target.id] = (name,)
        return found

    def _reads(self) -> Counter[tuple[str, str, str]]:
        """How often each attribute is taken off each kind of base."""
        aliases: dict[str, str] = {}
        for node in self._nodes:
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
                called = self._dotted(node.value.func)
                if called is not None and not node.value.args:
                    for target in node.targets:
                        if isinstance(target, ast.Name):
                            aliases[target.id] = called
        count: Counter[tuple[str, str, str]] = Counter()
        for node in self._nodes:
            if not isinstance(node, ast.Attribute):
                continue
            if not isinstance(node.ctx, ast.Load):
                continue
            base = self._base(node.value, aliases)
            if base is not None:
                kind, place = base
                count[kind, place, node.attr] += 1
        return count

    def _base(self, value: ast.expr, aliases: dict[str, str]) -> Base | None:
        if isinstance(value, ast.Call):
            called = None if value.args else self._dotted(value.func)
            return ("call", called) if called else None
        if isinstance(value, ast.Name):
            name = self._dotted(value)
            if name is not None:
                return "name", name
            # A name bound in a function, if it is bound so in any: this only counts.
            return ("call", aliases[value.id]) if value.id in aliases else None
        if isinstance(value, ast.Attribute):
            name = self._dotted(value)
            # ``module.settings.X`` is an object, ``self.settings.X`` an attribute.
            return ("name", name) if name else ("attr", value.attr)
        return None


def _nodes(tree: ast.AST) -> list[ast.AST]:
    """Every node below ``tree``, as ``ast.walk`` gives them, in half its time."""
    found = [tree]
    for node in found:
        for value in node.__dict__.values():
            if isinstance(value, ast.AST):
                found.append(value)
            elif isinstance(value, list):
                found += [item for item in value if isinstance(item, ast.AST)]
    return found


def _top_level(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Statements of a module, those under ``if`` and ``try`` too."""
    for statement in body:
        yield statement
        if isinstance(statement, (ast.If, ast.Try, ast.With)):
            yield from _top_level(statement.body)
            yield from _top_level(getattr(statement, "orelse", []))


def _bound_by(statement: ast.stmt) -> Iterator[str]:
    for node in _top_level([statement]):
        if isinstance(node, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            yield node.name
        elif isinstance(node, ast.Assign):
            yield from (t.id for t in node.targets if isinstance(t, ast.Name))
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            yield node.target.id


def _kind(node: ast.ClassDef) -> Kind:
    if any(_last(d).lower().endswith(_DATACLASS) for d in node.decorator_list):
        return "dataclass"
    if any(_last(base) in _MODELS for base in node.bases):
        return "model"
    return "plain"


def _last(node: ast.expr) -> str:
    """The last name of ``a.b.c`` and of ``a.b.c(…)``."""
    target = node.func if isinstance(node, ast.Call) else node
    if isinstance(target, ast.Subscript):
        target = target.value
    if isinstance(target, ast.Attribute):
        return target.attr
    return target.id if isinstance(target, ast.Name) else ""


def _needs_arguments(arguments: ast.arguments) -> bool:
    positional = len(arguments.posonlyargs) + len(arguments.args)
    return positional > len(arguments.defaults) or None in arguments.kw_defaults


def _set_on_self(function: ast.FunctionDef) -> Iterator[str]:
    for node in ast.walk(function):
        if (
            isinstance(node, ast.Attribute)
            and isinstance(node.ctx, ast.Store)
            and isinstance(node.value, ast.Name)
            and node.value.id == "self"
        ):
            yield node.attr


def _exception(node: ast.Raise) -> str | None:
    return _last(node.exc) or None if node.exc is not None else None


def _marks(name: str, statement: ast.AnnAssign) -> Iterator[Mark]:
    """Calls with one dotted string in an annotation, strings in a metadata dict."""
    annotation: ast.AST = statement.annotation
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        try:
            annotation = ast.parse(annotation.value, mode="eval")
        except (SyntaxError, ValueError):
            return
    for node in ast.walk(annotation):
        if isinstance(node, ast.Call) and len(node.args) == 1 and not node.keywords:
            path = _dotted_string(node.args[0])
            if path is not None:
                yield Mark(name, _last(node), path)
    if isinstance(statement.value, ast.Call):
        for keyword in statement.value.keywords:
            if keyword.arg in ("metadata", "json_schema_extra") and isinstance(
                keyword.value, ast.Dict
            ):
                for key, value in zip(keyword.value.keys, keyword.value.values):
                    text = _dotted_string(value)
                    if isinstance(key, ast.Constant) and text is not None:
                        yield Mark(name, str(key.value), text, is_key=True)


def _dotted_string(node: ast.expr) -> str | None:
    if not isinstance(node, ast.Constant) or not isinstance(node.value, str):
        return None
    parts = node.value.split(".")
    return node.value if all(part.isidentifier() for part in parts) else None
