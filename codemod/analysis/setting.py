"""Attributes that are assigned by a call: ``setattr`` and ``__setattr__``."""

from __future__ import annotations

import ast

#: Calls whose keywords are names that they set: ``patch.multiple(m, f=fake)``.
SETTING = frozenset({"multiple", "dict", "update", "setdefault", "__setitem__"})


def stored_by_call(node: ast.Call) -> tuple[ast.Attribute, ast.expr] | None:
    """The attribute that ``setattr`` or ``__setattr__`` with a literal name assigns.

    ``super().__setattr__("a", v)`` assigns to an object that its text does not name.
    """
    func = node.func
    by_name = isinstance(func, ast.Name) and func.id == "setattr"
    by_method = isinstance(func, ast.Attribute) and func.attr == "__setattr__"
    if not (by_name or by_method) or node.keywords or len(node.args) not in (2, 3):
        return None
    if len(node.args) == 2 and not isinstance(func, ast.Attribute):
        return None
    owner = node.args[0] if len(node.args) == 3 else func
    name, value = node.args[-2:]
    if not (isinstance(name, ast.Constant) and isinstance(name.value, str)):
        return None
    if name.value.startswith("__"):
        return None  # it is not mangled here, as an attribute of that name would be
    target = ast.Attribute(owner, name.value, ast.Store())
    return ast.copy_location(target, node), value
