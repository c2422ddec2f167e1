"""The checks of ``[publish]`` and ``[guards]``; each error is at its key's place."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from codemod.packs.errors import PackError, did_you_mean
from codemod.packs.guarding import GUARD_NAMES, GuardRule, Guards, Publish
from codemod.packs.model import KeyPath
from codemod.packs.schema import (
    GUARD_TABLES,
    GuardTable,
    PublishTable,
    Table,
    keys_of,
)

Fail = Callable[[KeyPath, str], PackError]
Check = Callable[[KeyPath, str], object]
Convert = Callable[[KeyPath, Any, type[Table]], Any]


def build_publish(
    path: KeyPath, table: PublishTable, check_target: Check, fail: Fail
) -> Publish | None:
    """The ``[publish]`` table, None when it says nothing."""
    if table.call is None:
        if table.entries:
            raise fail(path, "has no 'call'")
        return None
    module, _, name = table.call.partition(":")
    owner, _, method = name.rpartition(".")
    if owner and method.isidentifier():
        check_target((*path, "call"), f"{module}:{owner.replace('.', '_')}")
    else:
        check_target((*path, "call"), table.call)
    if not table.entries:
        raise fail(path, "has no 'entries': name the functions where processes start")
    for index, entry in enumerate(table.entries):
        check_target((*path, "entries", index), entry)
    return Publish(table.call, table.entries)


def build_guards(
    values: Mapping[str, Any],
    convert: Convert,
    check_target: Check,
    check_glob: Check,
    fail: Fail,
) -> Guards:
    """The ``[guards]`` table."""
    rules: dict[str, GuardRule] = {}
    skip: frozenset[str] = frozenset()
    for name, value in values.items():
        path: KeyPath = ("guards", name)
        if name == "skip":
            skip = _skipped(path, value, fail)
            continue
        if name not in GUARD_NAMES:
            known = (*GUARD_NAMES, "skip")
            raise fail(path, f"there is no such guard{did_you_mean(name, known)}")
        table = convert(path, value, GUARD_TABLES.get(name, GuardTable))
        given = {key: getattr(table, key) for key in keys_of(type(table))}
        for key, check in (("calls", check_target), ("modules", check_glob)):
            for index, item in enumerate(given.get(key, ())):
                check((*path, key, index), item)
        for index, item in enumerate(given["except_modules"]):
            check_glob((*path, "except_modules", index), item)
        rules[name] = GuardRule(**given)
    return Guards(skip, rules)


def _skipped(path: KeyPath, value: Any, fail: Fail) -> frozenset[str]:
    try:
        names = msgspec.convert(value, type=tuple[str, ...])
    except msgspec.ValidationError:
        raise fail(path, "must be a list of guards") from None
    for index, name in enumerate(names):
        if name not in GUARD_NAMES:
            hint = did_you_mean(name, GUARD_NAMES)
            raise fail((*path, index), f"there is no guard {name!r}{hint}")
    return frozenset(names)
