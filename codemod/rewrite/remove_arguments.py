"""Arguments that nothing takes any more leave a call.

What: the named arguments go, with their commas; the others keep their lines, and the
last one the trailing comma, or none, of the one that was last.

Why: a parameter that nothing reads goes away, and every call passed it something.

Before and after:

    fits(words, config, room=config)        fits(words)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import libcst as cst

from codemod.model import Anchor
from codemod.plan import RemoveArguments
from codemod.rewrite.commas import ended_arguments
from codemod.rewrite.examples import Example
from codemod.rewrite.operations import Ledger, Operation, Replace, Source, StepError

EXAMPLES = (
    Example(
        "fits(words, config, room=config)\n",
        "fits(words)\n",
        (RemoveArguments(Anchor("call", 0), ("1", "room")),),
    ),
    Example(
        "fits(\n    words,  # all\n    config,\n)\n",
        "fits(\n    words,  # all\n)\n",
        (RemoveArguments(Anchor("call", 0), ("1",)),),
    ),
    Example(
        "fits(config, g(words, config))\n",
        "fits(g(words))\n",
        (
            RemoveArguments(Anchor("call", 0), ("0",)),
            RemoveArguments(Anchor("call", 1), ("1",)),
        ),
    ),
)


def operations(
    edits: Sequence[RemoveArguments], source: Source, ledger: Ledger
) -> list[Operation]:
    """Return one replacement for each call."""
    found: list[Operation] = []
    for edit in edits:
        node = source.node(edit.anchor)
        if not isinstance(node, cst.Call):
            raise StepError(edit.anchor, "only a call has arguments")
        there = {argument_key(number, arg) for number, arg in enumerate(node.args)}
        for key in edit.keys:
            if key not in there:
                raise StepError(edit.anchor, f"this call passes no argument {key!r}")
        found.append(Replace(node, _remover(edit)))
    return found


def argument_key(number: int, argument: cst.Arg) -> str:
    """Return the keyword of an argument, or its number as text."""
    return str(number) if argument.keyword is None else argument.keyword.value


def _remover(edit: RemoveArguments) -> Callable[[cst.CSTNode], cst.CSTNode]:
    def make(node: cst.CSTNode) -> cst.CSTNode:
        assert isinstance(node, cst.Call)  # seen to in operations
        kept = [
            argument
            for number, argument in enumerate(node.args)
            if argument_key(number, argument) not in edit.keys
        ]
        if not kept:
            return node.with_changes(
                args=[], whitespace_before_args=cst.SimpleWhitespace("")
            )
        return node.with_changes(args=ended_arguments(kept, node))

    return make
