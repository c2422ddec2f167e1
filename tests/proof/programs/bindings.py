"""Local names for the record: all the ways to bind one, and to spoil it."""

from __future__ import annotations

from tests.proof.programs.model import YES, Alias, Base, Lines, Place, Program

MIXED = frozenset({"yes", "no"})


def record(p: Program, place: Place, caught: bool = False) -> Base | None:
    """An expression that is the record for certain.

    With ``caught`` False none whose bindings a handler waits for, as that would make
    every read through a copy of it ``guarded``.
    """
    bases = [*place.module.bases, *place.own]
    bases += [alias.base() for alias in place.scope.visible_aliases()]
    fit = [
        base
        for base in bases
        if base.statuses == YES and not base.foreign and (caught or not base.caught)
    ]
    return p.draw.pick(fit) if fit else None


def alias(p: Program, place: Place) -> Lines:
    """Bind a new local name to the record, always or sometimes."""
    draw = p.draw
    name = place.scope.fresh(draw.pick(("sa", "args", "cfg")))
    kind = draw.upto(5)
    if kind == 5:
        return _mixed(p, place, name)
    caught = kind == 4
    source = record(p, place, caught)
    if source is None:
        return []
    if place.caught:
        caught = True
    lines = bind(p, place, name, source)
    if kind == 4:
        lines = _in_try(p, lines)
    bound = Alias(name, YES, caught=caught or source.caught)
    if not caught and draw.chance(3):
        more = record(p, place)
        if more is not None:
            test = draw.pick(("zero()", "one()"))
            lines = [*lines, f"if {test}:", bind(p, place, name, more)]
    place.scope.aliases.append(bound)
    return lines


def _in_try(p: Program, lines: Lines) -> Lines:
    handler = p.draw.pick(("except ValueError:", "except Exception:", "except:"))
    return ["try:", lines, handler, ["raise"]]


def bind(p: Program, place: Place, name: str, source: Base) -> Lines:
    """One binding of a name to the record."""
    text = source.text
    spare = place.scope.fresh("v")
    shape = p.draw.upto(15)
    if place.scope.kind == "class" and shape in (2, 9, 14):
        shape = 0
    if shape == 1:
        note = p.draw.pick(("object", '"object"'))
        return [f"{name}: {note} = {text}"]
    if shape == 2:
        return [f"({name} := {text})"]
    if shape == 3:
        return [f"{name}, {spare} = {text}, 5"]
    if shape == 4:
        return [f"[{spare}, {name}] = [5, {text}]"]
    if shape == 5:
        return [f"{spare} = {name} = {text}"]
    if shape == 6:
        return [f"{name} = {text} or {text}"]
    if shape == 7:
        return [f"{name} = {text} if one() else {text}"]
    if shape == 8:
        return [f"({spare}, ({name}, _)) = (1, ({text}, 2))"]
    if shape == 9:
        return [f"if ({name} := {text}):", ["pass"]]
    if shape == 10:
        return [f"{name} = (\n{text}\n)  # the record"]
    if shape == 11:
        return [f"{name}: object", f"{name} = {text}"]
    if shape == 12:
        return [f"{name} = {text}; {spare} = 1"]
    if shape == 13:
        return [f"{spare} = {text}", f"{name} = {spare}"]
    if shape == 14:
        return [f"{name} = ({spare} := {text})"]
    return [f"{name} = {text}"]


def _mixed(p: Program, place: Place, name: str) -> Lines:
    """A name that some bindings make the record and others do not."""
    source = record(p, place, caught=True)
    if source is None:
        return []
    draw = p.draw
    first = [f"{name} = {source.text}"]
    shape = draw.upto(15)
    dead = draw.chance(2)
    spare = place.scope.fresh("v")
    runs = "zero()" if dead else "one()"
    spoils: list[Lines] = [
        [f"if {runs}:", [f"{name} = other()"]],
        [f"for {name} in [other()]:", ["pass"]],
        [f"with holder(other()) as {name}:", ["pass"]],
        ["try:", ["boom()"], f"except Boom as {name}:", ["pass"], *first],
        ["if zero():", [f"import json as {name}"]],
        ["match other():", [f"case {name}:", ["pass"]]],
        [f"del {name}", *first],
        ["if zero():", [f"{name} += 1"]],
        ["if zero():", [f"def {name}():", ["pass"]]],
        ["if zero():", [f"class {name}:", ["pass"]]],
        [f"{name}, *{spare} = other(), 1, 2"],
        [f"{name}, {spare} = pair(other())"],
        [f"*{name}, {spare} = [1, 2]", *first],
        ["if zero():", [f"{name} = None"]],
        [f"{name} = other() if {runs} else {source.text}"],
        [f"{name} = {name} if one() else other()"],
    ]
    if draw.chance(4) and shape in (0, 1, 2, 5, 10, 11):
        lines = [*spoils[shape], *first]
    else:
        lines = [*first, *spoils[shape]]
    bound = Alias(name, MIXED, caught=True, foreign=True)
    place.scope.aliases.append(bound)
    return lines


def backfill(p: Program, place: Place, name: str, source: Base) -> Lines:
    """Give a parameter the record where the caller passed nothing."""
    text = source.text
    return p.draw.pick(
        (
            [f"if {name} is None:", [f"{name} = {text}"]],
            [f"{name} = {name} or {text}"],
            [f"{name} = {text} if {name} is None else {name}"],
            [f"({name} := {name} or {text})"],
            [f"if not {name}: {name} = {text}"],
        )
    )
