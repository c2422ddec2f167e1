"""What a keep reason's code means, in a line and as a page."""

from __future__ import annotations

from types import ModuleType

from codemod.packs import Pack


def reason_module(code: str) -> ModuleType:
    """The module of a built-in reason; a pack's own code is a ``[[keep]]`` entry."""
    from codemod.decisions.reasons import ORDER, pack_keep

    return next((module for module in ORDER if code == module.CODE), pack_keep)


def summary(code: str, pack: Pack) -> str:
    """One line on a reason: the pack's own words where it keeps by that code."""
    for keep in pack.keeps:
        if keep.reason == code:
            return keep.why
    return str(reason_module(code).SUMMARY)
