"""Every way to take one field off an expression that is the record."""

from __future__ import annotations

from tests.proof.programs import world
from tests.proof.programs.model import Base, Place, Program

_NUMBER_FIELDS = (*world.NUMBERS, world.CONFIGURED, world.UNROUTED)


def number(p: Program, place: Place, base: Base) -> str:
    """Source of an integer read off ``base``, marked."""
    draw = p.draw
    kind = draw.upto(11)
    if kind == 11 and p.pack.writers and not base.foreign:
        # Nobody may read it off the record when it is written to the namespace.
        if p.expect(place, base, world.STRICT)[0] == "convert":
            return field(p, place, base, world.STRICT)
        kind = 0
    if kind == 0 or kind > 5:
        return field(p, place, base, draw.pick(_NUMBER_FIELDS))
    if kind == 1:
        return field(p, place, base, "delta") + f"[{draw.upto(1)}]"
    if kind == 2:
        return field(p, place, base, "eps") + draw.pick(
            ('["k"]', '.get("k", 0)', '.get("z", 4)')
        )
    if kind == 3:
        return f"len({field(p, place, base, 'delta')})"
    if kind == 4:
        return field(p, place, base, world.PROPERTY, plain=True)
    text = field(p, place, base, world.METHOD, plain=True)
    return f"{text}({draw.pick(('', '3', 'by=4'))})"


def field(p: Program, place: Place, base: Base, name: str, plain: bool = False) -> str:
    """Source of a read of ``name``, in one of the ways that the pack calls a read."""
    draw = p.draw
    ways = ["attribute"] * 6
    if not plain:
        ways += ["getattr", "getattr-default"]
        ways += [w for w in ("subscript", "get") if w in p.pack.access]
    way = draw.pick(ways)
    if way == "attribute":
        return _attribute(p, place, base, name)
    quote = "'" if draw.chance(4) and not place.in_fstring else '"'
    text = base.text
    key = f"{quote}{name}{quote}"
    if way == "subscript":
        return p.read(place, base, name, "subscript") + f"{_atom(base)}[{key}]"
    if way == "get":
        default = draw.pick(("", ", 70", ", None"))
        return p.read(place, base, name, "get") + f"{_atom(base)}.get({key}{default})"
    if way == "getattr":
        return p.read(place, base, name, "getattr") + f"getattr({text}, {key})"
    default = draw.pick(("71", "None", "len([1, 2])"))
    return p.read(place, base, name, "getattr") + f"getattr({text}, {key}, {default})"


def _atom(base: Base) -> str:
    return base.text if base.simple else f"({base.text})"


def _attribute(p: Program, place: Place, base: Base, name: str) -> str:
    start = p.read(place, base, name)
    text = _atom(base)
    if place.in_fstring:
        return f"{start}{text}.{name}"
    shape = p.draw.upto(19)
    if shape == 1:
        return f"{start}({text}).{name}"
    if shape == 2:
        return f"{start}{text} . {name}"
    if shape == 3:
        return f"({start}{text}\n.{name})"
    if shape == 4:
        return f"({start}{text}  # what it is\n    # said here\n.{name}\n)"
    if shape == 5:
        return f"{start}{text}.\\\n{name}"
    if shape == 6:
        return f"({start}(\n{text}\n).{name})"
    return f"{start}{text}.{name}"
