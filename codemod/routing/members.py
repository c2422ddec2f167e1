"""What a class declares: plain fields, properties and methods, inherited ones too."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field

from codemod.packs import PackError
from codemod.routing.metadata import Metadata, last_name, parse_string
from codemod.routing.model import MemberKind
from codemod.routing.sources import Module, Sources, dotted_name, statements
from codemod.routing.static import Scope

ClassAt = tuple[Module, ast.ClassDef]

_CLASS_DECORATORS = frozenset(
    {"dataclass", "define", "frozen", "mutable", "attrs", "attributes", "s"}
)
_MODEL_BASES = frozenset({"BaseModel", "BaseSettings", "Struct", "NamedTuple"})
_NO_FIELD = frozenset({"ClassVar", "InitVar", "KW_ONLY"})
_ATTRS_FIELDS = frozenset({"ib", "attrib", "field"})
_PROPERTY_PARTS = frozenset({"setter", "getter", "deleter"})


@dataclass(slots=True)
class Declared:
    """The plain fields of a class with their namespace and place, and its members."""

    fields: dict[str, str | None] = field(default_factory=dict)
    lines: dict[str, tuple[str, int]] = field(default_factory=dict)
    members: dict[str, MemberKind] = field(default_factory=dict)


def declared(found: ClassAt, sources: Sources, metadata: Metadata) -> Declared:
    """All that a class declares or inherits, in the order of declaration.

    A redeclared field keeps its place and takes the later annotation, as in
    ``dataclasses``; a property over an inherited field is a property.
    """
    result = Declared()
    model = False
    for module, owner in reversed(_resolution_order(found, sources)):
        model = model or _is_model(module, owner)
        own = _own(module, owner, metadata, model)
        for name, kind in own.members.items():
            result.members[name] = kind
            result.fields.pop(name, None)
        for name, namespace in own.fields.items():
            result.fields[name] = namespace
            result.lines[name] = own.lines[name]
            result.members.pop(name, None)
    return result


def _own(
    module: Module, owner: ast.ClassDef, metadata: Metadata, model: bool
) -> Declared:
    """What the body of one class declares.

    Of a dataclass, and of what is like one (``model``), only annotated names are
    fields and the rest are constants; of any other class every attribute is one.
    """
    result = Declared()
    scope = Scope(module, owner)
    annotated_only = model or _is_dataclass(module, owner)
    always = {id(statement) for statement in owner.body}
    for statement in statements(owner.body):
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
            result.members[statement.name] = _kind(statement, module)
            if statement.name == "__init__" and not annotated_only:
                for name, line in _set_on_self(statement):
                    result.fields.setdefault(name, None)
                    result.lines.setdefault(name, (module.file, line))
        elif isinstance(statement, ast.AnnAssign):
            if not isinstance(statement.target, ast.Name):
                continue
            if _is_no_field(statement.annotation, module):
                continue
            name = statement.target.id
            found = metadata.namespace(
                name, statement.annotation, statement.value, scope
            )
            before = result.fields.get(name)
            if id(statement) not in always:
                # Of the branches of an ``if`` the one that says a namespace counts.
                _check_same(name, found, before, result, module, statement)
                found = found or before
            result.fields[name] = found
            result.lines[name] = (module.file, statement.lineno)
        elif isinstance(statement, ast.Assign):
            for name in _names(statement.targets):
                kind = _assigned_member(statement.value, module)
                if kind is not None:
                    result.members[name] = kind
                elif _is_attrs_field(statement.value, module) or not (
                    annotated_only or _is_dunder(name)
                ):
                    found = metadata.namespace(name, None, statement.value, scope)
                    result.fields[name] = found
                    result.lines[name] = (module.file, statement.lineno)
    for name in result.fields:
        result.members.pop(name, None)
    return result


def _check_same(
    name: str,
    found: str | None,
    before: str | None,
    result: Declared,
    module: Module,
    statement: ast.stmt,
) -> None:
    """Refuse a field with two namespaces: nobody can tell which one it will have."""
    if found is None or before is None or found == before:
        return
    file, line = result.lines[name]
    message = f"is routed to {found!r} here and to {before!r} at {file}:{line}"
    raise PackError(module.file, statement.lineno, name, f"{message}; name one of them")


def _is_dunder(name: str) -> bool:
    return name.startswith("__") and name.endswith("__")


def _kind(
    function: ast.FunctionDef | ast.AsyncFunctionDef, module: Module
) -> MemberKind:
    for decorator in function.decorator_list:
        target = decorator.func if isinstance(decorator, ast.Call) else decorator
        name = last_name(target, module)
        if name.lower().endswith("property") or (
            isinstance(target, ast.Attribute) and name in _PROPERTY_PARTS
        ):
            return "property"
    return "method"


def _assigned_member(value: ast.expr, module: Module) -> MemberKind | None:
    """``size = property(_size)`` and ``name = lambda self: …``."""
    if isinstance(value, ast.Lambda):
        return "method"
    if isinstance(value, ast.Call):
        name = last_name(value.func, module)
        if name.lower().endswith("property"):
            return "property"
        if name in ("staticmethod", "classmethod"):
            return "method"
    return None


def _names(targets: list[ast.expr]) -> Iterator[str]:
    for target in targets:
        if isinstance(target, ast.Name):
            yield target.id
        elif isinstance(target, (ast.Tuple, ast.List)):
            yield from _names(target.elts)


def _set_on_self(
    function: ast.FunctionDef | ast.AsyncFunctionDef,
) -> Iterator[tuple[str, int]]:
    """``self.name = …`` anywhere in ``__init__``, each with its line."""
    arguments = [*function.args.posonlyargs, *function.args.args]
    if not arguments:
        return
    stores = [
        node
        for node in ast.walk(function)
        if isinstance(node, ast.Attribute)
        and isinstance(node.ctx, ast.Store)
        and isinstance(node.value, ast.Name)
        and node.value.id == arguments[0].arg
    ]
    for node in sorted(stores, key=lambda node: (node.lineno, node.col_offset)):
        yield node.attr, node.lineno


def _is_no_field(annotation: ast.expr, module: Module) -> bool:
    """``ClassVar``, ``InitVar`` and ``KW_ONLY``, bare or subscripted, also in a string.

    They are not fields (``dataclasses``, "Class variables", "Init-only variables").
    """
    node: ast.expr | None = annotation
    while node is not None:
        if isinstance(node, ast.Constant):
            node = parse_string(node)
        elif isinstance(node, ast.Subscript):
            if last_name(node.value, module) in _NO_FIELD:
                return True
            inner = node.slice
            node = (
                inner.elts[0] if isinstance(inner, ast.Tuple) and inner.elts else None
            )
        else:
            return last_name(node, module) in _NO_FIELD
    return False


def _is_attrs_field(value: ast.expr, module: Module) -> bool:
    return (
        isinstance(value, ast.Call) and last_name(value.func, module) in _ATTRS_FIELDS
    )


def _is_dataclass(module: Module, owner: ast.ClassDef) -> bool:
    for decorator in owner.decorator_list:
        target = decorator.func if isinstance(decorator, ast.Call) else decorator
        name = last_name(target, module)
        if name in _CLASS_DECORATORS or name.endswith("dataclass"):
            return True
    return False


def _is_model(module: Module, owner: ast.ClassDef) -> bool:
    """Whether it derives from a library's class whose annotations are fields."""
    return any(last_name(base, module) in _MODEL_BASES for base in owner.bases)


def _resolution_order(found: ClassAt, sources: Sources) -> list[ClassAt]:
    """The classes of the project that a class is made of, itself first.

    C3 as Python does it (``type.__mro__``); where the bases contradict each other,
    which Python would refuse, and in a circle, depth first.
    """

    def identity(item: ClassAt) -> tuple[str, str]:
        return item[0].name, item[1].name

    def bases(item: ClassAt) -> list[ClassAt]:
        module, owner = item
        out = []
        for node in owner.bases:
            target = node.value if isinstance(node, ast.Subscript) else node
            name = dotted_name(target)
            base = sources.find_class(module, name) if name else None
            if base is not None:
                out.append(base)
        return out

    def order(item: ClassAt, chain: tuple[tuple[str, str], ...]) -> list[ClassAt]:
        parents = [b for b in bases(item) if identity(b) not in chain]
        chain = (*chain, *(identity(parent) for parent in [item]))
        lists = [order(parent, chain) for parent in parents] + [parents]
        return [item, *_merge(lists)]

    def _merge(lists: list[list[ClassAt]]) -> list[ClassAt]:
        merged: list[ClassAt] = []
        lists = [list(one) for one in lists if one]
        while lists:
            tails = {identity(item) for one in lists for item in one[1:]}
            head = next(
                (one[0] for one in lists if identity(one[0]) not in tails), lists[0][0]
            )
            merged.append(head)
            lists = [[i for i in one if identity(i) != identity(head)] for one in lists]
            lists = [one for one in lists if one]
        return merged

    return order(found, (identity(found),))
