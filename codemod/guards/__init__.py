"""The guards: what must stay true once a code base has moved to namespaces.

Each module has ``CODE`` (the guard's name in output, packs and baselines), ``SUMMARY``
(one line), a docstring that is its page in the docs, ``VALID`` and ``INVALID`` examples
that are run as tests, ``NEEDS_REASON`` (whether a baseline takes its findings only with
a reason: they are faults, not work that is left), and ``findings(context)``. To add a
guard is to add a file, its place in ``GUARDS`` and its name in
``codemod.packs.guarding``.
"""

from __future__ import annotations

from types import ModuleType

from codemod.guards import (
    accessors,
    coflip,
    configured,
    frozen,
    legacy,
    local_imports,
    pre_publish,
    reads,
    shadowing,
    suppressions,
    unread_parameters,
    writers,
)
from codemod.guards.model import Finding, GuardContext, Key

#: Every guard by its code, in the order of ``codemod.packs.guarding.GUARD_NAMES``.
GUARDS: dict[str, ModuleType] = {
    guard.CODE: guard
    for guard in (
        reads,
        writers,
        legacy,
        coflip,
        shadowing,
        frozen,
        pre_publish,
        accessors,
        configured,
        local_imports,
        unread_parameters,
        suppressions,
    )
}

__all__ = ["GUARDS", "Finding", "GuardContext", "Key"]
