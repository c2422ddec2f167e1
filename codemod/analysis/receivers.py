"""Which classes the object under an attribute of ``self`` may be of.

``self.engine.config`` is what the class of the engine puts there. That class is read
off where the class around binds ``self.engine``: from an annotation, from that of the
parameter that is assigned, or from the class that is called. What a class binds in
another file is not looked for.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator

Function = (ast.FunctionDef, ast.AsyncFunctionDef)


def class_refs(
    node: ast.ClassDef,
    attribute: str,
    annotated: Callable[[ast.expr], Iterable[str]],
    called: Callable[[ast.expr], Iterable[str]],
) -> frozenset[str]:
    """The dotted names that say what ``self.<attribute>`` of a class is.

    ``annotated`` gives the names in an annotation, ``called`` those of what is called.
    """
    found: set[str] = set()
    for note, value in _bindings(node, attribute):
        if note is not None:
            found.update(annotated(note))
        if isinstance(value, ast.Call):
            found.update(called(value.func))
    return frozenset(found)


def _bindings(
    node: ast.ClassDef, attribute: str
) -> Iterator[tuple[ast.expr | None, ast.expr | None]]:
    """Annotation and value of each binding of the attribute in a class."""
    for part in node.body:
        if isinstance(part, ast.AnnAssign) and _is_name(part.target, attribute):
            yield part.annotation, part.value
        elif isinstance(part, ast.Assign):
            if any(_is_name(target, attribute) for target in part.targets):
                yield None, part.value
        elif isinstance(part, Function):
            yield from _in_method(part, attribute)


def _in_method(
    method: ast.FunctionDef | ast.AsyncFunctionDef, attribute: str
) -> Iterator[tuple[ast.expr | None, ast.expr | None]]:
    arguments = [*method.args.posonlyargs, *method.args.args]
    if not arguments:
        return
    own = arguments[0].arg
    notes = {a.arg: a.annotation for a in (*arguments, *method.args.kwonlyargs)}
    for part in ast.walk(method):
        if isinstance(part, ast.AnnAssign) and _is_own(part.target, own, attribute):
            yield part.annotation, part.value
        elif isinstance(part, ast.Assign) and any(
            _is_own(target, own, attribute) for target in part.targets
        ):
            value = part.value
            yield notes.get(value.id) if isinstance(value, ast.Name) else None, value


def _is_name(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _is_own(node: ast.expr, own: str, attribute: str) -> bool:
    return (
        isinstance(node, ast.Attribute)
        and node.attr == attribute
        and _is_name(node.value, own)
    )
