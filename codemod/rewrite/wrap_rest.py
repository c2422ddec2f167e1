"""A call that holds for the rest of a function becomes a ``with`` around that rest.

What: the statement goes, and all that follows it in its block is indented under
``with <text>:``.

Why: ``monkeypatch.setattr`` holds until the test ends; a scoped override has to be told
where its scope ends.

Before and after:

    def test_it(monkeypatch):               def test_it(monkeypatch):
        monkeypatch.setattr(m, "fast", …)       with override(fast=True):
        check()                                     check()
"""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from codemod.model import Anchor
from codemod.plan import WrapRest
from codemod.rewrite.examples import Example
from codemod.rewrite.operations import Enclose, Ledger, Operation, Source, StepError

EXAMPLES = (
    Example(
        "def test_it(m):\n    a()\n    # Why.\n    m.setattr(x, 'y', f)\n"
        "    b()\n\n    c()  # last\n",
        "def test_it(m):\n    a()\n    # Why.\n    with over(y=1):\n"
        "        b()\n\n        c()  # last\n",
        (WrapRest(Anchor("call", 1), "over(y=1)"),),
    ),
    Example(
        "def test_it(m):\n    m.setattr(x, 'y', f)\n    m.setattr(x, 'z', f)\n"
        "    b()\n",
        "def test_it(m):\n    with over(y=1):\n        with over(z=2):\n"
        "            b()\n",
        (
            WrapRest(Anchor("call", 0), "over(y=1)"),
            WrapRest(Anchor("call", 1), "over(z=2)"),
        ),
    ),
)


def operations(
    edits: Sequence[WrapRest], source: Source, ledger: Ledger
) -> list[Operation]:
    """Return one enclosing for each statement."""
    found: list[Operation] = []
    for edit in edits:
        node = source.node(edit.anchor)
        statement = source.parent(node)
        line = None if statement is None else source.parent(statement)
        if not (
            isinstance(statement, cst.Expr)
            and isinstance(line, cst.SimpleStatementLine)
            and len(line.body) == 1
        ):
            problem = "only a call that has a line of its own can enclose the rest"
            raise StepError(edit.anchor, problem)
        found.append(Enclose(statement, cst.parse_expression(edit.text)))
    return found
