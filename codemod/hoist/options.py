"""What a person may ask of ``nsroute hoist``."""

from __future__ import annotations

from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Literal

from codemod.api import is_wanted
from codemod.hoist.facts import FileImports, LocalImport
from codemod.hoist.real import RealOptions

Trust = Literal["simulation", "real", "both"]


@dataclass(frozen=True, slots=True)
class HoistOptions:
    """Which local imports to look at, and what to believe.

    ``modules`` are globs on the imported module (``--module``); without any, all
    modules of the project are meant, and with ``third_party`` all others. ``paths``
    are globs on files or dotted modules that narrow whose imports are looked at, and
    ``fixed`` are files that must not change.
    ``most_modules`` is how many modules of the project an import may load in addition,
    and ``allow_packages`` are packages that it may load all the same. With
    ``conditions`` an ``if`` keeps an import only when it asks about the platform.

    ``trust`` says whose word counts: with ``both``, an import is hoisted when neither
    simulation nor real interpreter objects. ``jobs`` is the number of processes.
    """

    modules: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    fixed: frozenset[str] = frozenset()
    third_party: bool = False
    most_modules: int = 50
    allow_packages: frozenset[str] = frozenset()
    conditions: bool = False
    trust: Trust = "both"
    real: RealOptions = field(default_factory=RealOptions)
    jobs: int = 1

    def selects(
        self, file: FileImports, site: LocalImport, roots: frozenset[str]
    ) -> bool:
        """Whether ``site`` is asked for; ``roots`` are the project's top names."""
        if file.path in self.fixed:
            return False
        if not is_wanted(file.path, file.module, self.paths):
            return False
        imported = site.imported
        if self.modules:
            names = (imported.module, f"{imported.module}.{imported.name}")
            return any(fnmatchcase(n, glob) for glob in self.modules for n in names)
        return self.third_party or imported.module.partition(".")[0] in roots
