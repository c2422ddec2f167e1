"""Which name is meant: class bodies, comprehensions, ``global`` and ``nonlocal``."""

from __future__ import annotations

from tests.proof.programs.corners.corner import FILLED, LISTED, MAYBE, NOT, Corner
from tests.proof.programs.model import YES, Lines


def _class_hides_nothing(c: Corner) -> Lines:
    """A method does not see the names of its class body (reference 4.2.2)."""
    c.call(f"{c.name}()")
    spoiled = c.fresh("K")
    at = c.scope.inner("class", spoiled).inner("function", "m")
    return [
        f"def {c.name}():",
        [
            f"sa = {c.record}",
            f"class {spoiled}:",
            ["sa = other()", "def m(self):", [f"return {c.read('sa', at=at)}"]],
            f"return {spoiled}().m(), {c.alias('beta')}",
        ],
    ]


def _comprehension_in_class(c: Corner) -> Lines:
    """Only the first iterable of a comprehension sees the class body."""
    c.call(f"{c.name}()")
    name = c.fresh("K")
    at = c.scope.inner("class", name)
    body = c.read("sa", "gamma", at=at)
    return [
        f"def {c.name}():",
        [
            f"sa = {c.record}",
            f"class {name}:",
            [f"sums = [{body} for sa_2 in [sa] for _ in range(2)]"],
            f"return {name}.sums",
        ],
    ]


def _class_name_first(c: Corner) -> Lines:
    """In the class body itself its own name comes first, and may be missing yet."""
    c.call(f"{c.name}()")
    name = c.fresh("K")
    at = c.scope.inner("class", name)
    return [
        f"def {c.name}():",
        [
            f"sa = {c.record}",
            f"class {name}:",
            [
                f"first = {c.read('sa', at=at, statuses=MAYBE)}",
                "sa = other()",
                f"second = {c.read('sa', at=at, statuses=MAYBE)}",
            ],
            f"return {name}.first, {name}.second",
        ],
    ]


def _bound_below(c: Corner) -> Lines:
    """An inner function may stand above the binding it reads."""
    c.call(f"{c.name}()")
    at = c.scope.inner("function", "inner")
    return [
        f"def {c.name}():",
        [
            "def inner():",
            [f"return {c.read('sa', 'iota', at=at)}"],
            f"sa = {c.record}",
            "return inner()",
        ],
    ]


def _in_loop(c: Corner) -> Lines:
    c.call(f"{c.name}()")
    return [
        f"def {c.name}():",
        [
            "for i in range(3):",
            [f"sa = {c.record}", f"t('i', i + {c.alias()})"],
            f"return {c.alias('beta')}",
        ],
    ]


def _every_branch(c: Corner) -> Lines:
    """Bound in every branch, so that a block is empty when the binding goes."""
    c.call(f"{c.name}()")
    return [
        f"def {c.name}():",
        [
            "if t('asked', one()):",
            [f"sa = {c.record}"],
            "else:",
            [f"sa = {c.record}  # here too"],
            f"return {c.alias()}",
        ],
    ]


def _parameter_hides(c: Corner) -> Lines:
    """A parameter called like the alias around it."""
    c.call(f"{c.name}()")
    at = c.scope.inner("function", "inner")
    return [
        f"def {c.name}():",
        [
            f"sa = {c.record}",
            "def inner(sa):",
            [f"return {c.read('sa', statuses=NOT, at=at)}"],
            f"pick = lambda sa=None: {c.read('sa', statuses=NOT, at=at)} if sa else 0",
            f"return inner(other()), pick(other()), {c.alias()}",
        ],
    ]


def _default_in_lambda(c: Corner) -> Lines:
    if c.base.form != "call":
        return _in_loop(c)
    c.call(f"{c.name}()")
    return [
        f"def {c.name}():",
        [
            f"pick = lambda c={c.record}: {c.read('c', statuses=LISTED)}",
            "return pick(), pick(other())",
        ],
    ]


def _deleted(c: Corner) -> Lines:
    c.call(f"{c.name}()")
    return [
        f"def {c.name}():",
        [
            f"sa = {c.record}",
            f"value = {c.read('sa', statuses=MAYBE)}",
            "del sa",
            "return value",
        ],
    ]


def _global_spoiled(c: Corner) -> Lines:
    """A module's name that one function makes another object."""
    c.call(f"{c.name}()")
    name = c.fresh("SA")
    return [
        f"def set_{name}(mine):",
        [f"global {name}", f"{name} = {c.record} if mine else other()"],
        f"def {c.name}():",
        [
            f"set_{name}(one())",
            f"first = {c.read(name, statuses=MAYBE)}",
            f"set_{name}(zero())",
            f"return first, {c.read(name, statuses=MAYBE)}",
        ],
    ]


def _global_only_record(c: Corner) -> Lines:
    c.call(f"{c.name}()")
    name = c.fresh("SA")
    return [
        f"def set_{name}():",
        [f"global {name}", f"{name} = {c.record}"],
        f"def {c.name}():",
        [f"set_{name}()", f"return {c.read(name, form='alias')}"],
    ]


def _nonlocal_chain(c: Corner) -> Lines:
    c.call(f"{c.name}()")
    spoiled = c.p.draw.chance(2)
    value = "other()" if spoiled else c.record
    statuses = MAYBE if spoiled else YES
    at = c.scope.inner("function", "outer").inner("function", "inner")
    return [
        f"def {c.name}():",
        [
            f"sa = {c.record}",
            "def outer():",
            [
                "nonlocal sa",
                "def inner():",
                [
                    "nonlocal sa",
                    f"t('before', {c.read('sa', statuses=statuses, at=at)})",
                    f"sa = {value}",
                ],
                "inner()",
            ],
            "outer()",
            f"return {c.read('sa', statuses=statuses)}",
        ],
    ]


def _walrus_base(c: Corner) -> Lines:
    """The record is named in the middle of the read."""
    c.call(f"{c.name}()")
    first = c.read(f"(sa := {c.record})", "gamma", form="alias")
    return [f"def {c.name}():", [f"return {first} + {c.alias('beta')}"]]


def _walrus_kept(c: Corner) -> Lines:
    """What the walrus names is used whole, so the binding must stay."""
    c.call(f"{c.name}()")
    statuses = MAYBE
    first = c.read(f"(sa := {c.record})", "gamma", statuses, "alias")
    return [f"def {c.name}():", [f"return {first}, sa is None"]]


def _walrus_in_comprehension(c: Corner) -> Lines:
    """PEP 572: the name belongs to the function around the comprehension."""
    c.call(f"{c.name}()")
    inner = c.read(f"(sa := {c.record})", form="alias")
    return [
        f"def {c.name}():",
        [f"values = [{inner} for _ in range(2)]", f"return values, {c.alias('beta')}"],
    ]


def _walrus_test(c: Corner) -> Lines:
    c.call(f"{c.name}()")
    return [
        f"def {c.name}():",
        [
            f"while (sa := {c.record}) and {c.alias()} < 0:",
            ["break"],
            f"return {c.alias('gamma')} if (sb := sa) else sb",
        ],
    ]


def _with_target(c: Corner) -> Lines:
    """What a context manager gives is not followed."""
    c.call(f"{c.name}()")
    mark = c.p.escape()
    return [
        f"def {c.name}():",
        [
            f"with holder({mark}{c.record}) as sa:",
            [f"return {c.read('sa', statuses=NOT)}"],
        ],
    ]


def _loop_target(c: Corner) -> Lines:
    c.call(f"{c.name}()")
    mark = c.p.escape()
    return [
        f"def {c.name}():",
        [
            f"for sa in [{mark}{c.record}]:",
            [f"t('in', {c.read('sa', statuses=NOT)})"],
        ],
    ]


def _parameter_copied(c: Corner) -> Lines:
    c.call(f"{c.name}(other())")
    c.call(f"{c.name}()")
    return [
        f"def {c.name}(c=None):",
        [
            f"sa = c if c is not None else {c.record}",
            f"sb, n = sa, {c.read('sa', statuses=FILLED)}",
            f"return n + {c.read('sb', 'beta', FILLED)}",
        ],
    ]


def _backfill_by_branch(c: Corner) -> Lines:
    c.call(f"{c.name}(other())")
    c.call(f"{c.name}()")
    return [
        f"def {c.name}(c=None):",
        [
            "if c is not None:",
            ["sa = c"],
            "else:",
            [f"sa = {c.record}"],
            f"return {c.read('sa', statuses=FILLED, form='alias')}",
        ],
    ]


def _backfill_in_closure(c: Corner) -> Lines:
    """The parameter is filled here and read further in."""
    c.call(f"{c.name}(other())")
    c.call(f"{c.name}()")
    at = c.scope.inner("function", "inner")
    return [
        f"def {c.name}(c=None):",
        [
            f"c = c or {c.record}",
            "def inner():",
            [f"return {c.read('c', statuses=FILLED, at=at)}"],
            f"return inner() + (lambda: {c.read('c', 'beta', FILLED)})()",
        ],
    ]


def _two_names(c: Corner) -> Lines:
    """Two aliases of one call, one of them never read."""
    c.call(f"{c.name}()")
    return [
        f"def {c.name}():",
        [f"sb = sa = {c.record}", f"return {c.alias()}"],
    ]


def _copies_around(c: Corner) -> Lines:
    """Aliases of each other, in a circle."""
    c.call(f"{c.name}()")
    return [
        f"def {c.name}():",
        [
            f"sa = sb = {c.record}",
            "for _ in range(2):",
            ["sa, sb = sb, sa"],
            f"return {c.alias()} + {c.read('sb', 'beta')}",
        ],
    ]


def _kept_alive(c: Corner) -> Lines:
    """``locals()`` sees a binding that nothing else reads."""
    c.call(f"{c.name}()")
    return [
        f"def {c.name}():",
        [f"sa = {c.record}", f"value = {c.alias()}", "return value, sorted(locals())"],
    ]


ALL = (
    _class_hides_nothing,
    _comprehension_in_class,
    _class_name_first,
    _bound_below,
    _in_loop,
    _every_branch,
    _parameter_hides,
    _default_in_lambda,
    _deleted,
    _global_spoiled,
    _global_only_record,
    _nonlocal_chain,
    _walrus_base,
    _walrus_kept,
    _walrus_in_comprehension,
    _walrus_test,
    _with_target,
    _loop_target,
    _parameter_copied,
    _backfill_by_branch,
    _backfill_in_closure,
    _two_names,
    _copies_around,
    _kept_alive,
)
