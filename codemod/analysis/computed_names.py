"""Names that a program computes and asks an object for.

``getattr(self, "do_" + command)(record)`` calls methods that no call names. What is
known of such a name is how it begins and ends, and what is asked for it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from codemod.analysis.spelling import last_name

#: Words without which a file computes no names, for a plain search.
WORDS = (
    *(b"getattr", b"attrgetter", b"methodcaller", b"__getattribute__", b"getmembers"),
    *(b"globals(", b"locals(", b"vars(", b"dir(", b"__dict__"),
)

_ASKING = frozenset({"getattr", "attrgetter", "methodcaller", "__getattribute__"})
_LISTING = frozenset({"dir", "getmembers", "getmembers_static"})


@dataclass(frozen=True, slots=True, order=True)
class ComputedName:
    """A name that begins with ``start`` and ends with ``end``, both maybe empty.

    ``base`` is what is asked for it: ``self`` (with ``owner``, the path of its class),
    ``globals``, a dotted expression as the file spells it, or "" for anything else.
    ``called`` says that what is found is called where it is asked for.
    """

    start: str
    end: str
    base: str
    owner: str
    called: bool

    def matches(self, name: str) -> bool:
        """Whether it may be this name."""
        return (
            len(name) >= len(self.start) + len(self.end)
            and name.startswith(self.start)
            and name.endswith(self.end)
        )

    @property
    def says_nothing(self) -> bool:
        """Whether it may be any name."""
        return not (self.start or self.end)


def computed_names(tree: ast.AST) -> frozenset[ComputedName]:
    """Every computed name that a file asks an object or a module for."""
    return frozenset(_found(tree, ""))


def _found(tree: ast.AST, owner: str) -> Iterator[ComputedName]:
    called = {
        id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)
    } | _called_later(tree)
    stack: list[tuple[ast.AST, str]] = [(tree, owner)]
    while stack:
        node, owner = stack.pop()
        if isinstance(node, ast.Call):
            yield from _of_call(node, owner, id(node) in called)
        elif isinstance(node, ast.Subscript):
            kind = _namespace(node.value, owner)
            if kind is not None and not isinstance(node.slice, ast.Constant):
                start, end = _ends(node.slice)
                yield ComputedName(start, end, *kind, id(node) in called)
        if isinstance(node, ast.ClassDef):
            inner = f"{owner}.{node.name}" if owner else node.name
            stack += [(child, inner) for child in ast.iter_child_nodes(node)]
        else:
            stack += [(child, owner) for child in ast.iter_child_nodes(node)]


def _of_call(node: ast.Call, owner: str, called: bool) -> Iterator[ComputedName]:
    name = last_name(node.func)
    if name in _ASKING:
        place = 1 if name == "getattr" else 0
        if len(node.args) > place and not isinstance(node.args[place], ast.Constant):
            start, end = _ends(node.args[place])
            base = ("", "")
            if name == "getattr":
                base = _base(node.args[0], owner)
            yield ComputedName(start, end, *base, called or name == "methodcaller")
    elif name in _LISTING and node.args:
        yield ComputedName("", "", *_base(node.args[0], owner), False)
    elif name in ("items", "values", "get", "pop") and isinstance(
        node.func, ast.Attribute
    ):
        kind = _namespace(node.func.value, owner)
        if kind is None:
            return
        if name in ("items", "values"):
            yield ComputedName("", "", *kind, False)
        elif node.args and not isinstance(node.args[0], ast.Constant):
            yield ComputedName(*_ends(node.args[0]), *kind, called)


def _called_later(tree: ast.AST) -> set[int]:
    """ids of values bound to a name that the file calls somewhere."""
    names = {
        node.func.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign):
            targets: list[ast.expr] = node.targets
        elif isinstance(node, ast.NamedExpr):
            targets = [node.target]
        else:
            continue
        if any(isinstance(t, ast.Name) and t.id in names for t in targets):
            found.add(id(node.value))
    return found


def _namespace(node: ast.expr, owner: str) -> tuple[str, str] | None:
    """What ``globals()``, ``vars(x)`` or ``x.__dict__`` holds the names of."""
    if isinstance(node, ast.Call):
        name = last_name(node.func)
        if name == "globals" or (name in ("vars", "locals") and not node.args):
            return "globals", ""
        if name == "vars":
            return _base(node.args[0], owner)
    if isinstance(node, ast.Attribute) and node.attr == "__dict__":
        return _base(node.value, owner)
    return None


def _base(node: ast.expr, owner: str) -> tuple[str, str]:
    if isinstance(node, ast.Name) and node.id in ("self", "cls") and owner:
        return "self", owner
    if isinstance(node, ast.Call) and last_name(node.func) in ("type", "super"):
        return ("self", owner) if owner else ("", "")
    part = node
    while isinstance(part, ast.Attribute):
        part = part.value
    if isinstance(part, ast.Name):
        return ast.unparse(node), ""
    if isinstance(node, ast.Subscript) and "sys.modules" in ast.unparse(node):
        return "globals", ""
    return "", ""


def _ends(node: ast.expr) -> tuple[str, str]:
    """What an expression of text is known to begin and to end with."""
    if isinstance(node, ast.JoinedStr) and node.values:
        return _text(node.values[0]), _text(node.values[-1])
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        start = _text(node.left) or _ends(node.left)[0]
        return start, _text(node.right) or _ends(node.right)[1]
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
        text = _text(node.left)
        if "%" in text:
            return text.partition("%")[0], text.rpartition("%")[2][1:]
    if (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "format"
    ):
        text = _text(node.func.value)
        if "{" in text:
            return text.partition("{")[0], text.rpartition("}")[2]
    return "", ""


def _text(node: ast.expr) -> str:
    value = node.value if isinstance(node, ast.Constant) else ""
    return value if isinstance(value, str) else ""
