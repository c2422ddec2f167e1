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
    last = _last(parameters)
    changes: dict[str, object] = {
        field: [p for p in getattr(parameters, field) if p.name.value not in names]
        for field in ("posonly_params", "params", "kwonly_params")
    }
    if not changes["posonly_params"]:
        changes["posonly_ind"] = cst.MaybeSentinel.DEFAULT
    if not changes["kwonly_params"] and isinstance(parameters.star_arg, cst.ParamStar):
        changes["star_arg"] = cst.MaybeSentinel.DEFAULT
    left = parameters.with_changes(**changes)
    end = _last(left)
    if last is None or end is None or end is last:
        return left
    comma, after = ended(end.comma, last.comma, last.whitespace_after_param)
    new = end.with_changes(comma=comma, whitespace_after_param=after)
    if left.star_kwarg is end:
        return left.with_changes(star_kwarg=new)
    if left.star_arg is end:
        return left.with_changes(star_arg=new)
    for field in ("kwonly_params", "params", "posonly_params"):
        given = getattr(left, field)
        if given and given[-1] is end:
            return left.with_changes(**{field: [*given[:-1], new]})
    return left


def _last(parameters: cst.Parameters) -> cst.Param | None:
    """Return the parameter that stands last, stars included."""
    if parameters.star_kwarg is not None:
        return parameters.star_kwarg
    if parameters.kwonly_params:
        return parameters.kwonly_params[-1]
    if isinstance(parameters.star_arg, cst.Param):
        return parameters.star_arg
    for given in (parameters.params, parameters.posonly_params):
        if given:
            return given[-1]
    return None
