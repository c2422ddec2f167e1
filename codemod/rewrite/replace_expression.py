"""An expression becomes other source text.

What: the whole attribute, call or subscript goes and the text stands in its place, in
the parentheses that were around it. Comments inside it stay, as own lines around it.

Why: a derived member, a probe or the callee of a writer has one name elsewhere; how
many parts it had here does not matter.

Before and after:

    get_config().is_large           is_large()
    rec.override("why", size=3)     get_context().override("why", size=3)
    is_sm100_supported()            get_platform().is_sm100
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import libcst as cst

from codemod.model import Anchor
from codemod.plan import ReplaceExpression
from codemod.rewrite.examples import Example
from codemod.rewrite.operations import Ledger, Operation, Replace, Source, StepError
from codemod.rewrite.whitespace import comments_in, with_comments

EXAMPLES = (
    Example(
        "x = get_config().is_large\n",
        "x = is_large()\n",
        (ReplaceExpression(Anchor("attribute", 0), "is_large()"),),
    ),
    Example(
        "sa.override(  # who\n    'me',\n    size=sa.size,\n)\n",
        "get_context().override(  # who\n    'me',\n    size=sa.size,\n)\n",
        (ReplaceExpression(Anchor("attribute", 0), "get_context().override"),),
    ),
    Example(
        "x = not(\n    is_fast()  # or so\n)\n",
        "x = not(\n    get_platform().is_fast  # or so\n)\n",
        (ReplaceExpression(Anchor("call", 0), "get_platform().is_fast"),),
    ),
    Example(
        "x = (\n    get_config()  # why\n    .is_large  # what\n)\n",
        "x = (\n    # why\n    is_large()  # what\n)\n",
        (ReplaceExpression(Anchor("attribute", 0), "is_large()"),),
    ),
)


def operations(
    edits: Sequence[ReplaceExpression], source: Source, ledger: Ledger
) -> list[Operation]:
    """Return one replacement for each expression."""
    found: list[Operation] = []
    for edit in edits:
        if edit.anchor.kind not in ("attribute", "call", "subscript"):
            raise StepError(edit.anchor, "only an expression can be replaced")
        found.append(Replace(source.node(edit.anchor), _rewriter(edit.text)))
    return found


def _rewriter(text: str) -> Callable[[cst.CSTNode], cst.CSTNode]:
    def make(node: cst.CSTNode) -> cst.CSTNode:
        assert isinstance(node, cst.BaseExpression)  # by the anchor's kind
        new = cst.parse_expression(text)
        lost = comments_in(node.with_changes(lpar=(), rpar=()))
        new = new.with_changes(
            lpar=[*node.lpar, *new.lpar], rpar=[*new.rpar, *node.rpar]
        )
        return with_comments(new, lost)

    return make
