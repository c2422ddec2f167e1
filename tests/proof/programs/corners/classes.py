"""The record kept on objects, in all the ways that objects have."""

from __future__ import annotations

from tests.proof.programs.corners.corner import LISTED, MAYBE, NOT, Corner
from tests.proof.programs.model import Lines, Scope


def _class(c: Corner) -> tuple[str, str, Scope]:
    name = c.fresh("K")
    attribute = c.fresh("_held")
    return name, attribute, c.top.scope.inner("class", name)


def _held_elsewhere(c: Corner) -> Lines:
    """By the pack's word ``server_args`` is the record on any object."""
    c.call(f"{c.name}()")
    name, _, scope = _class(c)
    at = scope.inner("function", "m")
    return [
        f"class {name}:",
        [
            "def __init__(self, server_args=None):",
            [f"self.server_args = {c.record}", "self.inner = self"],
            "def m(self):",
            [
                f"one_more = {c.read('self.server_args', form='self', at=at)}",
                "deep = "
                + c.read("self.inner.server_args", "iota", form="attribute", at=at),
                "return one_more, deep",
            ],
        ],
        f"def {c.name}():",
        [
            f"made = {name}()",
            "sa = made.server_args",
            f"return made.m(), {c.read('made.server_args', form='attribute')}, "
            f"{c.alias('gamma')}",
        ],
    ]


def _from_parameter(c: Corner) -> Lines:
    name, _, scope = _class(c)
    c.call(f"{c.name}()")
    init, at = scope.inner("function", "__init__"), scope.inner("function", "m")
    given = c.read("server_args", statuses=LISTED, form="parameter", at=init)
    return [
        f"class {name}:",
        [
            "def __init__(self, server_args):",
            [f"self.size = {given}", "self.server_args = server_args"],
            "def m(self):",
            [f"return {c.read('self.server_args', 'beta', form='self', at=at)}"],
        ],
        f"def {c.name}():",
        [f"return {name}({c.escape()}).m()"],
    ]


def _another_object(c: Corner) -> Lines:
    """The pack's attribute, in a class that puts something new into it."""
    name, _, scope = _class(c)
    c.call(f"{c.name}()")
    at = scope.inner("function", "m")
    statuses = frozenset({"mixed"})
    return [
        f"class {name}:",
        [
            "def __init__(self):",
            ["self.server_args = other(alpha=77)"],
            "def m(self):",
            [f"return {c.read('self.server_args', statuses=statuses, at=at)}"],
        ],
        f"def {c.name}():",
        [f"return {name}().m()"],
    ]


def _lazy(c: Corner) -> Lines:
    """Filled when it is first asked for."""
    name, held, scope = _class(c)
    c.call(f"{c.name}()")
    at = scope.inner("function", "m")
    statuses = frozenset({"mixed"})
    return [
        f"class {name}:",
        [
            "def __init__(self):",
            [f"self.{held} = None"],
            "def m(self):",
            [
                f"if self.{held} is None:",
                [f"self.{held} = {c.record}"],
                f"return {c.read(f'self.{held}', statuses=statuses, at=at)}",
            ],
        ],
        f"def {c.name}():",
        [f"return {name}().m()"],
    ]


def _set_from_outside(c: Corner) -> Lines:
    name, held, scope = _class(c)
    c.call(f"{c.name}()")
    at = scope.inner("function", "m")
    statuses = frozenset({"mixed"})
    return [
        f"class {name}:",
        [
            "def __init__(self):",
            [f"self.{held} = {c.record}"],
            "def m(self):",
            [f"return {c.read(f'self.{held}', statuses=statuses, at=at)}"],
        ],
        f"def {c.name}():",
        [
            f"made = {name}()",
            "first = made.m()",
            f"made.{held} = other()",
            "return first, made.m()",
        ],
    ]


def _on_the_class(c: Corner) -> Lines:
    """A class attribute, reached by the class and by its objects."""
    if not c.module.after_publish:
        return _lazy(c)
    name, held, scope = _class(c)
    c.call(f"{c.name}()")
    at, of = scope.inner("function", "m"), scope.inner("function", "n")
    return [
        f"class {name}:",
        [
            f"{held} = {c.record}",
            "def m(self):",
            [f"return {c.read(f'self.{held}', at=at)}"],
            "@classmethod",
            "def n(cls):",
            [f"return {c.read(f'cls.{held}', 'beta', at=of)}"],
        ],
        f"def {c.name}():",
        [f"return {name}().m(), {name}.n(), {c.read(f'{name}.{held}', 'gamma')}"],
    ]


def _property(c: Corner) -> Lines:
    name, held, scope = _class(c)
    c.call(f"{c.name}()")
    at = scope.inner("function", "m")
    return [
        f"class {name}:",
        [
            "@property",
            f"def {held}(self):",
            [f"return {c.escape()}"],
            "def m(self):",
            [f"return {c.read(f'self.{held}', statuses=NOT, at=at)}"],
        ],
        f"def {c.name}():",
        [f"return {name}().m()"],
    ]


def _getter_on_class(c: Corner) -> Lines:
    """The getter as a class attribute is not followed through objects."""
    if c.base.form != "call":
        return _property(c)
    name, held, scope = _class(c)
    c.call(f"{c.name}()")
    at = scope.inner("function", "m")
    getter = c.record.removesuffix("()")
    return [
        f"class {name}:",
        [
            f"{held} = staticmethod({c.p.escape()}{getter})",
            "def m(self):",
            [f"return {c.read(f'self.{held}()', statuses=NOT, at=at)}"],
        ],
        f"def {c.name}():",
        [f"return {name}().m()"],
    ]


def _self_rebound(c: Corner) -> Lines:
    """``self`` is another object by now."""
    name, held, scope = _class(c)
    c.call(f"{c.name}()")
    at = scope.inner("function", "m")
    return [
        f"class {name}:",
        [
            "def __init__(self):",
            [f"self.{held} = {c.record}"],
            "def m(self):",
            [
                f"first = {c.read(f'self.{held}', statuses=MAYBE, at=at)}",
                f"self = type('Other', (), {{'{held}': other()}})",
                f"return first, {c.read(f'self.{held}', statuses=MAYBE, at=at)}",
            ],
        ],
        f"def {c.name}():",
        [f"return {name}().m()"],
    ]


def _nested_self(c: Corner) -> Lines:
    """A closure reads the method's ``self``."""
    name, held, scope = _class(c)
    c.call(f"{c.name}()")
    of = scope.inner("function", "m")
    at = of.inner("function", "inner")
    return [
        f"class {name}:",
        [
            "def __init__(self):",
            [f"self.{held} = {c.record}"],
            "def m(self):",
            [
                "def inner():",
                [f"return {c.read(f'self.{held}', form='stash', at=at)}"],
                f"listed = [{c.read(f'self.{held}', 'beta', at=of)} for _ in range(2)]",
                "return inner(), listed",
            ],
        ],
        f"def {c.name}():",
        [f"return {name}().m()"],
    ]


def _mixin(c: Corner) -> Lines:
    """The attribute is set in a class that shares only a subclass with the reader."""
    name, held, scope = _class(c)
    c.call(f"{c.name}()")
    at = scope.inner("function", "m")
    setter, joined = c.fresh("K"), c.fresh("K")
    # Which class is meant only the subclass tells: the reader alone cannot know.
    return [
        f"class {setter}:",
        ["def __init__(self):", [f"self.{held} = {c.record}"]],
        f"class {name}:",
        ["def m(self):", [f"return {c.read(f'self.{held}', statuses=NOT, at=at)}"]],
        f"class {joined}({setter}, {name}):",
        ["pass"],
        f"def {c.name}():",
        [f"return {joined}().m()"],
    ]


def _slots(c: Corner) -> Lines:
    name, held, scope = _class(c)
    c.call(f"{c.name}()")
    at = scope.inner("function", "m")
    return [
        f"class {name}:",
        [
            f"__slots__ = ('{held}',)",
            "def __init__(self):",
            [f"self.{held} = {c.record}"],
            "def m(self, /, *, by=2):",
            [f"return {c.read(f'self.{held}', form='stash', at=at)} * by"],
        ],
        f"def {c.name}():",
        [f"return {name}().m()"],
    ]


ALL = (
    _held_elsewhere,
    _from_parameter,
    _another_object,
    _lazy,
    _set_from_outside,
    _on_the_class,
    _property,
    _getter_on_class,
    _self_rebound,
    _nested_self,
    _mixin,
    _slots,
)
