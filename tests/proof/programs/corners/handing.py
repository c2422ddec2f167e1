"""The record handed from function to function, and probes that tests replace."""

from __future__ import annotations

from tests.proof.programs.corners.corner import NOT, Corner
from tests.proof.programs.model import Lines


def _handed(c: Corner) -> Lines:
    """A parameter that nobody reads, at the end of a chain of calls."""
    draw = c.p.draw
    low, high = c.fresh("low"), c.fresh("high")
    c.call(f"{c.name}()")
    own, given = draw.pick(
        (
            ("n, server_args", "n, server_args=server_args"),
            ("n, server_args", "n, server_args"),
            ("server_args, n", "server_args, n"),
            ("server_args, n", "n=n, server_args=server_args"),
            ("n, server_args=None", "n, server_args"),
            ("n, *, server_args", "n, server_args=server_args"),
            ("n, server_args, *rest", "n, server_args, 1, 2"),
            ("n, server_args, **more", "n, server_args, z=1"),
            ("server_args, /, n", "server_args, n"),
            ("n, server_args: Config", "n, server_args"),
            ("n, server_args", "*[n, server_args]"),
            ("n, server_args", "**{'n': n, 'server_args': server_args}"),
        )
    )
    called = draw.pick(
        (
            f"{low}({given})",
            f"({low})({given})",
            f"t('low', {low}({given}))",
            f"[{low}({given}) for _ in range(2)]",
            f"(lambda: {low}({given}))()",
            f"{low}({given}) if n else 0",
            f"{low}(\n{given},\n)",
        )
    )
    pins = draw.pick(
        ([], [], [], [f"KEEP_{low} = [{low}]"], [f"KEEP_{low} = {low}.__name__"])
    )
    record = draw.pick((c.record, f"t('once', {c.record})"))
    return [
        f"def {low}({own}):",
        ["return n + 1"],
        *pins,
        f"def {high}(n, server_args):",
        [f"return {called}"],
        f"def {c.name}():",
        [
            f"sa = {record}",
            f"return {high}(3, sa), {high}(n=4, server_args={c.record})",
        ],
    ]


def _handed_methods(c: Corner) -> Lines:
    """The same through methods, one of them overridden."""
    draw = c.p.draw
    base, child = c.fresh("K"), c.fresh("K")
    c.call(f"{c.name}()")
    overridden = draw.chance(2)
    more: Lines = ["def low(self, n, server_args):", ["return n + 2"]]
    return [
        f"class {base}:",
        [
            "def low(self, n, server_args):",
            ["return n + 1"],
            "def high(self, n, server_args):",
            ["return self.low(n, server_args)"],
        ],
        f"class {child}({base}):",
        more if overridden else ["pass"],
        f"def {c.name}():",
        [f"return {base}().high(1, {c.record}), {child}().high(2, {c.record})"],
    ]


def _handed_partly(c: Corner) -> Lines:
    """One of two callees still reads it."""
    reads, low = c.fresh("reads"), c.fresh("low")
    c.call(f"{c.name}()")
    at = c.top.scope.inner("function", reads)
    listed = frozenset({"listed"})
    text = c.read("server_args", statuses=listed, form="parameter", at=at)
    return [
        f"def {low}(server_args):",
        ["return 1"],
        f"def {reads}(server_args):",
        [f"return {text} + {low}(server_args)"],
        f"def {c.name}():",
        [f"return {reads}({c.record}), {low}({c.record})"],
    ]


def _recursive(c: Corner) -> Lines:
    low = c.fresh("low")
    c.call(f"{c.name}()")
    return [
        f"def {low}(n, server_args):",
        [f"return {low}(n - 1, server_args) if n else 0"],
        f"def {c.name}():",
        [f"return {low}(2, {c.record})"],
    ]


def _probe_patched(c: Corner) -> Lines:
    """A test that pretends to be on another machine."""
    name = c.module.name
    c.call(f"{c.name}_patched()")
    c.call(f"{c.name}()")
    styles: tuple[Lines, ...] = (
        [
            f"def {c.name}_patched():",
            [
                f"with patch('{name}.is_fast', return_value=False):",
                [f"return {c.name}()"],
            ],
        ],
        [
            f"@patch('{name}.is_fast', return_value=False)",
            f"def {c.name}_patched(fast):",
            [f"return {c.name}()"],
        ],
        [
            f"def {c.name}_patched():",
            [
                f"with patch('{name}.is_fast', lambda: False):",
                [f"return {c.name}()"],
            ],
        ],
        [
            f"@patch('{name}.is_fast', new=lambda: False)",
            f"def {c.name}_patched():",
            [f"return {c.name}()"],
        ],
    )
    return [
        "from unittest.mock import patch",
        "from app.machine import is_fast",
        f"def {c.name}():",
        ["return is_fast(), 5 if is_fast() else 6"],
        *c.p.draw.pick(styles),
        f"{c.name}_now = is_fast()",
    ]


def _escaped_parameter(c: Corner) -> Lines:
    """A parameter nobody lists, that is handed the record."""
    c.call(f"{c.name}()")
    low = c.fresh("low")
    at = c.top.scope.inner("function", low)
    return [
        f"def {low}(thing):",
        [f"return {c.read('thing', statuses=NOT, at=at)}"],
        f"def {c.name}():",
        [f"return {low}({c.escape()})"],
    ]


ALL = (
    _handed,
    _handed,
    _handed_methods,
    _handed_partly,
    _recursive,
    _probe_patched,
    _escaped_parameter,
)
