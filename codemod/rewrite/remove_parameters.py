"""Parameters that nothing reads any more leave a ``def``.

What: the named parameters go, with annotation and default; a bare ``*`` or a ``/`` that
marks nothing then goes with them.

Why: the record was handed through for reads that take a namespace now.

Before and after:

    def fits(words, config=None):       def fits(words):
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import libcst as cst

from codemod.model import Anchor
from codemod.plan import RemoveParameters
from codemod.rewrite.commas import ended
from codemod.rewrite.examples import Example
from codemod.rewrite.operations import Ledger, Operation, Replace, Source, StepError

EXAMPLES = (
    Example(
        "def fits(words, config=None): ...\n",
        "def fits(words): ...\n",
        (RemoveParameters(Anchor("function", 0), ("config",)),),
    ),
    Example(
        "def f(\n    config: Config,\n    words,\n    *,\n    room,\n): ...\n",
        "def f(\n    words,\n): ...\n",
        (RemoveParameters(Anchor("function", 0), ("config", "room")),),
    ),
    Example(
        "def f(config, /, words, *rest, **more): ...\n",
        "def f(words, *rest, **more): ...\n",
        (RemoveParameters(Anchor("function", 0), ("config",)),),
    ),
)


def operations(
    edits: Sequence[RemoveParameters], source: Source, ledger: Ledger
) -> list[Operation]:
    """Return one replacement for each function."""
    found: list[Operation] = []
    for edit in edits:
        node = source.node(edit.anchor)
        assert isinstance(node, cst.FunctionDef)  # by the anchor's kind
        there = {param.name.value for param in _named(node.params)}
        for name in edit.names:
            if name not in there:
                raise StepError(edit.anchor, f"this function has no parameter {name}")
        found.append(Replace(node, _remover(frozenset(edit.names))))
    return found


def _named(parameters: cst.Parameters) -> list[cst.Param]:
    return [
        *parameters.posonly_params,
        *parameters.params,
        *parameters.kwonly_params,
    ]


def _remover(names: frozenset[str]) -> Callable[[cst.CSTNode], cst.CSTNode]:
    def make(node: cst.CSTNode) -> cst.CSTNode:
        assert isinstance(node, cst.FunctionDef)  # by the anchor's kind
        return node.with_changes(params=_without(node.params, names))

    return make


def _without(parameters: cst.Parameters, names: frozenset[str]) -> cst.Parameters:
    changes: dict[str, object] = {
        field: [p for p in getattr(parameters, field) if p.name.value not in names]
        for field in ("posonly_params", "params", "kwonly_params")
    }
    if not changes["posonly_params"]:
        changes["posonly_ind"] = cst.MaybeSentinel.DEFAULT
    if not changes["kwonly_params"] and isinstance(parameters.star_arg, cst.ParamStar):
        changes["star_arg"] = cst.MaybeSentinel.DEFAULT
    left = parameters.with_changes(**changes)
    remaining = _in_order(left)
    if not remaining:
        return left
    (*_, end), (*_, last) = remaining, _in_order(parameters)
    slash = left.posonly_ind
    if end in left.posonly_params and last not in parameters.posonly_params:
        # The `/` is last now.
        assert isinstance(slash, cst.ParamSlash)
        slash = slash.with_changes(
            comma=last.comma, whitespace_after=last.whitespace_after_param
        )
        return left.with_changes(posonly_ind=slash)
    comma, after = ended(end.comma, last.comma, last.whitespace_after_param)
    return left.with_deep_changes(end, comma=comma, whitespace_after_param=after)


def _in_order(parameters: cst.Parameters) -> list[cst.Param]:
    """Return the parameters as they stand, those with stars included."""
    given = (
        *parameters.posonly_params,
        *parameters.params,
        parameters.star_arg,
        *parameters.kwonly_params,
        parameters.star_kwarg,
    )
    return [parameter for parameter in given if isinstance(parameter, cst.Param)]
