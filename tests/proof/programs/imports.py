"""Every spelling by which a module reaches the record."""

from __future__ import annotations

from dataclasses import dataclass

from tests.proof.programs.model import YES, Base, Lines, Module, Program


@dataclass(frozen=True)
class Spelling:
    """Import lines and the expression that is the record after them."""

    lines: tuple[str, ...]
    text: str
    form: str = "call"


def spellings(module: Module) -> list[Spelling]:
    """The spellings that work in a module at that place in the package."""
    dots = "." * (module.name.count(".") + (1 if module.is_package else 0))
    fresh = module.scope.fresh
    ga, ctx, getter = fresh("ga"), fresh("ctx"), fresh("getter")
    there = "app.context"
    return [
        Spelling((f"from {there} import get_args",), "get_args()"),
        Spelling((f"from {there} import get_args as {ga}",), f"{ga}()"),
        Spelling((f"import {there}",), f"{there}.get_args()"),
        Spelling((f"import {there} as {ctx}",), f"{ctx}.get_args()"),
        Spelling(("from app import context",), "context.get_args()"),
        Spelling((f"from app import context as {ctx}",), f"{ctx}.get_args()"),
        Spelling((f"from {dots}context import get_args",), "get_args()"),
        Spelling((f"from {dots} import context as {ctx}",), f"{ctx}.get_args()"),
        Spelling((f"from {there} import config",), "config", "object"),
        Spelling((f"import {there} as {ctx}",), f"{ctx}.config", "object"),
        Spelling(
            (f"from {there} import (", "    config as standing,", "    get_args,", ")"),
            "standing",
            "object",
        ),
        Spelling(("from app.facade import fetch",), "fetch()"),
        Spelling(("import app.facade",), "app.facade.fetch()"),
        Spelling(("from app.facade import get_args",), "get_args()"),
        Spelling(("from app.facade import *",), "get_args()"),
        Spelling(("from app.facade import SETTINGS",), "SETTINGS", "object"),
        Spelling(("from app import get_args",), "get_args()"),
        Spelling(("import app",), "app.get_args()"),
        Spelling((f"from {there} import *",), "get_args()"),
        Spelling(
            (f"from {there} import get_args as {ga}", f"{getter} = {ga}"),
            f"{getter}()",
        ),
        Spelling(
            (
                "try:",
                f"    from {there} import get_args",
                "except ImportError:",
                "    raise",
            ),
            "get_args()",
        ),
        Spelling(("if True:", f"    from {there} import get_args"), "get_args()"),
        Spelling((f"from {there} import get_args; import json",), "get_args()"),
    ]


#: Imports of probes, and the calls that they allow.
_PROBES = (
    ("from app.machine import count_lanes, is_fast", ("is_fast()", "count_lanes()")),
    ("from app.machine import is_fast as quick", ("quick()",)),
    ("import app.machine", ("app.machine.count_lanes()", "app.machine.is_fast()")),
    ("from app import machine", ("machine.is_fast()", "machine.count_lanes()")),
    ("import app.machine as hardware", ("hardware.count_lanes()",)),
)

#: Lines of imports of modules that reach nothing: they must do no harm.
_NEUTRAL = (
    "import os",
    "import json, sys",
    "from collections import OrderedDict as _OD, deque",
    "from typing import TYPE_CHECKING",
    "from app.context import get_exec",
    "from app.context import get_model, get_device",
    "import app.context",
    "from app.context import serve",
    "from app import elsewhere",
)

#: Module-level bindings that take an accessor's name away, with the name.
_TAKERS = (
    ("from app.elsewhere import get_device", "get_device"),
    ("get_exec = None", "get_exec"),
    ("def get_model():\n    return 'mine'", "get_model"),
    ("get_exec_namespace = 1", "get_exec_namespace"),
    ("class device_ns:\n    pass", "device_ns"),
    ("import json as serve", "serve"),
    ("for get_exec in [1]:\n    pass", "get_exec"),
    ("if one():\n    get_model_namespace = 2", "get_model_namespace"),
)


def crossing(p: Program, module: Module) -> list[Spelling]:
    """Names of the record that other generated modules have at their own level."""
    found: list[Spelling] = []
    for other in p.modules:
        if other.cyclic or (other.after_publish and not module.after_publish):
            continue
        names = [(b.text, b.form) for b in other.bases if b.statuses == YES]
        names += [
            (alias.name, "object")
            for alias in other.scope.aliases
            if alias.statuses == YES and not alias.caught
        ]
        for text, form in names:
            name = text.removesuffix("()")
            if not name.isidentifier():
                continue
            tail = text.removeprefix(name)
            there = module.scope.fresh("there")
            found += [
                Spelling((f"from {other.name} import {name}",), text, form),
                Spelling(
                    (f"from {other.name} import {name} as {there}",),
                    f"{there}{tail}",
                    form,
                ),
                Spelling((f"import {other.name} as {there}",), f"{there}.{text}", form),
            ]
    return found


def write_imports(p: Program, module: Module) -> Lines:
    """The imports of a module; its bases are set by the way."""
    draw = p.draw
    lines: Lines = [
        "from app.config import Config, other",
        "from app.context import override, scoped",
        "from app.trace import Boom, aholder, arange, boom, drive, holder",
        "from app.trace import held, later, one, pair, same, t, zero",
        "from contextlib import suppress",
    ]
    if module.cyclic:
        lines[1] = "from app.trace import override, scoped"
    blocks: list[tuple[str, ...]] = []
    chosen: list[Spelling] = []
    if not module.cyclic:
        options = spellings(module)
        for _ in range(draw.between(1, 2)):
            across = crossing(p, module) if draw.chance(3) else []
            chosen.append(draw.pick(across or options))
        blocks += dict.fromkeys(each.lines for each in chosen)
    neutral = [n for n in _NEUTRAL if not module.cyclic or "app" not in n]
    taken = module.scope.taken
    if draw.chance(3):
        blocks.append((draw.pick(neutral),))
    if p.pack.probes and draw.chance(2):
        line, module.probes = draw.pick(_PROBES)
        blocks.append((line,))
    bound = "\n".join(line for each in blocks for line in each)
    if draw.chance(4):
        taker, name = draw.pick(_TAKERS)
        starred = "import *" in bound
        if not starred and name not in bound and not (module.cyclic and "app" in taker):
            blocks.append(tuple(taker.split("\n")))
            taken.add(name)
    for each in draw.order(blocks):
        lines += each
    if draw.chance(6):
        exported = [s.text.removesuffix("()") for s in chosen]
        lines += [f"__all__ = {[name for name in exported if name.isidentifier()]}"]
    if draw.chance(6):
        lines += ["if TYPE_CHECKING:", ["from app.context import get_exec, get_model"]]
        lines.insert(0, "from typing import TYPE_CHECKING")
    module.bases = [Base(s.text, YES, s.form) for s in chosen]
    if not module.cyclic and draw.chance(6):
        lines += ["from app import elsewhere as away"]
        module.bases.append(Base("away.get_args()", frozenset({"no"}), ""))
    return lines
