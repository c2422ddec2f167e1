"""A module that starts a process: what it calls first runs before publishing."""

from __future__ import annotations

from collections.abc import Callable

from tests.proof.programs.model import Lines, Module, Place, Program

Block = Callable[[Program, Place, int], Lines]


def boot(p: Program, module: Module, block: Block) -> list[Lines]:
    """The pieces of the module: functions for before, for after, and ``main``."""
    draw = p.draw
    scope = module.scope
    pieces: list[Lines] = []
    before: list[str] = []
    for _ in range(draw.between(1, 2)):
        name = scope.fresh("pre")
        inner = Place(module, scope.inner("function", name), live=True, early=True)
        # What an earlier one calls is called before publishing too.
        calls = [f"{before[-1]}()"] if before and draw.chance(2) else []
        pieces.append([f"def {name}():", [*calls, *block(p, inner.deeper(), 3)]])
        before.append(name)
    after = scope.fresh("post")
    inner = Place(module, scope.inner("function", after), live=True, depth=1)
    pieces.append([f"def {after}():", block(p, inner, 3)])
    main = scope.inner("function", "main")
    early = Place(module, main, live=True, early=True, depth=2)
    late = Place(module, main, live=True, depth=2)
    first: Lines = [f"{name}()" for name in before]
    if draw.chance(2):
        first = ["if one():", [*first]]
    body: Lines = [*first, *block(p, early, 1)]
    numbers, aliases = list(main.numbers), list(main.aliases)
    body += [f"publish(alpha={draw.upto(9)})", f"{after}()"]
    del main.numbers[len(numbers) :], main.aliases[len(aliases) :]
    body += block(p, late, 2)
    pieces.append(["def main():", body])
    module.calls.append("app.boot.main()")
    return [["from app.context import publish"], *pieces]
