"""Assignments whose target nothing reads any more go away.

What: the statement, not its line: other statements on the line stay, own-line comments
above it stay, and a trailing comment stays as an own line unless it is a pragma.

Why: an alias of the record has no use once its reads take a namespace. A comment about
it may still be about what follows; only a person can tell.

Before and after:

    def f():                                def f():
        sa = get_server_args()                  return get_exec().backend
        return sa.backend
"""

from __future__ import annotations

from collections.abc import Sequence

from codemod.model import Anchor
from codemod.plan import RemoveStatement
from codemod.rewrite.examples import Example
from codemod.rewrite.operations import Ledger, Operation, Remove, Source, StepError

EXAMPLES = (
    Example(
        "def f():\n    sa = get()\n    return 1\n",
        "def f():\n    return 1\n",
        (RemoveStatement(Anchor("assign", 0)),),
    ),
    Example(
        "def f():\n    # The record.\n    sa = get()  # noqa: F841\n",
        "def f():\n    # The record.\n    pass\n",
        (RemoveStatement(Anchor("assign", 0)),),
    ),
    Example(
        "a = 1; sa = get(); b = 2\n",
        "a = 1; b = 2\n",
        (RemoveStatement(Anchor("assign", 1)),),
    ),
)


def operations(
    edits: Sequence[RemoveStatement], source: Source, ledger: Ledger
) -> list[Operation]:
    """Return one removal for each edit."""
    for edit in edits:
        if edit.anchor.kind != "assign":
            raise StepError(edit.anchor, "only an assignment can be removed")
    return [Remove(source.node(edit.anchor)) for edit in edits]
