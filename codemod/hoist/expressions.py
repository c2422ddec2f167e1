"""Expressions, cut down to what can matter while modules are being imported."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from codemod.hoist.ir import (
    EX_ATTRIBUTE,
    EX_CALL,
    EX_GETATTR,
    EX_IMPORT,
    EX_MAYBE,
    EX_NAME,
    EX_SEQUENCE,
    Expr,
)

_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


@dataclass
class Names:
    """Which names of the scope being compiled are followed, and which cannot matter.

    A name is followed when it may hold a module, function, class or object of the
    project, or when it may be unbound. ``plain`` are the others: bound in this scope to
    something that no import can change.
    """

    followed: set[str] = field(default_factory=set)
    plain: set[str] = field(default_factory=set)
    follow_unknown: bool = True
    builtins: frozenset[str] = frozenset()
    walrus: list[str] = field(default_factory=list)

    def follows(self, name: str) -> bool:
        """Whether loading ``name`` is an operation worth keeping."""
        if name in self.followed:
            return True
        return (
            self.follow_unknown and name not in self.plain and name not in self.builtins
        )


def compile_expression(node: ast.expr | None, names: Names) -> Expr:
    """``node`` as an expression of ``ir``, or None when evaluating it cannot matter."""
    if node is None or isinstance(node, ast.Constant):
        return None
    if isinstance(node, ast.Name):
        return (EX_NAME, node.id) if names.follows(node.id) else None
    if isinstance(node, ast.Attribute):
        base = compile_expression(node.value, names)
        return None if base is None else (EX_ATTRIBUTE, base, node.attr)
    if isinstance(node, ast.Call):
        return _call(node, names)
    if isinstance(node, ast.Lambda):
        return sequence(
            compile_expression(default, names)
            for default in [*node.args.defaults, *node.args.kw_defaults]
        )
    if isinstance(node, ast.BoolOp):
        first, *rest = (compile_expression(value, names) for value in node.values)
        return _maybe(first, rest)
    if isinstance(node, ast.IfExp):
        test = compile_expression(node.test, names)
        branches = [compile_expression(n, names) for n in (node.body, node.orelse)]
        return _maybe(test, branches)
    if isinstance(node, ast.NamedExpr):
        names.walrus.append(node.target.id)
        return compile_expression(node.value, names)
    if isinstance(node, _COMPREHENSIONS):
        return _comprehension(node, names)
    return sequence(
        compile_expression(child, names)
        for child in ast.iter_child_nodes(node)
        if isinstance(child, (ast.expr, ast.keyword))
        for child in [child.value if isinstance(child, ast.keyword) else child]
    )


def sequence(parts: object) -> Expr:
    """All of ``parts``, evaluated in order for their effect; None when none matters."""
    kept = tuple(part for part in parts if part is not None)  # type: ignore[attr-defined]
    return (EX_SEQUENCE, kept) if kept else None


def _maybe(first: Expr, rest: list[Expr]) -> Expr:
    kept = tuple(part for part in rest if part is not None)
    if not kept:
        return sequence([first])
    return (EX_MAYBE, first, kept)


def _call(node: ast.Call, names: Names) -> Expr:
    function, arguments = node.func, node.args
    if isinstance(function, ast.Name) and len(arguments) >= 2:
        literal = arguments[1]
        if function.id in ("getattr", "hasattr") and isinstance(literal, ast.Constant):
            base = compile_expression(arguments[0], names)
            if base is None:
                return None
            careful = function.id == "hasattr" or len(arguments) > 2
            code = EX_GETATTR if careful else EX_ATTRIBUTE
            return (code, base, str(literal.value))
    if _is_import_module(function) and len(arguments) == 1:
        literal = arguments[0]
        if isinstance(literal, ast.Constant) and isinstance(literal.value, str):
            return (EX_IMPORT, literal.value)
    called = compile_expression(function, names)
    values = [compile_expression(a, names) for a in arguments]
    values += [compile_expression(k.value, names) for k in node.keywords]
    if called is None:
        return sequence(values)
    first = arguments[0] if arguments else None
    text = first.value if isinstance(first, ast.Constant) else None
    kept = tuple(value for value in values if value is not None)
    return (EX_CALL, called, kept, text if isinstance(text, str) else None)


def _is_import_module(function: ast.expr) -> bool:
    if isinstance(function, ast.Attribute):
        return function.attr == "import_module"
    return isinstance(function, ast.Name) and function.id in (
        "import_module",
        "__import__",
    )


def _comprehension(node: ast.expr, names: Names) -> Expr:
    """Its parts in the order they run; its own variables are never followed.

    A generator expression runs only its first iterable at once (6.2.8), but it is
    nearly always consumed on the spot, so its body counts as run.
    """
    targets = {
        name.id
        for generator in node.generators  # type: ignore[attr-defined]
        for name in ast.walk(generator.target)
        if isinstance(name, ast.Name)
    }
    inner = Names(
        names.followed - targets,
        names.plain | targets,
        names.follow_unknown,
        names.builtins,
        names.walrus,
    )
    generators = node.generators  # type: ignore[attr-defined]
    parts = [compile_expression(generators[0].iter, names)]
    for generator in generators[1:]:
        parts.append(compile_expression(generator.iter, inner))
    for generator in generators:
        parts.extend(compile_expression(test, inner) for test in generator.ifs)
    if isinstance(node, ast.DictComp):
        parts.append(compile_expression(node.key, inner))
        parts.append(compile_expression(node.value, inner))
    else:
        parts.append(compile_expression(node.elt, inner))  # type: ignore[attr-defined]
    return sequence(parts)
