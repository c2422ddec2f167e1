"""Getters under other names, with arguments, hidden, chosen at run time."""

from __future__ import annotations

from tests.proof.programs.corners.corner import MAYBE, NOT, Corner
from tests.proof.programs.model import Lines


def _getter(c: Corner) -> str | None:
    return c.record.removesuffix("()") if c.base.form == "call" else None


def _with_arguments(c: Corner) -> Lines:
    """A call that passes something may be another call."""
    getter = _getter(c)
    if getter is None:
        return _hidden(c)
    c.call(f"{c.name}()")
    call = c.p.draw.pick((f"{getter}(*())", f"{getter}(**{{}})"))
    return [
        f"def {c.name}():",
        [f"return {c.read(call, statuses=frozenset({'mixed'}))}"],
    ]


def _hidden(c: Corner) -> Lines:
    """The getter's name is a local one here."""
    c.call(f"{c.name}(other)")
    return [
        f"def {c.name}(get_args):",
        [f"return {c.read('get_args()', statuses=NOT)}"],
    ]


def _local_getter(c: Corner) -> Lines:
    getter = _getter(c)
    if getter is None:
        return _hidden(c)
    c.call(f"{c.name}()")
    lines, text, statuses = c.p.draw.pick(
        (
            ([f"mine = {getter}"], "mine()", None),
            ([f"mine, x = {getter}, 1"], "mine()", None),
            ([f"mine = {getter} if one() else other"], "mine()", MAYBE),
            ([f"mine = lambda: {c.p.escape()}{c.record}"], "mine()", NOT),
            ([f"(mine := {getter})"], "mine()", None),
        )
    )
    read = c.read(text) if statuses is None else c.read(text, statuses=statuses)
    return [f"def {c.name}():", [*lines, f"return {read}"]]


def _two_imports(c: Corner) -> Lines:
    """The same name from two modules: one of them is somebody else's."""
    c.call(f"{c.name}()")
    return [
        f"def {c.name}():",
        [
            "if one():",
            ["from app.context import get_args as fetch"],
            "else:",
            ["from app.elsewhere import get_args as fetch"],
            f"return {c.read('fetch()', statuses=MAYBE)}",
        ],
    ]


def _elsewhere(c: Corner) -> Lines:
    c.call(f"{c.name}()")
    return [
        f"def {c.name}():",
        [
            "from app.elsewhere import get_args",
            f"return {c.read('get_args()', statuses=NOT)}",
        ],
    ]


def _chosen(c: Corner) -> Lines:
    """The record or another object, by an expression."""
    c.call(f"{c.name}()")
    text = c.p.draw.pick(
        (
            f"({c.record} if one() else other())",
            f"(None or {c.record})",
            f"(other() and {c.record})",
        )
    )
    return [f"def {c.name}():", [f"return {c.read(text, statuses=MAYBE)}"]]


def _returned(c: Corner) -> Lines:
    """What a function returns is not followed."""
    c.call(f"{c.name}()")
    inner = c.fresh("g")
    return [
        f"def {inner}():",
        [f"return {c.escape()}"],
        f"def {c.name}():",
        [f"return {c.read(f'{inner}()', statuses=NOT)}"],
    ]


def _by_operator(c: Corner) -> Lines:
    c.call(f"{c.name}()")
    mark = c.p.read(c.place, c.base.__class__("", NOT, ""), "alpha")
    return [
        f"def {c.name}():",
        [
            "from operator import attrgetter",
            f"return {mark}attrgetter('alpha')({c.escape()})",
        ],
    ]


def _shadowed_getattr(c: Corner) -> Lines:
    """``getattr`` is not the builtin here."""
    c.call(f"{c.name}()")
    return [
        f"def {c.name}(getattr=lambda it, name: 5):",
        [f"return getattr({c.escape()}, 'alpha')"],
    ]


def _get_beside_getattr(c: Corner) -> Lines:
    """A read by ``get`` would need the builtin, which has another meaning here."""
    if "get" not in c.p.pack.access:
        return _shadowed_getattr(c)
    c.call(f"{c.name}()")
    start = c.p.read(c.place, c.base, "raw", "get")
    return [
        f"def {c.name}(getattr=lambda *all: 5):",
        [f"return {start}{c.record}.get('raw'), getattr(1)"],
    ]


def _patched(c: Corner) -> Lines:
    """A test that patches the getter where this module has it: the name must stay."""
    if c.record != "get_args()":
        return _accessor_there(c)
    c.call(f"{c.name}_patched()")
    target = f"{c.module.name}.get_args"
    return [
        f"def {c.name}():",
        [f"return {c.read(c.record, 'gamma')}"],
        f"def {c.name}_patched():",
        [
            "from unittest import mock",
            f"with mock.patch('{target}', {c.p.escape()}get_args):",
            [f"return {c.name}()"],
        ],
    ]


def _accessor_there(c: Corner) -> Lines:
    """The accessor is imported already, by another name or for typing only."""
    c.call(f"{c.name}()")
    lines = c.p.draw.pick(
        (
            ["from app.context import get_exec as gx"],
            ["import app.context"],
            ["import app.context as gx"],
            ["if zero():", ["from app.context import get_exec as gx"]],
        )
    )
    return [*lines, f"def {c.name}():", [f"return {c.read(c.record, 'gamma')}"]]


ALL = (
    _with_arguments,
    _hidden,
    _local_getter,
    _two_imports,
    _elsewhere,
    _chosen,
    _returned,
    _by_operator,
    _shadowed_getattr,
    _get_beside_getattr,
    _patched,
    _accessor_there,
)
