"""Integer expressions with reads inside, in every syntax that can hold one."""

from __future__ import annotations

from collections.abc import Callable

from tests.proof.programs import reads
from tests.proof.programs.marks import unmarked
from tests.proof.programs.model import YES, Alias, Base, Place, Program

_DEEPEST = 4


def base(p: Program, place: Place) -> Base | None:
    """Something that is, or may be, the record here; None where nothing is."""
    draw = p.draw
    aliases = [alias.base() for alias in place.scope.visible_aliases()]
    spelled = place.module.bases
    groups = [group for group in (aliases, list(place.own), spelled) if group]
    if not groups:
        return None
    found = draw.pick(draw.pick(groups))
    if draw.chance(12) and found.statuses == YES:
        return _wrapped(p, place, found)
    return found


def _wrapped(p: Program, place: Place, found: Base) -> Base:
    """The record by an expression around it that is still the record."""
    text = found.text
    shape = p.draw.upto(4)
    if shape == 0:
        return Base(f"({text})", found.statuses, found.form, found.caught)
    if shape == 4:
        # What the argument is bound in does not guard what the call gives.
        texts = f'held("{p.label()}", {text}).server_args'
        return Base(texts, YES, "attribute", acts=True)
    if shape == 1:
        texts = f"({text} or {text})"
    elif shape == 2:
        texts = f"({text} if {p.draw.upto(1)} else {text})"
    else:
        # A default makes it something that may not be the record.
        return found
    return Base(texts, found.statuses, "", found.caught)


def traced(p: Program, place: Place, text: str) -> str:
    """The expression, shown in the trace."""
    return f't("{p.label()}", {text})'


def number(p: Program, place: Place) -> str:
    """An integer expression; most hold at least one read."""
    draw = p.draw
    if place.depth >= _DEEPEST or draw.upto(2) == 0:
        return leaf(p, place)
    shapes = _SHAPES
    if place.in_fstring:
        shapes = _QUIET
    return draw.pick(shapes)(p, place.deeper())


def leaf(p: Program, place: Place) -> str:
    """A read, a literal, or a name."""
    draw = p.draw
    kind = draw.upto(6)
    if kind == 5 or not (place.live or place.module.after_publish):
        return str(draw.upto(9))
    probes = place.module.probes
    if kind == 4 and probes and not place.in_fstring and draw.chance(2):
        return draw.pick(probes)
    numbers = place.scope.visible_numbers()
    if kind == 6 and numbers:
        return draw.pick(numbers)
    found = base(p, place)
    return str(draw.upto(9)) if found is None else reads.number(p, place, found)


def _sum(p: Program, place: Place) -> str:
    sign = p.draw.pick(("+", "-", "*", "|", "<", "==", "and", "or"))
    return f"({number(p, place)} {sign} {number(p, place)})"


def _chain(p: Program, place: Place) -> str:
    return f"({number(p, place)} < {number(p, place)} <= {number(p, place)})"


def _unary(p: Program, place: Place) -> str:
    return f"({p.draw.pick(('-', 'not ', '+', '~'))}{number(p, place)})"


def _conditional(p: Program, place: Place) -> str:
    return f"({number(p, place)} if {number(p, place)} else {number(p, place)})"


def _traced(p: Program, place: Place) -> str:
    return traced(p, place, number(p, place))


def _display(p: Program, place: Place) -> str:
    one, two = number(p, place), number(p, place)
    shape = p.draw.upto(5)
    if shape == 0:
        return f"({one}, {two})[1]"
    if shape == 1:
        return f"[{one}, {two}][0]"
    if shape == 2:
        return f"len({{{one}, {two}}})"
    if shape == 3:
        return f'{{"a": {one}, **{{"b": {two}}}}}["b"]'
    if shape == 4:
        return f"len([*[{one}], *({two},)])"
    return f"{{{one}: {two}}}.popitem()[1]"


def _call(p: Program, place: Place) -> str:
    one, two = number(p, place), number(p, place)
    return p.draw.pick(
        (
            f"max({one}, {two})",
            f"max(*[{one}], {two})",
            f"min([{one}, {two}], key=lambda it: it)",
            f'dict(k={one}, **{{"w": {two}}})["k"]',
            f"int(str({one}))",
            f"divmod({one}, 7)[1]",
        )
    )


def _slice(p: Program, place: Place) -> str:
    one, two = number(p, place), number(p, place)
    return p.draw.pick(
        (
            f"len(b'abcdefgh'[{one}:])",
            f"len(b'abcdefgh'[:{one} % 5])",
            f"len([1, 2, 3][{one} % 3:{two}:2])",
            f"[1, 2, 3][{one} % 3]",
        )
    )


def _lambda(p: Program, place: Place) -> str:
    scope = place.scope.inner("lambda")
    # It is called where it stands, so that it runs there.
    inner = place.deeper(scope=scope, generator=False, asynchronous=False)
    shape = p.draw.upto(3)
    if shape == 0:
        return f"(lambda: {number(p, inner)})()"
    name = scope.fresh("q")
    default = number(p, place)
    scope.numbers.append(name)
    if shape == 1:
        return f"(lambda {name}={default}: {number(p, inner)})()"
    if shape == 2:
        return f"(lambda *, {name}={default}: {number(p, inner)})()"
    return f"(lambda {name}, /: {number(p, inner)})({default})"


def _comprehension(p: Program, place: Place) -> str:
    name = place.scope.fresh("c")
    scope = place.scope.inner("comprehension")
    hides = _hidden_alias(p, place)
    target = name
    if hides is not None:
        # The comprehension's own name hides an alias: reads of it are someone else's.
        scope.aliases.append(hides)
        target = f"({name}, {hides.name})"
    inner = place.deeper(scope=scope)
    # The first iterable is evaluated outside, and may hold no walrus (PEP 572).
    first = number(p, place.deeper(walrus=False))
    source = f"range(abs({first}) % 3)"
    if hides is not None:
        source = f"[(it, other()) for it in {source}]"
    scope.numbers.append(name)
    test = f" if {number(p, inner)} >= 0" if p.draw.chance(3) else ""
    second = ""
    if p.draw.chance(4):
        deeper = scope.fresh("c")
        iterable = number(p, inner.deeper(walrus=False))
        second = f" for {deeper} in [{iterable}, 1]"
        scope.numbers.append(deeper)
    body = number(p, inner)
    loop = f"for {target} in {source}{test}{second}"
    return p.draw.pick(
        (
            f"sum([{body} {loop}])",
            f"sum({body} {loop})",
            f"len({{{body} {loop}}})",
            f"sum({{{name}: {body} {loop}}}.values())",
        )
    )


def _hidden_alias(p: Program, place: Place) -> Alias | None:
    visible = place.scope.visible_aliases()
    if not visible or not p.draw.chance(3):
        return None
    return Alias(p.draw.pick(visible).name, frozenset({"no"}), foreign=True)


def _walrus(p: Program, place: Place) -> str:
    scope = place.scope
    if not place.walrus or scope.around().kind == "class":
        return number(p, place)
    # In a comprehension the name belongs to the scope around: it may not be a
    # comprehension variable, which fresh names never are.
    name = scope.fresh("w")
    return f"({name} := {number(p, place)})"


def _fstring(p: Program, place: Place) -> str:
    inner = place.deeper(in_fstring=True)
    one, two = number(p, inner), number(p, inner)
    if any(c in unmarked(one + two) for c in ("\n", "\\", "'", "#", "{", "}", "!")):
        return f"({one} + {two})"
    if ":" in one + two or "lambda" in one + two:
        one, two = f"({one})", f"({two})"
    return (
        "len("
        + p.draw.pick(
            (
                f"f'a{{{one}}}b{{{two}}}'",
                f"f'{{{one}!r:>4}}'",
                f"f'{{{one}:{{abs({two}) % 9 + 1}}d}}{{{{}}}}'",
                f"f'{{{one}=}}'",
                f"f'{{ {one} = }}{{{two}}}'",
                f"f'''{{{one}:>3}}\n{{{two}=!s}}'''",
                f"rf'{{{one}}}' 'and' f'{{{two}}}'",
            )
        )
        + ")"
    )


def _await(p: Program, place: Place) -> str:
    if not place.asynchronous or place.scope.kind != "function":
        return number(p, place)
    return f"(await later({number(p, place)}))"


def _yield(p: Program, place: Place) -> str:
    if not place.generator or place.scope.kind != "function":
        return number(p, place)
    return f"((yield {number(p, place)}) or {number(p, place)})"


Shape = Callable[[Program, Place], str]

_QUIET: tuple[Shape, ...] = (_sum, _chain, _unary, _conditional, _traced, _call)
_SHAPES: tuple[Shape, ...] = (
    *_QUIET,
    _display,
    _slice,
    _lambda,
    _comprehension,
    _walrus,
    _fstring,
    _await,
    _yield,
)
