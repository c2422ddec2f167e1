"""The small language that module top levels are compiled to, and run in.

A module's top level is a tuple of operations; so is the body of a function that is
called while modules are being imported. Only what can change the outcome of an import
is left of the source: imports, bindings, uses of names that come from the project,
calls of the project's own functions, branches and exception handlers.

An operation is a tuple whose first item is one of the ``OP_*`` codes, an expression a
tuple that starts with one of the ``EX_*`` codes or None for one whose evaluation
cannot matter, a condition one of the ``Condition`` shapes. Plain tuples, because a
project of thousands of modules is executed thousands of times.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

Op = tuple[Any, ...]
Ops = tuple[Op, ...]
Expr = tuple[Any, ...] | None
Condition = tuple[Any, ...]

OP_BIND: Final = 0  # (op, line, {name: value})
OP_IMPORT: Final = 1  # (op, line, site, module, bound, has_as)
OP_FROM: Final = 2  # (op, line, site, module, ((name, bound), ...))
OP_STAR: Final = 3  # (op, line, module)
OP_EVAL: Final = 4  # (op, line, expr)
OP_ASSIGN: Final = 5  # (op, line, names, expr)
OP_IF: Final = 6  # (op, line, condition, body, orelse, body_names, orelse_names)
OP_TRY: Final = 7  # (op, line, body, ((catches, ops), ...), orelse, final, names)
OP_CLASS: Final = 8  # (op, line, name, bases, metaclass, decorators, body, ref)
OP_DELETE: Final = 9  # (op, line, names)
OP_RAISE: Final = 10  # (op, line, exception name)
OP_LOOP: Final = 11  # (op, line, body, names)
OP_RETURN: Final = 12  # (op, line, expr)
OP_SET_ATTRIBUTE: Final = 13  # (op, line, expr, attribute, expr)
OP_ALL: Final = 14  # (op, line, mode, names or None, expr)
OP_EXTERNAL: Final = 15  # (op, line, module): may be missing; inside a try
OP_DECORATE: Final = 16  # (op, line, function, decorators)

EX_NAME: Final = 0  # (code, name)
EX_ATTRIBUTE: Final = 1  # (code, expr, attribute)
EX_CALL: Final = 2  # (code, function, arguments, first literal string or None)
EX_SEQUENCE: Final = 3  # (code, exprs): all are evaluated, the result is unknown
EX_MAYBE: Final = 4  # (code, test, exprs): ``a if test else b``, ``a and b``
EX_GETATTR: Final = 5  # (code, expr, attribute): with a default, never fails
EX_IMPORT: Final = 6  # (code, module): import_module("a.b")

# Conditions: (CO_KNOWN, bool), (CO_UNKNOWN,), (CO_NOT, c), (CO_AND, cs), (CO_OR, cs),
# (CO_PARAMETER, name, strings): a parameter compared with literal strings.
CO_KNOWN: Final = 0
CO_UNKNOWN: Final = 1
CO_NOT: Final = 2
CO_AND: Final = 3
CO_OR: Final = 4
CO_PARAMETER: Final = 5

CATCHES: Final[Mapping[str, frozenset[str]]] = {
    name: frozenset(caught)
    for name, caught in {
        "ImportError": ("ImportError", "ModuleNotFoundError"),
        "ModuleNotFoundError": ("ModuleNotFoundError",),
        "AttributeError": ("AttributeError",),
        "NameError": ("NameError",),
        "RuntimeError": ("RecursionError", "RuntimeError"),
        "RecursionError": ("RecursionError",),
    }.items()
}
"""Which failures a handler for an exception class catches (the class hierarchy)."""


@dataclass(frozen=True, slots=True)
class FunctionRef:
    """A function of the project, as a value. ``line`` is that of its ``def``.

    ``runs`` is false for a coroutine: calling it runs no code yet.
    """

    module: str
    line: int
    column: int
    name: str
    runs: bool = True


@dataclass(frozen=True, slots=True, eq=False)
class ClassRef:
    """A class of the project, as a value; its methods by name."""

    module: str
    line: int
    name: str
    methods: Mapping[str, FunctionRef] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class InstanceRef:
    """An object made by calling a class of the project."""

    of: ClassRef


@dataclass(frozen=True, slots=True)
class TopLevel:
    """What running one module does.

    ``opaque`` is true where names may be bound in ways that the source does not show
    (``globals()[...] =``, ``exec``, a star import from outside the project): a missing
    name of such a module proves nothing. ``late_names`` are bound by functions through
    ``global``. ``external`` are the top-level names of packages outside the project
    that running it imports on some branch, in order, each with its first line.
    ``rebound`` are names that several of its statements bind, with the last one's line.
    """

    module: str
    path: str
    is_package: bool
    ops: Ops
    bound: frozenset[str]
    opaque: bool = False
    late_names: frozenset[str] = frozenset()
    external: tuple[tuple[str, int], ...] = ()
    rebound: Mapping[str, int] = field(default_factory=dict)
