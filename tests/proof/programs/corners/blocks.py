"""Bindings whose removal leaves a block, a line or an import list empty."""

from __future__ import annotations

from tests.proof.programs.corners.corner import Corner
from tests.proof.programs.model import Lines


def _function(c: Corner, body: Lines) -> Lines:
    c.call(f"{c.name}()")
    return [f"def {c.name}():", body]


def _only_statement(c: Corner) -> Lines:
    head = c.p.draw.pick(
        (
            "if one():",
            "for _ in range(1):",
            "while t('once', not zero()):",
            "with holder(1):",
            "with suppress(KeyError):" if not c.any_caught else "with holder(2):",
        )
    )
    inner: Lines = [f"sa = {c.record}"]
    if head.startswith("while"):
        inner.append("break")
    return _function(c, [head, inner, f"return {c.alias()}"])


def _one_line_block(c: Corner) -> Lines:
    return _function(c, [f"if one(): sa = {c.record}", f"return {c.alias()}"])


def _semicolons(c: Corner) -> Lines:
    line = c.p.draw.pick(
        (
            f"sa = {c.record}; x = 1",
            f"x = 1; sa = {c.record}",
            f"x = 1; sa = {c.record}; y = 2  # three",
            f"x = 1; sa = {c.record};",
        )
    )
    return _function(c, [line, f"return {c.alias()} + x"])


def _commented(c: Corner) -> Lines:
    return _function(
        c,
        [
            "# What follows is the record.",
            f"sa = {c.record}  # all of it",
            "",
            "# And now it is read.",
            f"return {c.alias()}",
        ],
    )


def _case(c: Corner) -> Lines:
    return _function(
        c,
        [
            "match one():",
            ["case 1:", [f"sa = {c.record}"], "case _:", [f"sa = {c.record}"]],
            f"return {c.alias()}",
        ],
    )


def _finally(c: Corner) -> Lines:
    return _function(
        c,
        [
            "try:",
            ["t('in')"],
            "finally:",
            [f"sa = {c.record}"],
            f"return {c.alias()}",
        ],
    )


def _local_import(c: Corner) -> Lines:
    """A getter imported in the function, and not needed any more."""
    lines = c.p.draw.pick(
        (
            ["from app.context import get_args as mine", "sa = mine()"],
            ["import app.context as mine", "sa = mine.get_args()"],
            ["from app.context import config as sa"],
            ["from app.context import get_args as mine; sa = mine()"],
            ["from app import context as mine", "sa = mine.get_args()"],
        )
    )
    form = "object" if "config" in lines[0] else "alias"
    return _function(c, [*lines, f"return {c.read('sa', form=form)}"])


def _annotated(c: Corner) -> Lines:
    lines = c.p.draw.pick(
        (
            [f"sa: Config = {c.record}"],
            ["sa: Config", f"sa = {c.record}"],
            [f"sa: 'Config | None' = {c.record}"],
            # Not ``(sa): Config = …``: LibCST cannot parse it, so the file is rolled
            # back. tests/reads/test_reads_rolled_back.py holds what happens then.
            [f"(sa) = {c.record}"],
        )
    )
    return _function(c, [*lines, f"return {c.alias()}"])


def _chain(c: Corner) -> Lines:
    """An alias of an alias of an alias: all go when the last is not read."""
    return _function(
        c,
        [
            f"first = {c.record}",
            "second = first",
            "sa = second if one() else first",
            f"return {c.alias()}",
        ],
    )


def _partly_read(c: Corner) -> Lines:
    """One read stays, so the binding has to."""
    return _function(
        c,
        [
            f"sa = {c.record}",
            f"x = {c.alias('beta')}",
            f"return x, {c.read('sa', 'raw')}, {c.read('sa', 'total')}",
        ],
    )


def _unpacked(c: Corner) -> Lines:
    line = c.p.draw.pick(
        (
            f"sa, x = {c.record}, t('x', 1)",
            f"x, sa = t('x', 1), {c.record}",
            f"(sa, x), y = ({c.record}, 1), 2",
            f"[sa, x] = {c.record}, 1",
            f"x = sa = {c.record}",
        )
    )
    return _function(c, [line, f"return {c.alias()}"])


def _unused_already(c: Corner) -> Lines:
    """A binding that nothing read before is nobody's business."""
    return _function(
        c, [f"unused = {c.record}", f"return {c.read(c.record, form=c.base.form)}"]
    )


def _docstring_only(c: Corner) -> Lines:
    return _function(
        c,
        ['"""Says."""', f"sa = {c.record}", f"assert {c.alias()} + 1, {c.alias()}"],
    )


ALL = (
    _only_statement,
    _one_line_block,
    _semicolons,
    _commented,
    _case,
    _finally,
    _local_import,
    _annotated,
    _chain,
    _partly_read,
    _unpacked,
    _unused_already,
    _docstring_only,
)
