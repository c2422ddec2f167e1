"""What may put something into a stash that no plain assignment shows.

A class may take the assignment of attributes into its own hands (reference 3.3.2,
3.3.3), have its constructor written for it by a decorator or a base (PEP 557, PEP 681,
``typing.NamedTuple``), or fill its objects by computed names and their ``__dict__``.
Tests replace an attribute by its name in a string. Each is an assignment of something
unknown: to one attribute, or to all attributes of the class, spelled ``*``.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemod.analysis.facts import OTHER, AttributeStore
from codemod.analysis.flowing import FileFlow
from codemod.analysis.origins import mangled
from codemod.analysis.scopes import Scope
from codemod.analysis.spelling import last_name
from codemod.analysis.strings import dotted_strings

#: An assignment to what may be any attribute.
ANY = "*"

#: Methods by which objects of a class decide what their attributes are.
_METHODS = frozenset({"__getattribute__", "__setattr__", "__setstate__"})

#: Where an attribute is set before anything can ask for it.
_FIRST = frozenset({"__init__", "__new__", "__post_init__"})

#: Metaclasses that leave the attributes of objects alone.
_PLAIN_METACLASSES = frozenset({"ABCMeta", "type"})

#: Bases that write no constructor.
_PLAIN_BASES = frozenset({"object", "ABC", "Protocol", "Generic"})

#: Methods of a dictionary that put something into it.
_FILLS = frozenset({"update", "setdefault", "__setitem__", "__ior__"})

#: Calls that replace the attribute named by their second argument.
_PATCHES = frozenset({"object", "setattr"})


def opened(flow: FileFlow, text: str) -> Iterator[AttributeStore]:
    """Assignments of something unknown to stashes of the file, by any other way."""
    names = flow.stash_names
    if not names:
        return
    for node, _, inner in flow.walker.classes:
        line = _opens(node)
        if line:
            yield AttributeStore(ANY, inner.path, (OTHER,), line)
        for attribute, at in _asked_for(node, inner, names):
            yield AttributeStore(attribute, inner.path, (OTHER,), at)
        if _has_written_constructor(node):
            for attribute, at in _fields(node, inner, names):
                yield AttributeStore(attribute, inner.path, (OTHER,), at)
    for spot in flow.walker.attributes:
        attribute = mangled(spot.node.attr, spot.scope)
        if type(spot.node.ctx) is ast.Del and attribute in names:
            yield AttributeStore(attribute, "", (OTHER,), spot.node.lineno)
    for spot in flow.walker.calls:
        for attribute in _named_in(spot.node):
            if attribute in names:
                yield AttributeStore(attribute, "", (OTHER,), spot.node.lineno)
    for target in sorted(dotted_strings(text, names)):
        if "." in target:
            yield AttributeStore(target.rpartition(".")[2], "", (OTHER,), 1)
    yield from _keys(flow, names)


def _opens(node: ast.ClassDef) -> int:
    """The line where a class makes its attributes something of its own, or 0."""
    for keyword in node.keywords:
        if keyword.arg in (None, "metaclass") and (
            last_name(keyword.value) not in _PLAIN_METACLASSES
        ):
            return keyword.value.lineno
    for part in node.body:
        if isinstance(part, (ast.FunctionDef, ast.Assign)) and _METHODS & _bound(part):
            return part.lineno
    for each in ast.walk(node):
        if _sets_computed(each) or _fills_dict(each):
            return getattr(each, "lineno", node.lineno)
    return 0


def _bound(node: ast.FunctionDef | ast.Assign) -> set[str]:
    if isinstance(node, ast.FunctionDef):
        return {node.name}
    return {target.id for target in node.targets if isinstance(target, ast.Name)}


def _sets_computed(node: ast.AST) -> bool:
    """``setattr(name, <computed>, value)``, and the same by ``__setattr__``."""
    if not isinstance(node, ast.Call) or len(node.args) < 2:
        return False
    func = node.func
    if isinstance(func, ast.Name) and func.id == "setattr" and len(node.args) == 3:
        owner, key = node.args[0], node.args[1]
    elif isinstance(func, ast.Attribute) and func.attr == "__setattr__":
        owner = node.args[0] if len(node.args) == 3 else func.value
        key = node.args[-2]
    else:
        return False
    return isinstance(owner, ast.Name) and not isinstance(key, ast.Constant)


def _fills_dict(node: ast.AST) -> bool:
    """Whether a node changes, or hands on for change, the ``__dict__`` of an object."""
    if isinstance(node, ast.Call):
        func = node.func
        return (
            isinstance(func, ast.Attribute)
            and func.attr in _FILLS
            and _is_dict(func.value)
        )
    if isinstance(node, ast.Subscript):
        return type(node.ctx) is ast.Store and _is_dict(node.value)
    if isinstance(node, ast.Attribute):
        return type(node.ctx) is ast.Store and node.attr == "__dict__"
    if isinstance(node, (ast.Assign, ast.AnnAssign, ast.NamedExpr)):
        return node.value is not None and _is_dict(node.value)
    return False


def _is_dict(node: ast.expr) -> bool:
    """``name.__dict__`` or ``vars(name)``."""
    if isinstance(node, ast.Attribute):
        return node.attr == "__dict__" and isinstance(node.value, ast.Name)
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "vars"
        and len(node.args) == 1
        and isinstance(node.args[0], ast.Name)
    )


def _asked_for(
    node: ast.ClassDef, inner: Scope, names: frozenset[str]
) -> Iterator[tuple[str, int]]:
    """Stashes that ``__getattr__`` may answer for: those not set from the start."""
    methods = [p for p in node.body if isinstance(p, ast.FunctionDef)]
    asked = [p for p in methods if p.name == "__getattr__"]
    if not asked:
        return
    first = [
        part
        for method in methods
        if method.name in _FIRST
        for part in ast.walk(method)
        if isinstance(part, ast.Attribute)
    ]
    early = {mangled(part.attr, inner) for part in first}
    for name in sorted(names - early):
        yield name, asked[0].lineno


def _has_written_constructor(node: ast.ClassDef) -> bool:
    """Whether something else may have written the constructor of a class."""
    for part in node.body:
        if isinstance(part, ast.FunctionDef) and part.name == "__init__":
            return part.args.kwarg is not None
    bases = [b.value if isinstance(b, ast.Subscript) else b for b in node.bases]
    return bool(node.decorator_list) or any(
        last_name(b) not in _PLAIN_BASES for b in bases
    )


def _fields(
    node: ast.ClassDef, inner: Scope, names: frozenset[str]
) -> Iterator[tuple[str, int]]:
    """The annotated names of a class body that a constructor may be given."""
    for part in node.body:
        if not isinstance(part, ast.AnnAssign) or not isinstance(part.target, ast.Name):
            continue
        name = mangled(part.target.id, inner)
        if name in names and not _is_of_class(part.annotation):
            yield name, part.lineno


def _is_of_class(note: ast.expr) -> bool:
    """Whether an annotation says ``ClassVar``: no constructor takes it (PEP 526)."""
    if isinstance(note, ast.Constant):
        return "ClassVar" in str(note.value)
    part = note.value if isinstance(note, ast.Subscript) else note
    return last_name(part) == "ClassVar"


def _named_in(node: ast.Call) -> Iterator[str]:
    """Attributes that a call replaces by their names in strings or keywords."""
    func = node.func
    if not isinstance(func, ast.Attribute):
        return
    if func.attr in _PATCHES and len(node.args) >= 2:
        key = node.args[1]
        if isinstance(key, ast.Constant) and isinstance(key.value, str):
            yield key.value
    elif func.attr in _FILLS and _is_dict(func.value):
        for keyword in node.keywords:
            yield keyword.arg or ""
        for argument in node.args:
            if isinstance(argument, ast.Dict):
                yield from (
                    key.value
                    for key in argument.keys
                    if isinstance(key, ast.Constant) and isinstance(key.value, str)
                )


def _keys(flow: FileFlow, names: frozenset[str]) -> Iterator[AttributeStore]:
    """``vars(x)["name"] = …`` of an object of unknown class."""
    for spot, _ in flow.walker.stored_items:
        node = spot.node
        key = node.slice
        if (
            _is_dict(node.value)
            and isinstance(key, ast.Constant)
            and isinstance(key.value, str)
            and key.value in names
        ):
            yield AttributeStore(key.value, "", (OTHER,), node.lineno)
