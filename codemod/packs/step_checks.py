"""The checks of ``[[step]]`` and ``[verify]``; each error is at its key's place."""

from __future__ import annotations

import re
import string
from collections.abc import Callable
from typing import Any, Literal

from codemod.packs.errors import PackError, did_you_mean
from codemod.packs.model import KeyPath
from codemod.packs.schema import StepTable, VerifyTable
from codemod.packs.steps import (
    MESSAGE_KEYS,
    TIME_LIMIT,
    TRANSFORM_NAMES,
    External,
    Split,
    Step,
    Verify,
)

_NAME = re.compile(r"[A-Za-z0-9][\w.-]*")

Fail = Callable[[KeyPath, str], PackError]


def build_step(path: KeyPath, table: StepTable, fail: Fail) -> Step:
    """The step of one ``[[step]]`` table; ``fail`` makes the error of a key."""
    if not _NAME.fullmatch(table.name):
        problem = f"{table.name!r} must be letters, digits and any of . _ -"
        raise fail((*path, "name"), problem)
    external = _external(path, table, fail)
    transforms = _transforms(path, table, external is not None, fail)
    if table.message is not None:
        _check_message((*path, "message"), table.message, fail)
    if external is not None:
        for key in ("namespaces", "fields", "split"):
            if getattr(table, key):
                raise fail((*path, key), "has no meaning for an external step")
    if "hoist" in transforms:
        for key in ("namespaces", "fields", "split"):
            if getattr(table, key):
                raise fail((*path, key), "has no meaning for a hoist")
    elif table.imports:
        raise fail((*path, "imports"), "is for a hoist")
    return Step(
        table.name,
        transforms,
        table.namespaces,
        table.modules,
        table.fields,
        table.message,
        _split((*path, "split"), table.split, fail),
        external,
        table.imports,
    )


def build_verify(path: KeyPath, table: VerifyTable, fail: Fail) -> Verify | None:
    """The ``[verify]`` table, None when it says nothing."""
    if table.command is None:
        if table.timeout is not None:
            raise fail(path, "has no 'command'")
        return None
    if not table.command.strip():
        raise fail((*path, "command"), "must be a command line")
    return Verify(table.command, _seconds(path, table.timeout, fail))


def _transforms(
    path: KeyPath, table: StepTable, external: bool, fail: Fail
) -> tuple[str, ...]:
    given = table.transform
    if given is None:
        return ("external",) if external else ("reads",)
    names = (given,) if isinstance(given, str) else given
    if not names:
        raise fail((*path, "transform"), "must name a transform")
    for index, name in enumerate(names):
        here: KeyPath = (*path, "transform")
        if not isinstance(given, str):
            here = (*here, index)
        if name not in TRANSFORM_NAMES:
            known = ", ".join(TRANSFORM_NAMES)
            hint = did_you_mean(name, TRANSFORM_NAMES)
            raise fail(here, f"no transform is called {name!r}{hint} (there: {known})")
        if names.index(name) != index:
            raise fail(here, f"{name!r} is named twice")
        if (name == "external") != external:
            if external:
                raise fail(here, "a step with a tool of your own is 'external' alone")
            raise fail(here, "'external' needs one of command, codemod, bowler")
        if name == "hoist" and len(names) > 1:
            problem = (
                "'hoist' looks at the text of all files: give it a step of its own"
            )
            raise fail(here, problem)
    return names


def _external(path: KeyPath, table: StepTable, fail: Fail) -> External | None:
    kinds: tuple[Literal["command", "codemod", "bowler"], ...]
    kinds = ("command", "codemod", "bowler")
    given = [kind for kind in kinds if getattr(table, kind) is not None]
    if not given:
        for key in ("python", "arguments", "timeout"):
            if getattr(table, key):
                raise fail((*path, key), "needs one of command, codemod, bowler")
        return None
    if len(given) > 1:
        raise fail((*path, given[1]), f"says another tool than {given[0]!r}: keep one")
    kind = given[0]
    target = getattr(table, kind)
    if not target.strip():
        raise fail((*path, kind), "must not be empty")
    if kind == "codemod":
        names = target.replace(":", ".").split(".")
        if len(names) < 2 or not all(map(str.isidentifier, names)):
            problem = f"{target!r} is not the import path of a class, 'module.Class'"
            raise fail((*path, kind), problem)
        target = ".".join(names)
    if kind == "command" and (table.python or table.arguments):
        key = "python" if table.python else "arguments"
        raise fail((*path, key), "write it into the command")
    timeout = _seconds(path, table.timeout, fail)
    return External(kind, target, table.arguments, table.python, timeout)


def _seconds(path: KeyPath, given: float | None, fail: Fail) -> float:
    if given is None:
        return TIME_LIMIT
    if not 0 < given < 10**7:
        raise fail((*path, "timeout"), "must be a number of seconds above 0")
    return float(given)


def _split(path: KeyPath, given: Any, fail: Fail) -> Split | None:
    if given is None or given == "namespace" or given == "module":
        return given  # type: ignore[no-any-return]
    if isinstance(given, dict) and set(given) == {"files"}:
        number = given["files"]
        if isinstance(number, int) and not isinstance(number, bool) and number > 0:
            return number
        raise fail((*path, "files"), "must be a whole number above 0")
    raise fail(path, "must be 'namespace', 'module' or { files = N }")


def _check_message(path: KeyPath, template: str, fail: Fail) -> None:
    try:
        fields = list(string.Formatter().parse(template))
    except ValueError as error:
        problem = f"is no template: {error}; write a brace as {{{{ or }}}}"
        raise fail(path, problem) from None
    for _, name, form, conversion in fields:
        if name is None:
            continue
        if name not in MESSAGE_KEYS:
            hint = did_you_mean(name, MESSAGE_KEYS)
            known = ", ".join(MESSAGE_KEYS)
            raise fail(path, f"{{{name}}} means nothing{hint} (there: {known})")
        if form or conversion:
            raise fail(path, f"{{{name}}} takes no format: write {{{name}}}")
    if not template.split("\n", 1)[0].strip():
        raise fail(path, "must start with the commit's title")


def check_names(steps: tuple[Step, ...], fail: Fail) -> None:
    """Two steps of one name could not be told apart; raises at the second."""
    seen: set[str] = set()
    for index, step in enumerate(steps):
        if step.name in seen:
            problem = f"a step before is called {step.name!r} already"
            raise fail(("step", index, "name"), problem)
        seen.add(step.name)
