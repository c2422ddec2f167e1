"""A pack's TOML as dataclasses; every error names file, line and key.

``load_pack`` finds and checks a pack. ``module_matches`` is the one matcher for
everything a pack selects by dotted glob.
"""

from __future__ import annotations

from codemod.packs.builtin import builtin_packs
from codemod.packs.errors import PackError, Where
from codemod.packs.globs import BadGlobError, module_matches
from codemod.packs.guarding import GUARD_NAMES, GuardRule, Guards, Publish
from codemod.packs.loading import load_pack
from codemod.packs.model import (
    Accessor,
    Cleanup,
    Configured,
    Derived,
    Keep,
    Pack,
    ProbeKeep,
    Probes,
    Record,
    Routes,
    Site,
    Writer,
)
from codemod.packs.steps import External, Step, Verify

__all__ = [
    "GUARD_NAMES",
    "Accessor",
    "BadGlobError",
    "Cleanup",
    "Configured",
    "Derived",
    "External",
    "GuardRule",
    "Guards",
    "Keep",
    "Pack",
    "PackError",
    "ProbeKeep",
    "Probes",
    "Publish",
    "Record",
    "Routes",
    "Site",
    "Step",
    "Verify",
    "Where",
    "Writer",
    "builtin_packs",
    "load_pack",
    "module_matches",
]
