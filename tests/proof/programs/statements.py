"""Blocks of statements: every kind that can hold, bind or change the record."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from tests.proof.programs import bindings, definitions, writes
from tests.proof.programs.expressions import leaf, number, traced
from tests.proof.programs.model import Lines, Place, Program

_DEEPEST = 4


def block(p: Program, place: Place, most: int = 3, least: int = 1) -> Lines:
    """Some statements, in the scope of ``place``."""
    lines: Lines = []
    for _ in range(p.draw.between(least, most)):
        lines += statement(p, place)
    return lines or ["pass"]


def branch(p: Program, place: Place, most: int = 2, **changes: object) -> Lines:
    """Statements that may not run: what they bind is not known afterwards."""
    scope = place.scope
    numbers, aliases = len(scope.numbers), len(scope.aliases)
    lines = block(p, place.deeper(**changes), most)
    del scope.numbers[numbers:]
    del scope.aliases[aliases:]
    return lines


def statement(p: Program, place: Place) -> Lines:
    """One statement, with what it needs around it."""
    draw = p.draw
    if place.depth >= _DEEPEST or draw.upto(3) == 0:
        return shown(p, place)
    kinds = [*_SIMPLE, *_COMPOUND]
    if place.live:
        kinds += [bindings.alias, bindings.alias]
        if "writes" in p.features:
            kinds += [writes.write]
    elif place.module.after_publish:
        kinds += [bindings.alias]
    return draw.pick(kinds)(p, place)


def shown(p: Program, place: Place) -> Lines:
    """A value shown in the trace, sometimes with a word that keeps its reads."""
    draw = p.draw
    if draw.chance(12):
        kept = replace(place, suppressed=True)
        text = traced(p, kept, leaf(p, kept))
        if "\n" not in text:
            return [f"{text}  # nsroute: keep[live] it is read again"]
        return [f"({text})  # nsroute: keep[live] it is read again"]
    text = traced(p, place, number(p, place))
    if draw.chance(8):
        return [f"{text}; {traced(p, place, leaf(p, place))}"]
    if draw.chance(8):
        return [f"{text}  # shown"]
    return [text]


# -- simple statements ----------------------------------------------------------


def _assign(p: Program, place: Place) -> Lines:
    scope = place.scope
    name, spare = scope.fresh("v"), scope.fresh("v")
    value = number(p, place)
    shape = p.draw.upto(7)
    if shape == 1:
        lines = [f"{name}: int = {value}"]
    elif shape == 2:
        lines = [f"{name} = {spare} = {value}"]
    elif shape == 3:
        lines = [f"{name}, {spare} = {value}, {leaf(p, place)}"]
    elif shape == 4:
        lines = [f"{name}, *{spare} = [{value}, {leaf(p, place)}]"]
    elif shape == 5:
        lines = [f"{name} = 1", f"{name} += {value}"]
    elif shape == 6:
        lines = [f"{name} = {{}}", f"{name}[{leaf(p, place)}] = {value}"]
        lines += [f"{name} = len({name})"]
    elif shape == 7:
        lines = [f"{name} = [1, 2, 3]", f"del {name}[{leaf(p, place)} % 3]"]
        lines += [f"{name} = sum({name})"]
    else:
        lines = [f"{name} = {value}"]
    scope.numbers.append(name)
    return [*lines, f't("{p.label()}", {name})']


def _assert(p: Program, place: Place) -> Lines:
    return [f"assert {number(p, place)} or one(), {leaf(p, place)}"]


def _annotation(p: Program, place: Place) -> Lines:
    name = place.scope.fresh("v")
    # Evaluated at module level and in classes, never in functions (PEP 526).
    if place.live or place.module.future:
        return shown(p, place)
    return [f"{name}: {leaf(p, place)} = 1"]


def _delete(p: Program, place: Place) -> Lines:
    name = place.scope.fresh("v")
    return [f"{name} = {number(p, place)}", f"del {name}"]


# -- compound statements --------------------------------------------------------


def _if(p: Program, place: Place) -> Lines:
    lines: Lines = [f"if {number(p, place)} > 2:", branch(p, place)]
    if p.draw.chance(3):
        lines += [f"elif {number(p, place)}:", branch(p, place)]
    if p.draw.chance(2):
        lines += ["else:", branch(p, place)]
    return lines


def _if_true(p: Program, place: Place) -> Lines:
    return ["if True:", block(p, place.deeper(), 2)]


def _inline_if(p: Program, place: Place) -> Lines:
    text = traced(p, place, leaf(p, place))
    return [f"if {leaf(p, place)}: {text}"]


def _for(p: Program, place: Place) -> Lines:
    name = place.scope.fresh("i")
    source = number(p, place)
    keyword = "for"
    iterable = f"range(abs({source}) % 3)"
    if place.asynchronous and place.scope.kind == "function" and p.draw.chance(2):
        keyword, iterable = "async for", f"arange(abs({source}) % 3)"
    scope = place.scope
    count = len(scope.numbers)
    scope.numbers.append(name)
    body = branch(p, place, loop=True)
    del scope.numbers[count:]
    lines: Lines = [f"{keyword} {name} in {iterable}:", body]
    if p.draw.chance(4):
        body.append(p.draw.pick(("continue", "break")))
    if p.draw.chance(4):
        lines += ["else:", branch(p, place)]
    return lines


def _while(p: Program, place: Place) -> Lines:
    name = place.scope.fresh("i")
    body = branch(p, place, loop=True)
    return [
        f"{name} = 2",
        f"while {name} and {number(p, place)} < 90:",
        [f"{name} -= 1", *body],
    ]


_HANDLERS = {
    "except ValueError:": True,
    "except (KeyError, ValueError):": True,
    "except Exception:": True,
    "except BaseException as error:": True,
    "except:": True,
    "except KeyError:": False,
    "except Boom:": False,
    "except (ZeroDivisionError, KeyError) as error:": False,
}


def _try(p: Program, place: Place) -> Lines:
    draw = p.draw
    handler = draw.pick(tuple(_HANDLERS))
    catches = _HANDLERS[handler] or p.pack.unpublished is None
    body = branch(p, place, caught=place.caught or catches)
    if draw.chance(3):
        body.append("boom()")
        handler = "except (Boom, ValueError):"
        body = [*branch(p, place, caught=True), "boom()"]
    lines: Lines = ["try:", body]
    lines += [handler, branch(p, place)]
    if draw.chance(3) and not handler.startswith("except:"):
        lines += ["else:", branch(p, place)]
    if draw.chance(3):
        lines += ["finally:", branch(p, place)]
    return lines


def _finally(p: Program, place: Place) -> Lines:
    return ["try:", branch(p, place), "finally:", branch(p, place)]


def _with(p: Program, place: Place) -> Lines:
    scope = place.scope
    name = scope.fresh("v")
    shape = p.draw.upto(5)
    value = number(p, place)
    if shape == 1 and place.asynchronous and scope.kind == "function":
        head = f"async with aholder({value}) as {name}:"
    elif shape == 2:
        head = f"with holder({value}) as {name}, holder({leaf(p, place)}):"
    elif shape == 3:
        under = _by_key_error(p, place)
        value = number(p, place.deeper(caught=under))
        head = f"with suppress(KeyError), holder({value}) as {name}:"
        return [head, branch(p, place, caught=under)]
    elif shape == 4:
        head = f"with suppress(ValueError), holder(7) as {name}:"
        return [head, branch(p, place, caught=True)]
    elif shape == 5:
        head = f"with scoped(iota={value}):"
        return [head, branch(p, place)]
    else:
        head = f"with holder({value}) as {name}:"
    scope.numbers.append(name)
    return [head, block(p, place.deeper(), 2)]


def _by_key_error(p: Program, place: Place) -> bool:
    return place.caught or p.pack.unpublished is None


def _match(p: Program, place: Place) -> Lines:
    scope = place.scope
    name = scope.fresh("m")
    lines: Lines = [f"match {number(p, place)}:"]
    cases: Lines = [
        f"case 1 | 2 if {leaf(p, place)}:",
        branch(p, place),
    ]
    count = len(scope.numbers)
    scope.numbers.append(name)
    cases += [f"case int() as {name} if {leaf(p, place)} > 3:", branch(p, place)]
    del scope.numbers[count:]
    cases += ["case _:", branch(p, place)]
    return [*lines, cases]


def _global(p: Program, place: Place) -> Lines:
    """A module variable written from inside."""
    if place.scope.kind != "function":
        return shown(p, place)
    name = place.scope.fresh("G")
    scope = place.scope
    place.module.head.append(f"{name} = 0")
    lines: Lines = [f"global {name}", f"{name} = {number(p, place)}"]
    return [*lines, f't("{scope.path}", {name})']


def _global_alias(p: Program, place: Place) -> Lines:
    """A module-level name that only this function binds, to the record."""
    from tests.proof.programs.model import YES, Alias

    if place.scope.kind != "function":
        return shown(p, place)
    source = bindings.record(p, place)
    if source is None or place.caught or source.caught:
        return shown(p, place)
    name = place.scope.fresh("GSA")
    place.scope.aliases.append(Alias(name, YES))
    return [f"global {name}", f"{name} = {source.text}", *shown(p, place)]


def _nonlocal_alias(p: Program, place: Place) -> Lines:
    """An alias that an inner function binds again."""
    from tests.proof.programs.model import YES, Alias

    if place.scope.kind != "function":
        return shown(p, place)
    source = bindings.record(p, place)
    if source is None or place.caught or source.caught:
        return shown(p, place)
    scope = place.scope
    name, setter = scope.fresh("sa"), scope.fresh("set")
    spoiled = p.draw.chance(2)
    value = "other()" if spoiled else source.text
    statuses = bindings.MIXED if spoiled else YES
    lines: Lines = [
        f"{name} = {source.text}",
        f"def {setter}():",
        [f"nonlocal {name}", f"{name} = {value}"],
        f"{setter}()",
    ]
    scope.aliases.append(Alias(name, statuses, foreign=spoiled))
    return [*lines, *shown(p, place)]


Kind = Callable[[Program, Place], Lines]

_SIMPLE: tuple[Kind, ...] = (
    _assign,
    _assign,
    _assert,
    _annotation,
    _delete,
    _global,
    _global_alias,
    _nonlocal_alias,
    writes.use,
)
_COMPOUND: tuple[Kind, ...] = (
    _if,
    _if_true,
    _inline_if,
    _for,
    _while,
    _try,
    _try,
    _finally,
    _with,
    _match,
    definitions.inner_function,
    definitions.inner_function,
    definitions.inner_class,
)
