"""Modules as syntax trees: the few that a record's declaration is spread over.

A module is parsed when something asks for a name in it and not before; nothing is
ever imported or run.
"""

from __future__ import annotations

import ast
import gc
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from codemod.index.store import digest
from codemod.model import Problem
from codemod.packs import PackError
from codemod.project import Project, decode
from codemod.project.layout import outer_package


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import binds: a name of a module, or with ``name`` None the module."""

    module: str
    name: str | None


@dataclass(slots=True)
class Module:
    """The module level of one file.

    ``file`` is what to show a person. ``imports`` are the names that imports bind,
    those in ``if TYPE_CHECKING`` and ``try`` too; ``stars`` are modules all of whose
    names are imported. ``values`` are the expressions that names are assigned, all of
    them, in order. ``doubled`` are classes of which a branch has another one, with the
    lines of both.
    """

    name: str
    is_package: bool
    file: str
    tree: ast.Module
    imports: dict[str, Imported] = field(default_factory=dict)
    classes: dict[str, ast.ClassDef] = field(default_factory=dict)
    values: dict[str, list[ast.expr]] = field(default_factory=dict)
    stars: list[str] = field(default_factory=list)
    doubled: dict[str, tuple[int, int]] = field(default_factory=dict)

    def defines(self, name: str) -> bool:
        """Whether the name is bound here in a way this summary knows."""
        return name in self.classes or name in self.values or name in self.imports


class Sources:
    """Finds modules by name: beside a file outside the root first, then in the root.

    ``seen`` is filled with every path that is looked at: the digest of its content,
    or b"" where there is no file.
    """

    def __init__(self, project: Project, seen: dict[str, bytes] | None = None) -> None:
        self._project = project
        self._seen = {} if seen is None else seen
        self._modules: dict[str, Module | None] = {}
        self._beside: Path | None = None

    def open_file(self, path: Path) -> Module | None:
        """The module of a file anywhere; names it imports are then sought beside it.

        None when there is no such file. Raises PackError when it cannot be parsed.
        """
        if not self._is_file(path):
            return None
        folder = path.resolve().parent
        package = outer_package(folder)
        self._beside = folder.parents[len(package) - 1] if package else folder
        is_package = path.stem == "__init__" and bool(package)
        name = ".".join(package if is_package else (*package, path.stem))
        module = self._parse(path, self._shown(path), name, is_package)
        self._modules[name] = module
        return module

    def open_module(self, name: str) -> Module | None:
        """The module of that dotted name; None when it is nowhere to be found."""
        if name not in self._modules:
            self._modules[name] = None  # an import circle ends here
            self._modules[name] = self._find(name)
        return self._modules[name]

    def _find(self, name: str) -> Module | None:
        beside = self._place_beside(name)
        if beside is not None:
            is_package = beside.stem == "__init__"
            return self._parse(beside, self._shown(beside), name, is_package)
        file = self._project.by_module.get(name)
        if file is None:
            return None
        path = self._project.root / file.path
        return self._parse(path, file.path, name, file.is_package)

    def _place_beside(self, name: str) -> Path | None:
        """The file of a module by the layout around the file outside the root."""
        parts = name.split(".")
        if self._beside is None or not all(part.isidentifier() for part in parts):
            return None
        base = self._beside.joinpath(*parts)
        places = (base / "__init__.py", base.with_name(f"{base.name}.py"))
        return next((place for place in places if self._is_file(place)), None)

    def _is_file(self, path: Path) -> bool:
        there = path.is_file()
        if not there:
            self._seen[str(path.absolute())] = b""
        return there

    def _parse(self, path: Path, shown: str, name: str, is_package: bool) -> Module:
        try:
            data = path.read_bytes()
        except OSError as error:
            problem = f"cannot be read: {error.strerror or error}"
            raise PackError(shown, 0, "routes", problem) from None
        self._seen[str(path.absolute())] = digest(data)
        return _parse(data, shown, name, is_package)

    def is_there(self, name: str) -> bool:
        """Whether a module of that name is at hand; it is not parsed."""
        return name in self._project.by_module or self._place_beside(name) is not None

    def holds(self, name: str) -> bool:
        """Whether the project has the top-level package of a module."""
        top = name.partition(".")[0]
        return any(m == top or m.startswith(f"{top}.") for m in self.module_names())

    def module_names(self) -> list[str]:
        """The modules of the project."""
        return list(self._project.by_module)

    def _shown(self, path: Path) -> str:
        full = path.resolve()
        if full.is_relative_to(self._project.root):
            return full.relative_to(self._project.root).as_posix()
        return str(path)

    def find_class(
        self, module: Module, name: str
    ) -> tuple[Module, ast.ClassDef] | None:
        """A class by its name in a module, followed through imports and ``B = A``."""
        found = self.resolve(module, name)
        if found is None or not isinstance(found[1], ast.ClassDef):
            return None
        return found[0], found[1]

    def resolve(
        self, module: Module, dotted: str
    ) -> tuple[Module, ast.ClassDef | ast.expr] | None:
        """The class or the only value that a name stands for, wherever it is defined.

        None when it is not defined in any module at hand, or more than once.
        """
        return self._resolve(module, dotted, set())

    def _resolve(
        self, module: Module, dotted: str, seen: set[tuple[str, str]]
    ) -> tuple[Module, ast.ClassDef | ast.expr] | None:
        """``seen`` are the names on the way here: they can go round in a circle."""
        while (module.name, dotted) not in seen:
            seen.add((module.name, dotted))
            head, _, rest = dotted.partition(".")
            if not rest:
                if head in module.classes:
                    return module, module.classes[head]
                values = module.values.get(head)
                if values is not None:
                    if len(values) > 1:
                        return None
                    target = dotted_name(values[0])
                    inner = target and self._resolve(module, target, seen)
                    return inner or (module, values[0])
            step = self._through_import(module, head, rest)
            if step is None:
                return None
            module, dotted = step
        return None

    def _through_import(
        self, module: Module, head: str, rest: str
    ) -> tuple[Module, str] | None:
        imported = module.imports.get(head)
        if imported is None:
            return self._through_star(module, head, rest)
        if imported.name is not None:
            target = self.open_module(imported.module)
            inner = f"{imported.name}.{rest}" if rest else imported.name
            if target is not None and (target.defines(imported.name) or target.stars):
                return target, inner
            # ``from package import module``
            below = self.open_module(f"{imported.module}.{imported.name}")
            return (below, rest) if below is not None and rest else None
        # ``import a.b`` binds ``a``: take as many names of the rest as are modules.
        parts = rest.split(".") if rest else []
        for length in range(len(parts) - 1, -1, -1):
            target = self.open_module(".".join((imported.module, *parts[:length])))
            if target is not None and parts[length:]:
                return target, ".".join(parts[length:])
        return None

    def _through_star(
        self, module: Module, head: str, rest: str
    ) -> tuple[Module, str] | None:
        for name in reversed(module.stars):
            target = self.open_module(name)
            if target is not None and (target.defines(head) or target.stars):
                return target, f"{head}.{rest}" if rest else head
        return None


def dotted_name(node: ast.expr) -> str | None:
    """``a.b.c`` as text, or None for any other expression."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return None
    return ".".join((node.id, *reversed(parts)))


def _parse(data: bytes, shown: str, name: str, is_package: bool) -> Module:
    text = decode(data, shown)
    if isinstance(text, Problem):
        raise PackError(text.file, text.line, "routes", text.message)
    # A tree is all live objects: collecting garbage while it grows finds none and
    # takes most of the time.
    collecting = gc.isenabled()
    gc.disable()
    try:
        tree = ast.parse(text.text)
    except SyntaxError as error:
        line = error.lineno or 0
        raise PackError(shown, line, "routes", f"syntax error: {error.msg}") from None
    except (ValueError, RecursionError, MemoryError) as error:
        raise PackError(shown, 0, "routes", f"cannot be parsed: {error}") from None
    finally:
        if collecting:
            gc.enable()
    module = Module(name, is_package, shown, tree)
    always = {id(statement) for statement in tree.body}
    for statement in statements(tree.body):
        _take(module, statement, id(statement) in always)
    return module


def statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements of a body and of the ``if``, ``try``, ``with`` and loops in it."""
    for statement in body:
        yield statement
        for name in ("body", "orelse", "finalbody"):
            if not isinstance(
                statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
            ):
                yield from statements(getattr(statement, name, []))
        for inner in (
            *getattr(statement, "handlers", ()),
            *getattr(statement, "cases", ()),
        ):
            yield from statements(inner.body)


def _take(module: Module, statement: ast.stmt, always: bool) -> None:
    if isinstance(statement, ast.Import):
        for alias in statement.names:
            whole = alias.name if alias.asname else alias.name.partition(".")[0]
            module.imports[alias.asname or whole] = Imported(whole, None)
    elif isinstance(statement, ast.ImportFrom):
        source = absolute(module, statement)
        for alias in statement.names:
            if alias.name == "*":
                module.stars.append(source)
                continue
            module.imports[alias.asname or alias.name] = Imported(source, alias.name)
    elif isinstance(statement, ast.ClassDef):
        before = module.classes.get(statement.name)
        if always:
            module.doubled.pop(statement.name, None)
        elif before is not None:
            module.doubled[statement.name] = before.lineno, statement.lineno
        module.classes[statement.name] = statement
    else:
        for name, value in assigned(statement):
            module.values.setdefault(name, []).append(value)


def assigned(statement: ast.stmt) -> Iterator[tuple[str, ast.expr]]:
    """The plain names a statement assigns, each with its value."""
    if isinstance(statement, ast.Assign):
        for target in statement.targets:
            if isinstance(target, ast.Name):
                yield target.id, statement.value
    elif isinstance(statement, ast.AnnAssign):
        if isinstance(statement.target, ast.Name) and statement.value is not None:
            yield statement.target.id, statement.value
    elif isinstance(statement, ast.AugAssign) and isinstance(
        statement.target, ast.Name
    ):
        yield statement.target.id, statement.value


def absolute(module: Module, statement: ast.ImportFrom) -> str:
    """The module that a ``from … import`` names (Python reference 5.4.2)."""
    if not statement.level:
        return statement.module or ""
    parts = module.name.split(".")
    if not module.is_package:
        parts.pop()
    parts = parts[: len(parts) - (statement.level - 1)]
    return ".".join((*parts, *filter(None, [statement.module])))
