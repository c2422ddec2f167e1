"""Imports of the named modules inside of functions.

The pack names the modules: ``[guards.local-imports] modules = ["pkg.context"]``. An
import in a function hides a dependency and runs at every call; each one was once the
answer to an import cycle that may long be gone. ``nsroute hoist`` moves those that can.
"""

from __future__ import annotations

from codemod.guards.model import Finding, GuardContext, finding_at
from codemod.guards.samples import Sample
from codemod.packs import module_matches

CODE = "local-imports"
SUMMARY = "A function-local import of a module that belongs at module level."
NEEDS_REASON = False

VALID = (
    Sample(
        """\
from app.context import get_pool


def f():
    import json

    return json, get_pool()
"""
    ),
)
INVALID = (
    Sample(
        """\
def f():
    from app.context import get_pool  # <-

    if get_pool():
        import app.context as ctx  # <-

        return ctx


class C:
    def m(self):
        from app import context  # <-

        return context
"""
    ),
    Sample("def f():\n    from .context import get_pool  # <-\n    return get_pool\n"),
)


def findings(context: GuardContext) -> tuple[Finding, ...]:
    """One for each import statement."""
    modules = context.rule(CODE).modules
    found = []
    for file in context.guards.files if modules else ():
        for each in file.facts.local_imports:
            names = {name for ref in each.modules for name in _around(context, ref)}
            wanted = sorted(n for n in names if module_matches(modules, n))
            if not wanted:
                continue
            found.append(
                finding_at(
                    CODE,
                    file,
                    each.line,
                    each.column,
                    each.function,
                    f"{wanted[0]} is imported in a function",
                    "import it at module level: `nsroute hoist` shows what can move",
                    wanted[0],
                    each.text,
                )
            )
    return tuple(found)


def _around(context: GuardContext, ref: str) -> set[str]:
    """The module that an imported name is, or is in."""
    names = context.index.names
    module, _ = names.split(ref)
    return {module} if module else {ref}
