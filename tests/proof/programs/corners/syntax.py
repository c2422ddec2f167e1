"""Places in the grammar where a read is something special."""

from __future__ import annotations

import sys

from tests.proof.programs.corners.corner import NOT, Corner
from tests.proof.programs.model import Lines


def _function(c: Corner, body: Lines) -> Lines:
    c.call(f"{c.name}()")
    return [f"def {c.name}():", body]


def _value_pattern(c: Corner) -> Lines:
    """A pattern can hold a dotted name and no call (reference 8.6.4.4)."""
    place, base = c.place, c.base.__class__("sa", c.base.statuses, "alias")
    start = c.p.read(place, base, "alpha", context="pattern")
    return _function(
        c,
        [
            f"sa = {c.record}",
            f"match {c.alias('beta')}:",
            [f"case {start}sa.alpha:", ["return 1"], "case _:", ["return 2"]],
        ],
    )


def _value_pattern_object(c: Corner) -> Lines:
    """A pattern by an accessor that is an object."""
    return _function(
        c,
        [
            f"sa = {c.record}",
            "match 5:",
            [f"case {c.alias('eta')} | 77:", ["return 1"], "case _:", ["return 2"]],
        ],
    )


def _class_pattern(c: Corner) -> Lines:
    start = c.p.read(c.place, c.base.__class__("", NOT, ""), "alpha")
    return _function(
        c,
        [
            f"match {c.escape()}:",
            [f"case object({start}alpha=found):", ["return found"]],
        ],
    )


def _debug_strings(c: Corner) -> Lines:
    text = c.p.draw.pick(
        (
            "f'{%s=}'",
            "f'{%s = !r:>5}'",
            "f'{%s=:>5}'",
            'f"{ %s =!s}"',
            "f'''{%s\n=}'''",
            "f'{%s}{{=}}'",
        )
    )
    return _function(c, [f"sa = {c.record}", f"return {text % c.alias()}"])


def _format_spec(c: Corner) -> Lines:
    return _function(
        c,
        [
            f"sa = {c.record}",
            f"wide = f'{{7:>{{{c.alias()} % 9 + 1}}}}'",
            f"return wide, f'{{{c.alias('beta')}!r:{{5}}}}'",
        ],
    )


def _implicit_concatenation(c: Corner) -> Lines:
    one, two = c.read(c.record), c.read(c.record, "beta")
    return _function(c, [f"return ('a' f'{{{one}}}'\n    'b'\n    f'{{{two}}}')"])


def _decorated(c: Corner) -> Lines:
    at = c.top.scope
    live = c.module.after_publish
    argument = c.read(c.record, live=False, at=at) if live else "5"
    c.call(f"{c.name}()")
    return [
        f"@same({argument})",
        "@same",
        f"def {c.name}():",
        [f"return {c.read(c.record, 'beta')}"],
    ]


def _async(c: Corner) -> Lines:
    c.call(f"drive(@{c.name}())")
    return [
        f"async def {c.name}():",
        [
            f"sa = {c.record}",
            f"async with aholder({c.alias()}) as held:",
            ["t('held', held)"],
            f"async for i in arange({c.alias('beta')} % 3):",
            ["t('i', i)"],
            f"found = [i async for i in arange(3) if {c.alias('gamma')}]",
            f"return found, await later({c.alias('iota')})",
        ],
    ]


def _generator(c: Corner) -> Lines:
    c.call(f"list(@{c.name}())")
    return [
        f"def {c.name}():",
        [
            f"sa = {c.record}",
            f"x = yield {c.alias()}",
            f"yield from ({c.alias('beta')} for _ in range(2))",
            f"return {c.alias('gamma')} if x else None",
        ],
    ]


def _type_parameters(c: Corner) -> Lines:
    if sys.version_info < (3, 12):
        return _generator(c)
    at = c.top.scope.inner("lambda")
    return [
        f"type A_{c.name} = {c.read(c.record, at=at)}",
        *_function(c, [f"return A_{c.name}.__value__"]),
    ]


def _star_expressions(c: Corner) -> Lines:
    return _function(
        c,
        [
            f"sa = {c.record}",
            f"first, *rest = {c.alias('delta')}",
            f"print(*{c.alias('delta')}, sep='', end='', file=open('/dev/null', 'w'))",
            f"return [*{c.alias('delta')}, *rest], {{**{c.alias('eps')}}}, first",
        ],
    )


def _subscript_target(c: Corner) -> Lines:
    """The record's containers are read even where they are written into."""
    return _function(
        c,
        [
            f"sa = {c.record}",
            f"{c.alias('eps')}['k'] = {c.alias()}",
            f"{c.alias('delta')}[0] += 1",
            f"del {c.alias('delta')}[2:]",
            f"for {c.alias('eps')}['z'] in [4]: pass",
            f"return {c.alias('eps')}, {c.alias('delta')}",
        ],
    )


def _targets(c: Corner) -> Lines:
    store = {"context": "store"}
    return _function(
        c,
        [
            f"sa = {c.record}",
            f"{c.read('sa', 'alpha', **store)} = {c.alias('beta')}",
            f"{c.read('sa', 'gamma', **store)} += 1",
            f"[{c.read('sa', 'zeta', **store)}, x] = 3, 4",
            f"for {c.read('sa', 'iota', **store)} in (1, 2): pass",
            f"{c.read('sa', 'eta', **store)}: int = 6",
            f"return {c.alias()}, {c.alias('gamma')}, {c.alias('zeta')}",
        ],
    )


def _lambda_names(c: Corner) -> Lines:
    """Names of lambdas and comprehensions that accessors would have liked."""
    at = c.scope.inner("lambda")
    at.taken.add("get_exec")
    return _function(
        c,
        [
            f"sa = {c.record}",
            f"pick = lambda get_exec: {c.read('sa', at=at)} + get_exec",
            f"rows = [{c.read('sa', 'gamma', at=at)} for get_exec in range(2)]",
            "return pick(1), rows",
        ],
    )


def _both_names_in_comprehension(c: Corner) -> Lines:
    at = c.scope.inner("lambda")
    at.taken |= {"get_exec", "get_exec_namespace"}
    return _function(
        c,
        [
            f"sa = {c.record}",
            "both = [(1, 2)]",
            f"return [{c.read('sa', at=at)} for get_exec, get_exec_namespace in both]",
        ],
    )


def _assert_and_raise(c: Corner) -> Lines:
    return _function(
        c,
        [
            f"sa = {c.record}",
            f"assert {c.alias()} >= 0, f'{{{c.alias()}}}'",
            f"raise Boom({c.alias('beta')}) from Boom({c.alias('gamma')})",
        ],
    )


def _global_code(c: Corner) -> Lines:
    """At import nothing is converted, however it is nested."""
    if not c.module.after_publish:
        return _generator(c)
    at = c.top.scope
    name = c.fresh("G")
    quiet = {"live": False, "at": at}
    inside = {"live": False, "at": at.inner("class", f"C{name}")}
    return [
        f"{name} = [{c.read(c.record, **quiet)} for _ in range(2)]",
        f"class C{name}({c.read(c.record, **quiet)} and object):",
        [f"x = {c.read(c.record, 'beta', **inside)}"],
        f"if {c.read(c.record, **quiet)}: t('now', {c.read(c.record, **quiet)})",
        f"{name} = (lambda: {c.read(c.record, at=at.inner('lambda'))})",
        *_function(c, [f"return {name}()"]),
    ]


ALL = (
    _value_pattern,
    _value_pattern_object,
    _class_pattern,
    _debug_strings,
    _format_spec,
    _implicit_concatenation,
    _decorated,
    _async,
    _generator,
    _type_parameters,
    _star_expressions,
    _subscript_target,
    _targets,
    _lambda_names,
    _both_names_in_comprehension,
    _assert_and_raise,
    _global_code,
)
