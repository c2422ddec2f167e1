"""Functions that a call hands on, for something else to run."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemod.analysis.spelling import last_name

#: Callables that run their ``target`` later, by the last part of their name.
_TARGETS = {"Thread": "thread", "Timer": "thread", "Process": "process"}
_SUBMITTING = frozenset({"submit", "run_in_executor", "apply_async", "to_thread"})
#: Callables that call their first argument on what they are given besides.
_APPLYING = frozenset({"map", "filter", "reduce", "starmap", "imap", "imap_unordered"})


def handed(node: ast.Call) -> Iterator[tuple[ast.expr, str]]:
    """The functions that a call hands on, and to what: ``Thread(target=f)``."""
    name = last_name(node.func)
    target: ast.expr | None = None
    kind = _TARGETS.get(name, "thread")
    if name in _TARGETS:
        wanted = "function" if name == "Timer" else "target"
        target = next((k.value for k in node.keywords if k.arg == wanted), None)
        if target is None and len(node.args) > 1:
            target = node.args[1]
    elif name in _SUBMITTING and node.args:
        place = 1 if name == "run_in_executor" and len(node.args) > 1 else 0
        target = node.args[place]
    elif name in _APPLYING and node.args:
        target, kind = node.args[0], "call"
    if target is not None:
        yield _applied(target), kind
    for keyword in node.keywords:
        if keyword.arg == "key":
            yield _applied(keyword.value), "call"


def _applied(target: ast.expr) -> ast.expr:
    """The function that ``partial(f, ...)`` runs: f."""
    while isinstance(target, ast.Call) and target.args:
        if last_name(target.func) != "partial":
            break
        target = target.args[0]
    return target
