"""Writes of the record, and uses that are not reads of one literal field."""

from __future__ import annotations

from tests.proof.programs import bindings, world
from tests.proof.programs.expressions import leaf, number, traced
from tests.proof.programs.model import Base, Lines, Place, Program

#: Where one of these holds, a write is taken to be to a record of its own.
_OF_ANOTHER_RECORD = ("owner", "per-instance", "suppressed", "pre-publish")


def write(p: Program, place: Place) -> Lines:
    """Change a field of the record, in one of Python's ways."""
    draw = p.draw
    source = bindings.record(p, place, caught=True)
    if source is None:
        return ["pass"]
    if p.pack.writers and draw.chance(2):
        return _by_writer(p, place, source)
    shape = draw.upto(12)
    value = f"({number(p, place)}) % 9"
    spare = place.scope.fresh("v")
    if shape == 0:
        return [f"override(alpha={value}, gamma=2)"]
    if shape == 1:
        return [f"{target(p, place, source, 'alpha')} = {value}"]
    if shape == 2:
        return [f"{target(p, place, source, 'beta')} += {value}"]
    if shape == 3:
        return [f"setattr({source.text}, 'zeta', {value})"]
    if shape == 4:
        return [f"for {target(p, place, source, 'gamma')} in [{value}]:", ["pass"]]
    if shape == 5:
        there = target(p, place, source, "eta")
        return [f"with holder({value}) as {there}:", ["pass"]]
    if shape == 6:
        there = target(p, place, source, "iota")
        return [f"{there}, {spare} = {value}, 1"]
    if shape == 7:
        return [f"del {target(p, place, source, 'alpha')}"]
    if shape == 8:
        return [f"{held(p, place, source, 'delta')}.append({value})"]
    if shape == 9:
        return [f"{held(p, place, source, 'delta')}[0] = {value}"]
    if shape == 10:
        return [f"{held(p, place, source, 'eps')}['k'] += {value}"]
    if shape == 11:
        there = target(p, place, source, "delta")
        return [f"{there} += [{value}]"]
    return [f"{target(p, place, source, 'zeta')}: int = {value}"]


def _by_writer(p: Program, place: Place, source: Base) -> Lines:
    """A call of the record's own method that writes fields."""
    draw = p.draw
    text = source.text if source.simple else f"({source.text})"
    call = f"{p.read(place, source, world.WRITER)}{text}.{world.WRITER}"
    names = draw.order(("alpha", world.STRICT, "raw", "gamma"))
    if p.expect(place, source, world.STRICT)[1] in _OF_ANOTHER_RECORD:
        names.remove(world.STRICT)
    fields = [
        f"{name}=({number(p, place)}) % 9" for name in names[: draw.between(1, 3)]
    ]
    why = draw.pick(('"why"', traced(p, place, '"why"')))
    shape = draw.upto(5)
    stars = ', **{"iota": 3}' if draw.chance(8) else ""
    whole = f"{call}({why}, {', '.join(fields)}{stars})"
    spare = place.scope.fresh("v")
    if shape == 1:
        return [f"{spare} = {whole}", f't("{p.label()}", {spare})']
    if shape == 2:
        return [f"if one(): {whole}"]
    if shape == 3:
        return [f"{whole}; t('{p.label()}')"]
    if shape == 4:
        return [f"{whole}  # written"]
    return [whole]


def target(p: Program, place: Place, source: Base, name: str) -> str:
    """The record's field as a target, marked as the write that it is."""
    text = source.text if source.simple else f"({source.text})"
    return f"{p.read(place, source, name, context='store')}{text}.{name}"


def held(p: Program, place: Place, source: Base, name: str) -> str:
    """A container that the record holds: reading it is a read, whatever follows."""
    text = source.text if source.simple else f"({source.text})"
    return f"{p.read(place, source, name)}{text}.{name}"


def use(p: Program, place: Place) -> Lines:
    """Take the record whole: scan lists it as a use, and follows it no further."""
    if not place.live and not place.module.after_publish:
        return ["pass"]
    source = bindings.record(p, place, caught=True)
    if source is None:
        return ["pass"]
    text = f"{p.escape()}{source.text}"
    gone = Base("", frozenset({"no"}), "")
    lost = f"{p.read(place, gone, 'alpha')}"
    label = p.label()
    return p.draw.pick(
        (
            [f't("{label}", {lost}hasattr({text}, "alpha"))'],
            [f't("{label}", len(vars({text})) >= 0)'],
            [f't("{label}", {lost}(lambda it: it.alpha)({text}))'],
            [f't("{label}", {lost}[{text}][0].alpha)'],
            [f't("{label}", {lost}getattr({text}, "al" + "pha"))'],
            [f't("{label}", isinstance({text}, int))'],
            [f't("{label}", {leaf(p, place)} if {text} is None else 1)'],
        )
    )
