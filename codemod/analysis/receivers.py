"""Which classes the object under an attribute of ``self`` may be of.

``self.engine.config`` is what the class of the engine puts there. That class is read
off where the class around binds ``self.engine``: from an annotation, from that of the
parameter that is assigned, or from the class that is called. What a class binds in
another file is not looked for.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Callable, Iterable

from codemod.analysis.block_names import statements

#: Annotation and value of one binding; None for what it does not have.
Bound = tuple[ast.expr | None, ast.expr | None]


def class_refs(
    bindings: Iterable[Bound],
    annotated: Callable[[ast.expr], Iterable[str]],
    called: Callable[[ast.expr], Iterable[str]],
) -> frozenset[str]:
    """The dotted names that say of what class an attribute with ``bindings`` is.

    ``annotated`` gives the names in an annotation, ``called`` those of what is called.
    """
    found: set[str] = set()
    for note, value in bindings:
        if note is not None:
            found.update(annotated(note))
        if isinstance(value, ast.Call):
            found.update(called(value.func))
    return frozenset(found)


def attribute_bindings(node: ast.ClassDef) -> dict[str, list[Bound]]:
    """Every binding of every attribute that a class gives its ``self``, by name."""
    found: dict[str, list[Bound]] = defaultdict(list)
    for part in node.body:
        if isinstance(part, ast.AnnAssign):
            if isinstance(part.target, ast.Name):
                found[part.target.id].append((part.annotation, part.value))
        elif isinstance(part, ast.Assign):
            for target in part.targets:
                if isinstance(target, ast.Name):
                    found[target.id].append((None, part.value))
        elif isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef)):
            _add_method(part, found)
    return dict(found)


def _add_method(
    method: ast.FunctionDef | ast.AsyncFunctionDef, found: dict[str, list[Bound]]
) -> None:
    arguments = [*method.args.posonlyargs, *method.args.args]
    if not arguments:
        return
    own = arguments[0].arg
    notes = {a.arg: a.annotation for a in (*arguments, *method.args.kwonlyargs)}
    for part in statements(method.body):
        if isinstance(part, ast.AnnAssign):
            name = _own(part.target, own)
            if name:
                found[name].append((part.annotation, part.value))
        elif isinstance(part, ast.Assign):
            value = part.value
            note = notes.get(value.id) if isinstance(value, ast.Name) else None
            for target in part.targets:
                name = _own(target, own)
                if name:
                    found[name].append((note, value))


def _own(node: ast.expr, own: str) -> str:
    """The attribute of ``self`` that a target is, or ""."""
    if (
        isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id == own
    ):
        return node.attr
    return ""
