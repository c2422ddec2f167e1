"""nsroute: from one global config object to namespaced accessors.

The library's names are loaded when they are asked for, so that importing ``codemod``
costs nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

__version__ = "0.1.0"

if TYPE_CHECKING:
    from codemod.api import (
        Analysis,
        Applied,
        DirtyTreeError,
        Options,
        Plan,
        analyse,
        apply_in_place,
        plan_of,
        scan,
    )
    from codemod.api import plan as diff

__all__ = [
    "Analysis",
    "Applied",
    "DirtyTreeError",
    "Options",
    "Plan",
    "__version__",
    "analyse",
    "apply_in_place",
    "diff",
    "plan_of",
    "scan",
]


def __getattr__(name: str) -> object:
    if name in __all__:
        from codemod import api

        # ``codemod.plan`` is the module of edits, so the library goes by the command.
        return getattr(api, "plan" if name == "diff" else name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
