"""Which exceptions the code around an expression could catch.

A guard is a text: the dotted name of an exception class as the file spells it
(``ValueError``, ``queue.Empty``), ``*`` for a handler that catches everything, or ``?``
for an expression that only running would tell.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Sequence

from codemod.analysis.scopes import Scope, lookup

CATCHES_ALL = "*"
UNKNOWN = "?"

#: The class expression of a handler (None catches all) and the scope it is read in.
#: Names are looked up when the whole file has been seen: a class may be defined below.
Guard = tuple[ast.expr | None, Scope]


def guard_names(guards: tuple[Guard, ...]) -> tuple[str, ...]:
    """The distinct guards as texts, in order."""
    found = [name for node, scope in guards for name in handler_names(node, scope)]
    return tuple(dict.fromkeys(found))


def handler_names(node: ast.expr | None, scope: Scope) -> tuple[str, ...]:
    """The guards that one ``except`` clause makes (reference 8.4.1)."""
    if node is None:
        return (CATCHES_ALL,)
    if isinstance(node, (ast.Tuple, ast.List)):
        return tuple(name for part in node.elts for name in handler_names(part, scope))
    return (_exception_name(node, scope),)


def suppressing(node: ast.expr, scope: Scope) -> tuple[Guard, ...]:
    """The guards that a ``with`` item makes: ``contextlib.suppress``, ``raises``."""
    if not isinstance(node, ast.Call):
        return ()
    func = node.func
    name = func.attr if isinstance(func, ast.Attribute) else getattr(func, "id", "")
    if name not in ("suppress", "raises", "assertRaises", "assertRaisesRegex"):
        return ()
    return tuple((a, scope) for a in node.args if not isinstance(a, ast.Constant))


def leaves(body: Sequence[ast.stmt]) -> bool:
    """Whether a ``finally`` clause may throw the exception away by leaving.

    ``return``, and ``break`` or ``continue`` of a loop around it, do (reference 8.4.4).
    """
    return any(_leaves(statement, in_loop=False) for statement in body)


def _leaves(node: ast.AST, in_loop: bool) -> bool:
    if isinstance(node, ast.Return):
        return True
    if isinstance(node, (ast.Break, ast.Continue)):
        return not in_loop
    if isinstance(
        node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.expr)
    ):
        return False
    if isinstance(node, (ast.For, ast.AsyncFor, ast.While)):
        return any(_leaves(part, True) for part in node.body) or any(
            _leaves(part, in_loop) for part in node.orelse
        )
    return any(_leaves(part, in_loop) for part in ast.iter_child_nodes(node))


def _exception_name(node: ast.expr, scope: Scope) -> str:
    if isinstance(node, ast.Attribute):
        base = _exception_name(node.value, scope)
        return UNKNOWN if base == UNKNOWN else f"{base}.{node.attr}"
    if not isinstance(node, ast.Name):
        return UNKNOWN
    bindings = lookup(node.id, scope)
    if not bindings:
        return node.id if hasattr(builtins, node.id) else UNKNOWN
    if len(bindings) > 1:
        return UNKNOWN
    binding = bindings[0]
    if binding.kind == "import":
        return binding.ref
    if binding.kind == "definition":
        # A class of this file: no builtin exception derives from it.
        return f".{node.id}"
    if binding.kind == "value" and isinstance(binding.node, ast.Tuple):
        parts = handler_names(binding.node, binding.scope)
        return UNKNOWN if UNKNOWN in parts else "|".join(parts)
    return UNKNOWN


def could_catch(guards: tuple[str, ...], raised: str | None) -> bool:
    """Whether one of the guards could catch the builtin exception named ``raised``.

    ``raised`` None means that nobody says what is raised: then every guard could.
    An imported class is taken to be no base of a builtin exception unless it goes by a
    builtin's name: only builtin classes are.
    """
    if not guards:
        return False
    if raised is None:
        return True
    error = getattr(builtins, raised.rpartition(".")[2], None)
    if not isinstance(error, type) or not issubclass(error, BaseException):
        return True
    caught = {base.__name__ for base in error.__mro__}
    for guard in guards:
        for name in guard.split("|"):
            if name in (CATCHES_ALL, UNKNOWN) or name.rpartition(".")[2] in caught:
                return True
    return False
