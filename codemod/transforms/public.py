"""Functions whose signature is not the project's alone to change."""

from __future__ import annotations

import re
from functools import cached_property

from codemod.packs import module_matches
from codemod.transforms.model import StepContext

OWNED = "its module owns the record"
OF_PACK = "the pack keeps its module"


class Public:
    """Says why somebody outside the project may call a function."""

    def __init__(self, context: StepContext) -> None:
        self._context = context

    def why(self, module: str, function: str) -> str:
        """Why a function, by its dotted path in a module, has to stay; "" if not."""
        context = self._context
        if module_matches(context.pack.cleanup.public, f"{module}.{function}"):
            return "the pack says that its signature is public"
        if module_matches(context.pack.record.owners, module):
            return OWNED
        for entry in context.pack.keeps:
            if entry.modules and module_matches(entry.modules, module):
                return OF_PACK
        source = context.index.sources[context.index.project.by_module[module].path]
        exports = context.index.facts(source.file.path).exports or ()
        if function.partition(".")[0] in exports:
            return "its module lists it in __all__"
        if f"{module}:{function}" in self._entry_points:
            return "it is an entry point"
        return ""

    @cached_property
    def _entry_points(self) -> frozenset[str]:
        """What the project's own packaging files name as ``module:function``."""
        found: set[str] = set()
        for name in ("pyproject.toml", "setup.cfg", "setup.py"):
            try:
                path = self._context.index.project.root / name
                text = path.read_text(encoding="utf-8", errors="replace")
            except OSError:
                continue
            found.update(re.findall(r"[\w.]+:[\w.]+", text))
        return frozenset(found)
