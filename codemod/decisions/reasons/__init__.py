"""Why a read is kept: one file for each reason, checked in the order of ``ORDER``.

Each module has ``CODE`` (the reason's code), ``SUMMARY`` (one line), a docstring that
is its page in the docs, ``EXAMPLE`` (a module's text that shows it, with the kept read
on the line marked ``# <- CODE``), and ``why(case)``: the sentence that explains the
keep, or None when the reason does not hold. To add a reason is to add a file and its
place in ``ORDER``.
"""

from __future__ import annotations

from types import ModuleType

from codemod.decisions.reasons import (
    ambiguous,
    backfill,
    configured,
    derived,
    guarded,
    import_time,
    name_taken,
    owner,
    pack_keep,
    parameter,
    pre_publish,
    side_effect,
    suppressed,
    unrouted,
    write_target,
)

#: The first reason that holds names the keep and the later ones are not asked.
ORDER: tuple[ModuleType, ...] = (
    suppressed,
    owner,
    pack_keep,
    parameter,
    backfill,
    ambiguous,
    write_target,
    import_time,
    guarded,
    pre_publish,
    side_effect,
    derived,
    configured,
    unrouted,
    name_taken,
)
