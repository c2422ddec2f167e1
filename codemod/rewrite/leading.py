"""The leading block of a module: what runs before any code of the module can.

An import that stands in it is bound before anything in this module reads the name,
also when other code stands between the imports. Code of the module runs when something
calls a function it defined, so a statement ends the leading block when, while the
module is executed, it could reach such a function:

- it names a function, class or lambda that the module has defined so far;
- it is a ``def`` with a decorator, or with a call among its defaults or annotations;
- it is a ``class`` with bases, keywords or decorators (they are handed the class), or
  with such a statement in its body;
- it holds one of the reads that are about to be rewritten, and is executed now.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import libcst as cst

from codemod.rewrite.anchors import children, walk

_Scoped = (cst.FunctionDef, cst.ClassDef, cst.Lambda)


def leading_length(
    body: Sequence[cst.BaseStatement], reads: Iterable[cst.CSTNode]
) -> int:
    """Return how many statements of a module belong to its leading block."""
    read_ids = {id(read) for read in reads}
    defined: set[str] = set()
    for index, statement in enumerate(body):
        if _may_run(statement, defined, read_ids):
            return index
    return len(body)


def _may_run(node: cst.CSTNode, defined: set[str], reads: set[int]) -> bool:
    """Tell whether executing ``node`` could run code of the module.

    Adds what ``node`` defines to ``defined``.
    """
    if isinstance(node, cst.FunctionDef):
        defined.add(node.name.value)
        executed = [node.params, *([node.returns] if node.returns else [])]
        return bool(node.decorators) or any(
            isinstance(inner, cst.Call) or id(inner) in reads
            for part in executed
            for inner in walk(part)
        )
    if isinstance(node, cst.ClassDef):
        defined.add(node.name.value)
        if node.decorators or node.bases or node.keywords:
            return True
        return any(_may_run(part, defined, reads) for part in node.body.body)
    if isinstance(node, (cst.Import, cst.ImportFrom)):
        return False
    if id(node) in reads:
        return True
    if isinstance(node, cst.Name):
        return node.value in defined
    if isinstance(node, cst.Assign) and isinstance(node.value, cst.Lambda):
        defined.update(
            part.value
            for target in node.targets
            for part in walk(target)
            if isinstance(part, cst.Name)
        )
        return False
    if isinstance(node, cst.Lambda):
        # Handed to something, or kept where no name tells.
        return True
    return any(_may_run(child, defined, reads) for child in children(node))
