"""Python that nobody writes: too deep, too long, too much.

Each shape is one module that has a read of the record in it. ``few`` are those that are
quick and yet of every kind.
"""

from __future__ import annotations

from collections.abc import Callable

READ = "get_config().size"
_HEAD = "from app.context import get_config\n"
_MANY = 100_000

Shape = Callable[[], str]


def _returning(expression: str) -> str:
    return f"{_HEAD}\n\ndef f(a, b, x):\n    return {expression}\n"


def _nested(line: str, levels: int) -> str:
    rows = (" " * level + line for level in range(levels))
    return _HEAD + "".join(rows) + " " * levels + f"print({READ})\n"


SHAPES: dict[str, Shape] = {
    "parentheses": lambda: _returning("(" * _MANY + READ + ")" * _MANY),
    "parentheses that are allowed": lambda: _returning("(" * 150 + READ + ")" * 150),
    "brackets": lambda: _returning("[" * _MANY + READ + "]" * _MANY),
    "a million terms": lambda: _returning(READ + "+1" * 1_000_000),
    "900 terms": lambda: _returning(READ + "+1" * 900),
    "not not": lambda: _returning("not " * _MANY + READ),
    "minus minus": lambda: _returning("-" * _MANY + READ),
    "attributes": lambda: _returning(READ + ".a" * _MANY),
    "subscripts": lambda: _returning(READ + "[0]" * _MANY),
    "calls": lambda: _returning(READ + "()" * _MANY),
    "powers": lambda: _returning("2**" * _MANY + READ),
    "if else": lambda: _returning("a if b else " * _MANY + READ),
    "lambdas": lambda: _returning("lambda: " * _MANY + READ),
    "comparisons": lambda: _returning(READ + "<1" * _MANY),
    "and and": lambda: _returning("a and " * _MANY + READ),
    "20,000 and": lambda: _returning("a and " * 20_000 + READ),
    "strings side by side": lambda: _returning(f"{READ}, " + '"a" ' * _MANY),
    "for for": lambda: _returning("[a " + "for a in b " * 6000 + f"if {READ}]"),
    "walruses": lambda: _returning("(x := " * 150 + READ + ")" * 150),
    "f-strings": lambda: _returning('f"{' * 5 + READ + '}"' * 5),
    "targets": lambda: f"{_HEAD}\n\ndef f():\n    {'x = ' * 20_000}{READ}\n",
    "elif": lambda: (
        f"{_HEAD}\n\ndef f(a, b):\n    if a: return 1\n"
        + "    elif b: return 2\n" * 20_000
        + f"    return {READ}\n"
    ),
    "decorators": lambda: _HEAD + "@x\n" * 20_000 + f"def f(): return {READ}\n",
    "blocks": lambda: _nested("if 1:\n", 99),
    "too many blocks": lambda: _nested("if 1:\n", 200),
    "functions": lambda: _nested("def f():\n", 90),
    "dots": lambda: f"import {'a.' * _MANY}b\n{_HEAD}x = {READ}\n",
    "a long line": lambda: _returning(f"{READ}, '{'a' * 50_000_000}'"),
    "50 MB of data": lambda: (
        _returning(READ)
        + "x = [\n"
        + "    1, 2, 3, 4, 5, 6, 7, 8,\n" * 1_800_000
        + "]\n"
    ),
    "10,000 reads": lambda: _HEAD + f"def f(): return {READ}\n" * 10_000,
}

FEW = (
    "parentheses",
    "a million terms",
    "20,000 and",
    "blocks",
    "too many blocks",
    "if else",
    "50 MB of data",
)
