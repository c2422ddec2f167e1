"""What running a module does: its top level, compiled to the operations of ``ir``.

One pure function from the text of one file to a ``TopLevel``. Functions are not
compiled here: few are called while modules are imported (see ``functions``).
"""

from __future__ import annotations

import ast
import builtins
import re
import sys
from collections.abc import Collection

from codemod.analysis.block_names import names_bound
from codemod.hoist.ir import FunctionRef, Ops, TopLevel
from codemod.hoist.statements import Compiler

BUILTINS = frozenset(dir(builtins)) | {
    "__file__",
    "__name__",
    "__doc__",
    "__spec__",
    "__path__",
    "__package__",
    "__loader__",
    "__builtins__",
    "__annotations__",
    "__class__",
}
STANDARD_LIBRARY = sys.stdlib_module_names | {"__future__"}

_OPAQUE = re.compile(
    r"\bglobals\(\)|\bvars\(\)|\blocals\(\)|\bexec\(|\bsys\.modules\["
    r"|\b__dict__\b|\bsetattr\("
)
_GLOBAL = re.compile(r"^\s+global\s", re.MULTILINE)


def compile_module(
    text: str,
    path: str,
    module: str,
    is_package: bool,
    roots: Collection[str],
    tree: ast.Module | None = None,
) -> TopLevel:
    """What running ``text`` as ``module`` does; raises SyntaxError as ``ast`` does.

    ``roots`` are the top-level names that belong to the project; everything else is
    outside and taken to import well.
    """
    tree = tree or ast.parse(text, path)
    bound = frozenset(names_bound(tree.body))
    compiler = Compiler(
        module=module,
        is_package=is_package,
        roots=roots,
        builtins=BUILTINS - bound,
        lazy_annotations=has_future_annotations(tree),
    )
    compiler.names.plain = set(bound)
    ops = compiler.compile(tree.body)
    late = _late_names(tree) if _GLOBAL.search(text) else frozenset()
    return TopLevel(
        module=module,
        path=path,
        is_package=is_package,
        ops=ops,
        bound=bound,
        opaque=compiler.outside_star or _OPAQUE.search(text) is not None,
        late_names=late,
        external=tuple(compiler.external.items()),
        rebound=_rebound(tree),
    )


def compile_function(
    node: ast.FunctionDef | ast.AsyncFunctionDef,
    ref: FunctionRef,
    unit: TopLevel,
    roots: Collection[str],
    enclosing: Collection[str] = (),
    lazy_annotations: bool = True,
) -> Ops:
    """What one call of ``node`` does; ``unit`` is the module it stands in.

    Every global that it loads is kept: in a module that is still half initialised it
    may not be bound yet. ``enclosing`` are the names of the functions around it, which
    are taken to be bound.
    """
    parameters = _parameters(node)
    declared = {
        name
        for child in ast.walk(node)
        if isinstance(child, (ast.Global, ast.Nonlocal))
        for name in child.names
    }
    local = (set(names_bound(node.body)) | set(parameters)) - declared
    compiler = Compiler(
        module=unit.module,
        is_package=unit.is_package,
        roots=roots,
        builtins=BUILTINS - unit.bound,
        lazy_annotations=lazy_annotations,
        parameters=frozenset(parameters),
        in_function=True,
    )
    compiler.names.plain = local | set(enclosing) | declared
    return compiler.compile(node.body)


def _parameters(node: ast.FunctionDef | ast.AsyncFunctionDef) -> list[str]:
    a = node.args
    every = [*a.posonlyargs, *a.args, *a.kwonlyargs, a.vararg, a.kwarg]
    return [argument.arg for argument in every if argument is not None]


def _rebound(tree: ast.Module) -> dict[str, int]:
    """Names that several statements of the module bind; the line of the last one."""
    seen: set[str] = set()
    found: dict[str, int] = {}
    for node in tree.body:
        if isinstance(node, ast.AugAssign):
            continue
        for name in set(names_bound([node])):
            if name in seen:
                found[name] = node.lineno
            seen.add(name)
    return found


def _late_names(tree: ast.Module) -> frozenset[str]:
    return frozenset(
        name
        for node in ast.walk(tree)
        if isinstance(node, ast.Global)
        for name in node.names
    )


def has_future_annotations(tree: ast.Module) -> bool:
    """Whether annotations are kept as text (PEP 563) and so never evaluated."""
    return any(
        isinstance(node, ast.ImportFrom)
        and node.module == "__future__"
        and any(alias.name == "annotations" for alias in node.names)
        for node in tree.body[:8]
    )


__all__ = [
    "BUILTINS",
    "STANDARD_LIBRARY",
    "compile_function",
    "compile_module",
    "has_future_annotations",
]
