"""Functions: parameters that are or become the record, names that collide, kinds."""

from __future__ import annotations

import sys
from dataclasses import dataclass

from tests.proof.programs import bindings, world
from tests.proof.programs.expressions import leaf, number
from tests.proof.programs.model import Alias, Base, Lines, Place, Program, Scope

LISTED = frozenset({"listed"})
PARAMETER = frozenset({"parameter"})

_NAMES = (*world.ACCESSORS.values(), *world.ALIASES.values())


@dataclass
class Defined:
    """A function with the argument texts it may be called with, and how it is run."""

    lines: Lines
    name: str
    arguments: tuple[str, ...]
    run: str = "{}"

    def calls(self, owner: str = "") -> list[str]:
        """Expressions that call it, one for each way; ``owner`` ends with a dot."""
        return [
            self.run.format(f"{owner}{self.name}({text})") for text in self.arguments
        ]


def inner_function(p: Program, place: Place) -> Lines:
    """A function inside another block, called there."""
    hidden = place.scope.kind == "class"
    name = place.scope.fresh(p.draw.pick(("f", "keep_it")))
    defined = function(p, place, name, called=not hidden)
    if hidden:
        return defined.lines  # its body must not see the class's names
    calls = [f't("{p.label()}", {call})' for call in defined.calls()]
    return [*defined.lines, *calls]


def function(
    p: Program,
    place: Place,
    name: str,
    first: str = "",
    own: tuple[Base, ...] | None = None,
    decorators: Lines | None = None,
    called: bool = True,
) -> Defined:
    """A whole function; ``called`` says whether the code around it calls it.

    ``first`` is the first parameter of a method, ``own`` the bases that hold inside.
    """
    from tests.proof.programs.statements import block

    draw = p.draw
    scope = place.scope.inner("function", name)
    kind = draw.pick(("def", "def", "def", "async def", "generator"))
    inner = Place(
        module=place.module,
        scope=scope,
        live=True,
        asynchronous=kind == "async def",
        generator=kind == "generator",
        own=place.own if own is None else own,
        early=place.early and called,
        depth=place.depth + 1,
    )
    parameters, arguments, opening = _parameters(p, place, inner)
    if first:
        parameters.insert(0, first)
    opening += _collisions(p, place, scope, parameters)
    lines: Lines = list(decorators or [])
    if draw.chance(6):
        lines += [draw.pick(("@same", "@same()", f"@same({leaf(p, place)})"))]
    types = ""
    if sys.version_info >= (3, 12) and draw.chance(5):
        lazy = place.scope.inner("lambda")
        bound = Place(place.module, lazy, live=True, early=place.early, depth=9)
        types = f"[T_{name}: ({leaf(p, bound)}, int)]"
    returns = ""
    if draw.chance(8) and not place.module.future:
        returns = f" -> {leaf(p, place.deeper())}"
    keyword = "async def" if kind == "async def" else "def"
    head = f"{keyword} {name}{types}({', '.join(parameters)}){returns}:"
    body = [*opening, *block(p, inner, 4, 2)]
    if draw.chance(4):
        body.insert(0, draw.pick(('"""Says what it does."""', "r'''Raw.'''")))
    if kind == "generator":
        body += [f"yield {number(p, inner)}", f"yield from [{leaf(p, inner)}]"]
    elif draw.chance(2):
        body += [f"return {number(p, inner)}"]
    run = {"async def": "drive({})", "generator": "list({})"}.get(kind, "{}")
    return Defined([*lines, head, body], name, arguments, run)


def _parameters(
    p: Program, place: Place, inner: Place
) -> tuple[list[str], tuple[str, ...], Lines]:
    """Parameters, the arguments of each way to call, and the first statements."""
    draw = p.draw
    scope = inner.scope
    name = scope.fresh("c")
    kind = draw.upto(9)
    if kind == 1:
        default = number(p, place.deeper())
        scope.numbers.append(name)
        return [f"{name}={default}"], ("", "4"), []
    if kind == 2:
        scope.numbers.append(name)
        default = leaf(p, place.deeper())
        return [f"*rest, {name}={default}", "**more"], ("", f"1, 2, {name}=5, z=1"), []
    if kind == 3:
        scope.numbers.append(name)
        note = "int"
        if not place.module.future:
            note = leaf(p, place.deeper())
        return [f"{name}: {note} = 3", "/", "other_one=None"], ("", "8"), []
    if kind == 4:
        return _listed(p, place, inner, name)
    if kind == 5:
        return _backfilled(p, place, inner, name)
    if kind == 6:
        # Nothing says that it may be the record, and nothing makes it one.
        scope.aliases.append(Alias(name, PARAMETER, "parameter", foreign=True))
        return [name], ("other()",), []
    return [], ("",), []


def _listed(
    p: Program, place: Place, inner: Place, name: str
) -> tuple[list[str], tuple[str, ...], Lines]:
    """A parameter that scan has to list, whatever is passed."""
    draw = p.draw
    scope = inner.scope
    note = draw.pick(("Config", '"Config"', "Config | None", "list[Config]", ""))
    statuses, opening = LISTED, []
    spelled = f"{name}: {note}"
    if not note or draw.chance(4):
        name = spelled = "server_args"
    source = bindings.record(p, inner, caught=True)
    ways: tuple[str, ...] = ("other()",)
    if (place.module.after_publish or place.live) and draw.chance(3):
        getter = next((b for b in place.module.bases if b.form == "call"), None)
        if getter is not None:
            spelled = f"{name}={getter.text}"
            ways = ("", "other()")
    if draw.chance(3) and source is not None and ways == ("other()",):
        opening = bindings.backfill(p, inner, name, source)
        spelled, ways = f"{spelled} = None", ("", "other()")
        statuses = frozenset({"listed", "yes"})
    scope.aliases.append(Alias(name, statuses, "parameter", foreign=True))
    if draw.chance(3):
        copy = scope.fresh("sa")
        opening += [f"{copy} = {name}"]
        scope.aliases.append(Alias(copy, statuses, "alias", foreign=True))
    return [spelled], ways, opening


def _backfilled(
    p: Program, place: Place, inner: Place, name: str
) -> tuple[list[str], tuple[str, ...], Lines]:
    """A parameter that is filled from the record when the caller passes nothing."""
    draw = p.draw
    scope = inner.scope
    source = bindings.record(p, inner, caught=True)
    if source is None:
        return [], ("",), []
    statuses = frozenset({"parameter", "yes"})
    if draw.chance(3):
        copy = scope.fresh("sa")
        text = source.text
        opening: Lines = [
            draw.pick(
                (
                    f"{copy} = {name} or {text}",
                    f"{copy} = {text} if {name} is None else {name}",
                )
            )
        ]
        scope.aliases.append(Alias(copy, statuses, "alias", foreign=True))
    else:
        opening = bindings.backfill(p, inner, name, source)
        scope.aliases.append(Alias(name, statuses, "parameter", foreign=True))
    return [f"{name}=None"], ("", "other()"), opening


def _collisions(p: Program, place: Place, scope: Scope, parameters: list[str]) -> Lines:
    """Local names that the accessors would have liked to have."""
    draw = p.draw
    if not draw.chance(4):
        return []
    name = draw.pick(_NAMES)
    names = [name]
    if draw.chance(3):
        root = next(
            r for r in world.ACCESSORS if name in (world.ACCESSORS[r], world.ALIASES[r])
        )
        names = [world.ACCESSORS[root], world.ALIASES[root]]
    lines: Lines = []
    for each in names:
        shape = draw.upto(6)
        if shape == 0 and each in world.ACCESSORS.values():
            scope.imported.add(each)
            lines += [f"from app.context import {each}", f't("{scope.path}", {each})']
            continue
        scope.taken.add(each)
        if shape == 1 and not any(q.startswith("*") for q in parameters):
            parameters.append(f"{each}=5")
        elif shape == 2:
            lines += [f"def {each}():", ["return 5"]]
        elif shape == 3:
            lines += [f"for {each} in [5]:", ["pass"]]
        elif shape == 4:
            lines += [f"import json as {each}"]
        elif shape == 5:
            lines += ["if zero():", [f"{each} = 6"]]
            continue
        else:
            lines += [f"{each} = 5"]
        lines += [f't("{scope.path}", {each})']
    return lines


# -- classes ----------------------------------------------------------------------


def inner_class(p: Program, place: Place) -> Lines:
    """A class in a block, with a stash, used there."""
    name = place.scope.fresh("K")
    lines, methods = klass(p, place, name)
    if place.scope.kind == "class":
        return lines
    calls = [call for method, owner in methods for call in method.calls(owner)]
    return [*lines, *(f't("{p.label()}", {call})' for call in calls)]


@dataclass
class Family:
    """A class that others derive from, with what its stash is in all of them."""

    module: str
    name: str
    attribute: str
    statuses: frozenset[str]
    #: A subclass still has to be written that spoils the stash.
    owes: bool = False
    #: Its module can be imported only when the record is published.
    late: bool = False
    #: It is written: in the class itself nobody knows, in others below it holds.
    spoiled_below: bool = False


def klass(
    p: Program,
    place: Place,
    name: str,
    above: Family | None = None,
    above_text: str = "",
    family: list[Family] | None = None,
) -> tuple[Lines, list[tuple[Defined, str]]]:
    """A class that keeps the record on itself, and its methods with their owners."""
    from tests.proof.programs.statements import block

    draw = p.draw
    scope = place.scope.inner("class", name)
    body_place = place.deeper(
        scope=scope,
        asynchronous=False,
        generator=False,
        # A private name means another attribute in here (reference 6.2.1).
        own=tuple(b for b in place.own if ".__" not in b.text),
    )
    body: Lines = []
    if draw.chance(6):
        own_name = draw.pick(_NAMES)
        scope.taken.add(own_name)
        body += [f"{own_name} = 5", f't("{scope.path}", {own_name})']
    if draw.chance(3):
        body += block(p, body_place, 2)
    text, own, extra = _stash(p, place, scope, above, family)
    body += extra
    # What ``self`` of a method around is, hides behind one's own.
    inherited = tuple(b for b in body_place.own if not b.text.startswith("self."))
    calls: list[tuple[Defined, str]] = []
    called = place.scope.kind != "class"
    if text:
        body += ["def __init__(self):", text]
    for _ in range(draw.between(1, 2)):
        own_bases = (*inherited, *own)
        method = function(
            p, body_place, scope.fresh("m"), "self", own_bases, called=called
        )
        body += method.lines
        calls.append((method, f"{name}()."))
    if draw.chance(4):
        # A static method has no self, and a class method another one.
        for decorator, first in (("@staticmethod", ""), ("@classmethod", "cls")):
            method = function(
                p,
                body_place,
                scope.fresh("m"),
                first,
                inherited,
                [decorator],
                called,
            )
            body += method.lines
            calls.append((method, f"{name}."))
    bases = f"({above_text})" if above_text else draw.pick(("", "()", "(object)"))
    if draw.chance(8) and not above_text:
        asked = f"same({leaf(p, place.deeper())})"
        # Nobody knows what a computed metaclass makes of a stash.
        bases = f"(object, metaclass={asked} and type)"
        if own:
            bases = f"(*({asked} and (object,)), metaclass=type)"
    return [f"class {name}{bases}:", body], calls


def _stash(
    p: Program,
    place: Place,
    scope: Scope,
    above: Family | None,
    family: list[Family] | None,
) -> tuple[Lines, tuple[Base, ...], Lines]:
    """How the class keeps the record: body of ``__init__``, bases, more methods."""
    draw = p.draw
    init_scope = scope.inner("function", "__init__")
    init = Place(place.module, init_scope, live=True, own=(), depth=3)
    source = bindings.record(p, init, caught=True)
    if above is not None:
        statuses = frozenset({"yes"}) if above.spoiled_below else above.statuses
        own = (Base(f"self.{above.attribute}", statuses, "stash"),)
        lines: Lines = ["super().__init__()"]
        if above.owes:
            above.owes, above.spoiled_below = False, True
            lines += ["if zero():", [f"self.{above.attribute} = other()"]]
        elif source is not None and above.statuses == frozenset({"yes"}):
            lines += [f"self.{above.attribute} = {source.text}"]
        return lines, own, []
    if source is None:
        return [], (), []
    attribute = scope.fresh(draw.pick(("_sa", "args_of", "__held")))
    kind = draw.upto(6)
    yes = frozenset({"yes"})
    stored: Lines = [f"self.{attribute} = {source.text}"]
    if kind == 5:
        attribute = "server_args"
        held = Base("self.server_args", yes, "self")
        return [f"self.server_args = {source.text}"], (held,), []
    if kind == 6:
        # A property is not followed.
        mark = p.escape()
        prop = [
            "@property",
            f"def {attribute}(self):",
            [f"return {mark}{source.text}"],
        ]
        return [], (Base(f"self.{attribute}", frozenset({"no"}), ""),), prop
    statuses = yes
    more: Lines = []
    owes = False
    if kind == 3:
        statuses = frozenset({"mixed"})
        more = ["def spoil(self):", [f"self.{attribute} = other()"]]
        if attribute.startswith("_") is False and family is not None:
            more, owes = [], True
    elif kind == 4:
        name = init_scope.fresh("sa")
        stored = [f"{name} = {source.text}", f"self.{attribute} = {name}"]
    elif kind == 2:
        spare = init_scope.fresh("x")
        stored = [f"self.{attribute}, self.{spare} = {source.text}, 1"]
    elif kind == 1:
        stored = [f"self.{attribute}: object = {source.text}"]
    if family is not None and not attribute.startswith("__"):
        family.append(
            Family(
                place.module.name,
                scope.path,
                attribute,
                statuses,
                owes,
                place.module.after_publish,
            )
        )
    elif owes:
        more = ["def spoil(self):", [f"self.{attribute} = other()"]]
    return stored, (Base(f"self.{attribute}", statuses, "stash"),), more
