"""Handlers, and on which side of them the record is asked for."""

from __future__ import annotations

from tests.proof.programs.corners.corner import Corner
from tests.proof.programs.model import Lines

_CATCH = ("except ValueError:", "except Exception:", "except:")


def _outside(c: Corner) -> Lines:
    """Bound before the ``try``, read in it."""
    c.call(f"{c.name}()")
    handler = c.p.draw.pick(_CATCH)
    return [
        f"def {c.name}():",
        [
            f"sa = {c.record}",
            "try:",
            [f"return {c.alias(caught=True)}"],
            handler,
            ["return -1"],
        ],
    ]


def _inside(c: Corner) -> Lines:
    """Bound in the ``try``, read after it."""
    c.call(f"{c.name}()")
    return [
        f"def {c.name}():",
        [
            "try:",
            [f"sa = {c.record}"],
            c.p.draw.pick(_CATCH),
            ["return -1"],
            *c.p.draw.pick(([], ["finally:", ["t('end')"]])),
            f"return {c.alias(caught=True)}",
        ],
    ]


def _in_else(c: Corner) -> Lines:
    c.call(f"{c.name}()")
    return [
        f"def {c.name}():",
        [
            "try:",
            [f"sa = {c.record}"],
            "except ValueError:",
            ["return -1"],
            "else:",
            [f"return {c.alias(caught=True)}"],
        ],
    ]


def _other_handler(c: Corner) -> Lines:
    c.call(f"{c.name}()")
    return [
        f"def {c.name}():",
        [
            "try:",
            [f"sa = {c.record}", f"return {c.alias(caught=c.any_caught)}"],
            c.p.draw.pick(("except KeyError:", "except (Boom, LookupError) as error:")),
            ["return -1"],
        ],
    ]


def _finally_returns(c: Corner) -> Lines:
    """``return`` in ``finally`` throws the exception away, with no handler."""
    c.call(f"{c.name}()")
    return [
        f"def {c.name}():",
        [
            f"sa = {c.record}",
            "try:",
            [f"return {c.alias(caught=True)}"],
            "finally:",
            ["return -2"],
        ],
    ]


def _finally_in_loop(c: Corner) -> Lines:
    c.call(f"{c.name}()")
    leave = c.p.draw.pick(("break", "continue"))
    return [
        f"def {c.name}():",
        [
            f"sa = {c.record}",
            "for _ in range(2):",
            ["try:", [f"t('in', {c.alias(caught=True)})"], "finally:", [leave]],
            "return 3",
        ],
    ]


def _suppressed(c: Corner) -> Lines:
    c.call(f"{c.name}()")
    return [
        f"def {c.name}():",
        [
            f"sa = {c.record}",
            "with suppress(ValueError):",
            [f"return {c.alias(caught=True)}"],
            "return -1",
        ],
    ]


def _both_inside(c: Corner) -> Lines:
    c.call(f"{c.name}()")
    return [
        f"def {c.name}():",
        [
            "try:",
            [f"sa = {c.record}", f"return {c.alias(caught=True)}"],
            "except ValueError:",
            ["return -1"],
        ],
    ]


def _two_tries(c: Corner) -> Lines:
    """Bound in one ``try`` and read in another."""
    c.call(f"{c.name}()")
    return [
        f"def {c.name}():",
        [
            "try:",
            [f"sa = {c.record}"],
            "except ValueError:",
            ["return -1"],
            "try:",
            [f"return {c.alias(caught=True)}"],
            "except ValueError:",
            ["return -2"],
        ],
    ]


def _in_handler(c: Corner) -> Lines:
    """Asked for only when something else has failed."""
    c.call(f"{c.name}()")
    return [
        f"def {c.name}():",
        [
            "try:",
            ["boom()"],
            "except Boom:",
            [f"sa = {c.record}", f"return {c.alias()}"],
        ],
    ]


def _closure_in_try(c: Corner) -> Lines:
    """The ``try`` is around the call of the function that reads."""
    c.call(f"{c.name}()")
    inner = c.fresh("g")
    at = c.scope.inner("function", inner)
    return [
        f"def {c.name}():",
        [
            "try:",
            [f"def {inner}():", [f"return {c.read(c.record, at=at)}"]],
            "except ValueError:",
            ["return -1"],
            "try:",
            [f"return {inner}()"],
            "except ValueError:",
            ["return -2"],
        ],
    ]


def _nested_handlers(c: Corner) -> Lines:
    c.call(f"{c.name}()")
    return [
        f"def {c.name}():",
        [
            "try:",
            [
                f"sa = {c.record}",
                "try:",
                [f"return {c.alias(caught=True)}"],
                "except KeyError:",
                ["return -1"],
            ],
            "except ValueError:",
            ["return -2"],
        ],
    ]


ALL = (
    _outside,
    _inside,
    _in_else,
    _other_handler,
    _finally_returns,
    _finally_in_loop,
    _suppressed,
    _both_inside,
    _two_tries,
    _in_handler,
    _closure_in_try,
    _nested_handlers,
)
