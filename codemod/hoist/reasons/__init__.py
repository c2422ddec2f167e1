"""Why a local import stays where it is: one file for each reason.

Each module has ``CODE`` (the reason's code), ``SUMMARY`` (one line), a docstring that
is its page in the docs, and ``EXAMPLE``: the files of a small project, in which each
import that is kept for the reason stands on a line marked ``# <- CODE``. Those in
``ORDER`` have ``why(case)``, the sentence that explains the keep or None, and
``offer(case)``, what a person may write instead or "". ``heavy`` and ``cycle`` look at
what importing loads, which is asked later. To add a reason is to add a file and its
place in ``ORDER``.
"""

from __future__ import annotations

from types import ModuleType

from codemod.hoist.case import Case, Keep
from codemod.hoist.reasons import (
    conditional,
    cycle,
    generated,
    heavy,
    name_taken,
    optional,
    patch_seam,
    side_effect,
    star,
    suppressed,
)

#: The first reason that holds names the keep and the later ones are not asked.
ORDER: tuple[ModuleType, ...] = (
    suppressed,
    generated,
    star,
    optional,
    conditional,
    side_effect,
    name_taken,
    patch_seam,
)

#: Every reason, in the order they are asked.
ALL: tuple[ModuleType, ...] = (*ORDER, heavy, cycle)


def first_reason(case: Case) -> Keep | None:
    """The first reason of ``ORDER`` that holds, or None for an import that may move."""
    for reason in ORDER:
        why = reason.why(case)
        if why is not None:
            offer = reason.offer(case) if hasattr(reason, "offer") else ""
            return Keep(reason.CODE, why, offer)
    return None
