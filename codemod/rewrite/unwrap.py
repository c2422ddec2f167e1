"""Bindings that nothing reads lose their name and keep their value.

What: ``name = value`` becomes the statement ``value``, and ``(name := value)`` the
expression ``value``.

Why: a value that fails until something is published must still fail there, where a
handler waits for it; and a walrus stands in an expression that needs its value.

Before and after:

    try:                                    try:
        sa = get_server_args()                  get_server_args()
    except ValueError:                      except ValueError:
        return None                             return None

    use((sa := get()), 1)                   use(get(), 1)
"""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from codemod.model import Anchor
from codemod.plan import UnwrapStatement, UnwrapWalrus
from codemod.rewrite.examples import Example
from codemod.rewrite.operations import Ledger, Operation, Replace, Source, StepError
from codemod.rewrite.whitespace import comments_in, spans_lines, with_comments

EXAMPLES = (
    Example(
        "try:\n    sa = get()  # may fail\nexcept ValueError:\n    pass\n",
        "try:\n    get()  # may fail\nexcept ValueError:\n    pass\n",
        (UnwrapStatement(Anchor("assign", 0)),),
    ),
    Example(
        "use((sa := get()), 1)\n",
        "use(get(), 1)\n",
        (UnwrapWalrus(Anchor("walrus", 0)),),
    ),
    Example(
        "if (sa := get() or other()).x: pass\n",
        "if (get() or other()).x: pass\n",
        (UnwrapWalrus(Anchor("walrus", 0)),),
    ),
)

# Expressions that bind as tightly as a name: they need no parentheses anywhere.
_ATOMS = (cst.Name, cst.Attribute, cst.Call, cst.Subscript)


def statements(
    edits: Sequence[UnwrapStatement], source: Source, ledger: Ledger
) -> list[Operation]:
    """Return one replacement for each binding statement."""
    found: list[Operation] = []
    for edit in edits:
        node = source.node(edit.anchor)
        if not isinstance(node, (cst.Assign, cst.AnnAssign)) or node.value is None:
            raise StepError(edit.anchor, "this statement binds no value to unwrap")
        found.append(Replace(node, _statement))
    return found


def walruses(
    edits: Sequence[UnwrapWalrus], source: Source, ledger: Ledger
) -> list[Operation]:
    """Return one replacement for each ``:=``."""
    found: list[Operation] = []
    for edit in edits:
        node = source.node(edit.anchor)
        if not isinstance(node, cst.NamedExpr):
            raise StepError(edit.anchor, "this is no `:=`")
        found.append(Replace(node, _walrus))
    return found


def _statement(node: cst.CSTNode) -> cst.CSTNode:
    assert isinstance(node, (cst.Assign, cst.AnnAssign))
    assert node.value is not None  # seen to in statements
    parts = [node.annotation] if isinstance(node, cst.AnnAssign) else node.targets
    value = with_comments(node.value, comments_in(*parts))
    return cst.Expr(value, semicolon=node.semicolon)


def _walrus(node: cst.CSTNode) -> cst.CSTNode:
    """Return the value, in the parentheses of the walrus where they are of use.

    An operator needs them, and so does a line break a person put inside them.
    """
    assert isinstance(node, cst.NamedExpr)
    value = node.value
    spaces = [
        *(opening.whitespace_after for opening in node.lpar),
        *(closing.whitespace_before for closing in node.rpar),
    ]
    is_safe = isinstance(value, _ATOMS) or value.lpar
    if not is_safe or any(map(spans_lines, spaces)):
        value = value.with_changes(
            lpar=[*node.lpar, *value.lpar], rpar=[*value.rpar, *node.rpar]
        )
    lost = (
        node.target,
        node.whitespace_before_walrus,
        node.whitespace_after_walrus,
    )
    return with_comments(value, comments_in(*lost))
