"""Function-local imports to module level, as far as is safe.

``plan_hoists(project, options)`` is the only way in: it decides on every local import,
with a reason and a proof for each that stays, and gives the new texts. Nothing is
written here.
"""

from __future__ import annotations

from codemod.hoist.model import HoistDecision, HoistPlan, HoistSummary
from codemod.hoist.options import HoistOptions
from codemod.hoist.planning import plan_hoists
from codemod.hoist.real import RealImportError, RealOptions

__all__ = [
    "HoistDecision",
    "HoistOptions",
    "HoistPlan",
    "HoistSummary",
    "RealImportError",
    "RealOptions",
    "plan_hoists",
]
