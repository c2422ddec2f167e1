"""A call that is a statement becomes two: some keywords go to another function.

What: the named keywords leave the call and go to one of ``callee``, which stands right
before or after it. What both need is bound to a local name first, and so is whatever
may not be evaluated later than it was, in the order it had.

Why: a writer that writes a field of the record and one of a namespace is two writes.

Before and after:

    rec.override("op", size=n, kept=1)      get_context().override("op", size=n)
                                            rec.override("op", kept=1)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import libcst as cst

from codemod.model import Anchor
from codemod.plan import SplitCall
from codemod.rewrite.commas import ended_arguments
from codemod.rewrite.examples import Example
from codemod.rewrite.operations import Expand, Ledger, Operation, Source, StepError
from codemod.rewrite.whitespace import parenthesized

EXAMPLES = (
    Example(
        "def f(n):\n    rec.override('op', size=n, kept=1)  # both\n",
        "def f(n):\n    get_context().override('op', size=n)\n"
        "    rec.override('op', kept=1)  # both\n",
        (SplitCall(Anchor("call", 0), "get_context().override", ("size",), True),),
    ),
    Example(
        "def f():\n    rec.override(\n        who(),\n        kept=a(),\n"
        "        size=b(\n            1),\n    )\n",
        "def f():\n    source = who()\n    kept = a()\n    size = b(\n            1)\n"
        "    rec.override(\n        source,\n        kept=kept,\n    )\n"
        "    get_context().override(\n        source,\n        size=size,\n    )\n",
        (
            SplitCall(
                Anchor("call", 0),
                "get_context().override",
                ("size",),
                False,
                (("0", "source"), ("kept", "kept"), ("size", "size")),
            ),
        ),
    ),
    Example(
        "def f(n):\n    if n: rec.override(source='op', kept=1, size=n); g()\n",
        "def f(n):\n    if n: rec.override(source='op', kept=1); "
        "get_context().override(source='op', size=n); g()\n",
        (
            SplitCall(
                Anchor("call", 0), "get_context().override", ("size",), False, (),
                "source",
            ),
        ),
    ),
)  # fmt: skip


def operations(
    edits: Sequence[SplitCall], source: Source, ledger: Ledger
) -> list[Operation]:
    """Return one expansion for each call's statement."""
    found: list[Operation] = []
    for edit in edits:
        node = source.node(edit.anchor)
        statement = source.parent(node)
        if not (isinstance(node, cst.Call) and isinstance(statement, cst.Expr)):
            raise StepError(edit.anchor, "only a call that is a statement can be split")
        found.append(Expand(statement, _splitter(edit)))
    return found


def _splitter(
    edit: SplitCall,
) -> Callable[[cst.BaseSmallStatement], list[cst.BaseSmallStatement]]:
    def make(statement: cst.BaseSmallStatement) -> list[cst.BaseSmallStatement]:
        assert isinstance(statement, cst.Expr)  # seen to in operations
        call = statement.value
        assert isinstance(call, cst.Call)
        names = dict(edit.names)
        bindings: list[cst.BaseSmallStatement] = []
        arguments: list[cst.Arg] = []
        for number, argument in enumerate(call.args):
            key = str(number) if argument.keyword is None else argument.keyword.value
            if key in names:
                bindings.append(_binding(names[key], argument.value))
                argument = argument.with_changes(value=cst.Name(names[key]))
            arguments.append(argument)
        moved = [a for a in arguments if _is_shared(a, edit) or _name(a) in edit.moved]
        stays = [a for a in arguments if _name(a) not in edit.moved]
        new = _with(call, moved, cst.parse_expression(edit.callee))
        old = _with(call, stays, call.func)
        first, second = (new, old) if edit.moved_first else (old, new)
        second = _without_comments(second)
        return [*bindings, cst.Expr(first), statement.with_changes(value=second)]

    return make


def _name(argument: cst.Arg) -> str:
    return argument.keyword.value if argument.keyword is not None else ""


def _is_shared(argument: cst.Arg, edit: SplitCall) -> bool:
    return argument.keyword is None or _name(argument) == edit.shared


def _binding(name: str, value: cst.BaseExpression) -> cst.Assign:
    # What may break the line without parentheses of its own.
    open_part = value.func if isinstance(value, cst.Call) else value
    in_brackets = bool(value.lpar) or isinstance(value, (cst.List, cst.Dict, cst.Set))
    if not in_brackets and "\n" in cst.Module([]).code_for_node(open_part):
        value = parenthesized(value)
    return cst.Assign([cst.AssignTarget(cst.Name(name))], value)


def _with(
    call: cst.Call, arguments: list[cst.Arg], func: cst.BaseExpression
) -> cst.Call:
    """Return ``call`` with some of its arguments, laid out as they were."""
    kept = ended_arguments(arguments, call) if arguments else []
    return call.with_changes(func=func, args=kept)


def _without_comments(call: cst.Call) -> cst.Call:
    """Return the second call without the comment that the first one keeps."""
    space = call.whitespace_before_args
    if isinstance(space, cst.ParenthesizedWhitespace):
        space = space.with_changes(first_line=cst.TrailingWhitespace(), empty_lines=())
        return call.with_changes(whitespace_before_args=space)
    return call
