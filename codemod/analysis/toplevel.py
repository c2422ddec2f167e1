"""What a module binds and imports at its own level, without looking into functions.

These facts are kept of every file: re-exports, class hierarchies and import cycles are
questions about them.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from codemod.analysis.facts import ClassFact, ImportFact


@dataclass
class ModuleLevel:
    """The facts of one module's own level, while they are gathered."""

    module: str
    is_package: bool
    imports: list[ImportFact] = field(default_factory=list)
    definitions: set[str] = field(default_factory=set)
    exports: list[str] | None = None
    classes: list[tuple[str, ast.ClassDef]] = field(default_factory=list)


def absolute(module: str, is_package: bool, target: str | None, level: int) -> str:
    """The absolute name that ``from <dots><target> import …`` names (PEP 328).

    ``level`` counts the dots; more dots than packages give the target as it stands.
    """
    if level == 0:
        return target or ""
    parts = module.split(".") if module else []
    drop = level - 1 if is_package else level
    if drop > len(parts):
        return target or ""
    base = parts[: len(parts) - drop]
    return ".".join([*base, target] if target else base)


def is_type_checking(test: ast.expr) -> bool:
    """Whether an ``if`` test is ``TYPE_CHECKING``, bare or as an attribute."""
    return (isinstance(test, ast.Name) and test.id == "TYPE_CHECKING") or (
        isinstance(test, ast.Attribute) and test.attr == "TYPE_CHECKING"
    )


def import_bindings(
    node: ast.Import | ast.ImportFrom, module: str, is_package: bool
) -> Iterator[tuple[str, str, str]]:
    """Yield ``(bound name, dotted target, imported module)`` of an import statement."""
    if isinstance(node, ast.Import):
        for alias in node.names:
            if alias.asname:
                yield alias.asname, alias.name, alias.name
            else:
                top = alias.name.partition(".")[0]
                yield top, top, alias.name
        return
    source = absolute(module, is_package, node.module, node.level)
    for alias in node.names:
        target = f"{source}.{alias.name}" if source else alias.name
        yield alias.asname or alias.name, target, source


def gather(tree: ast.Module, module: str, is_package: bool) -> ModuleLevel:
    """Collect the facts of a module's own level."""
    level = ModuleLevel(module, is_package)
    _statements(tree.body, level, "plain", "")
    return level


def _statements(
    body: Sequence[ast.stmt], level: ModuleLevel, where: str, class_path: str
) -> None:
    for node in body:
        kind = type(node)
        if kind is ast.Import or kind is ast.ImportFrom:
            for bound, target, source in import_bindings(
                node,  # type: ignore[arg-type]
                level.module,
                level.is_package,
            ):
                level.imports.append(
                    ImportFact(
                        target, "" if class_path else bound, source, node.lineno, where
                    )
                )
        elif kind is ast.FunctionDef or kind is ast.AsyncFunctionDef:
            if not class_path:
                level.definitions.add(node.name)  # type: ignore[attr-defined]
        elif kind is ast.ClassDef:
            assert isinstance(node, ast.ClassDef)
            path = f"{class_path}.{node.name}" if class_path else node.name
            if not class_path:
                level.definitions.add(node.name)
            level.classes.append((path, node))
            _statements(node.body, level, where, path)
        elif kind is ast.If:
            assert isinstance(node, ast.If)
            typing = is_type_checking(node.test)
            _statements(
                node.body,
                level,
                "typing" if typing else _worse(where, "if"),
                class_path,
            )
            _statements(node.orelse, level, _worse(where, "if"), class_path)
        elif kind is ast.Try or kind.__name__ == "TryStar":
            inner = _worse(where, "try")
            for part in (node.body, node.orelse, node.finalbody):  # type: ignore[attr-defined]
                _statements(part, level, inner, class_path)
            for handler in node.handlers:  # type: ignore[attr-defined]
                _statements(handler.body, level, inner, class_path)
        elif kind in (ast.With, ast.AsyncWith, ast.For, ast.AsyncFor, ast.While):
            if not class_path:
                _bound_names(node, level)
            _statements(node.body, level, _worse(where, "if"), class_path)  # type: ignore[attr-defined]
            _statements(getattr(node, "orelse", []), level, "if", class_path)
        elif kind is ast.Match:
            assert isinstance(node, ast.Match)
            for case in node.cases:
                _statements(case.body, level, _worse(where, "if"), class_path)
        elif not class_path:
            _bound_names(node, level)


def _worse(outer: str, inner: str) -> str:
    return outer if outer in ("typing", "try") else inner


def _bound_names(node: ast.stmt, level: ModuleLevel) -> None:
    """Note the names that an assignment-like statement binds, and ``__all__``."""
    targets: list[ast.expr] = []
    if isinstance(node, ast.Assign):
        targets = node.targets
    elif isinstance(node, (ast.AnnAssign, ast.AugAssign, ast.For, ast.AsyncFor)):
        targets = [node.target]
    elif isinstance(node, (ast.With, ast.AsyncWith)):
        targets = [i.optional_vars for i in node.items if i.optional_vars is not None]
    elif node.__class__.__name__ == "TypeAlias":
        targets = [node.name]  # type: ignore[attr-defined]
    for target in targets:
        for name in names_of(target):
            level.definitions.add(name)
            if name == "__all__":
                _note_exports(node, level)


def names_of(target: ast.expr) -> Iterator[str]:
    """Yield the plain names that an assignment target binds."""
    if isinstance(target, ast.Name):
        yield target.id
    elif isinstance(target, (ast.Tuple, ast.List)):
        for part in target.elts:
            yield from names_of(part)
    elif isinstance(target, ast.Starred):
        yield from names_of(target.value)


def _note_exports(node: ast.stmt, level: ModuleLevel) -> None:
    value = getattr(node, "value", None)
    if isinstance(value, (ast.List, ast.Tuple, ast.Set)):
        found = [
            part.value
            for part in value.elts
            if isinstance(part, ast.Constant) and isinstance(part.value, str)
        ]
        level.exports = (level.exports or []) + found
    elif level.exports is None:
        level.exports = []


def class_facts(level: ModuleLevel) -> tuple[ClassFact, ...]:
    """The module's classes with their bases as dotted names.

    A base is looked up among the module's own imports and definitions; one that is an
    expression of another kind (a call, a subscript) gives what it is made from, or
    nothing.
    """
    bound = {fact.bound: fact.target for fact in level.imports if fact.bound}
    found = []
    for path, node in level.classes:
        bases = []
        for base in node.bases:
            ref = _dotted(base, bound, level)
            if ref:
                bases.append(ref)
        found.append(ClassFact(path, tuple(bases), node.lineno))
    return tuple(found)


def _dotted(node: ast.expr, bound: dict[str, str], level: ModuleLevel) -> str:
    if isinstance(node, ast.Subscript):  # Generic[T], Base[int]
        return _dotted(node.value, bound, level)
    if isinstance(node, ast.Name):
        if node.id in bound:
            return bound[node.id]
        if node.id in level.definitions:
            return f"{level.module}.{node.id}"
        return node.id
    if isinstance(node, ast.Attribute):
        base = _dotted(node.value, bound, level)
        return f"{base}.{node.attr}" if base else ""
    return ""
