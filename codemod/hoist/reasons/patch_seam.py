"""Somebody replaces the name in its module while the program runs.

A test patches it, a module binds its own name anew through ``global``, or code assigns
to the module's attribute. The local import takes what is there at each call; a module
level import would take the first one for good, and the patch would go silent. Importing
the module instead and writing ``mod.name`` at the use keeps both.
"""

from __future__ import annotations

from codemod.hoist.case import Case

CODE = "patch-seam"
SUMMARY = "Something replaces it at run time."
EXAMPLE = {
    "app.py": """\
def start():
    from engine import connect  # <- patch-seam

    return connect()
""",
    "engine.py": """\
def connect():
    return 1
""",
    "test_app.py": """\
from unittest import mock


def test_start():
    with mock.patch("engine.connect", lambda: 2):
        pass
""",
}


def why(case: Case) -> str | None:
    """The sentence that explains the keep, or None."""
    imported = case.site.imported
    found = case.project.patches
    for patch in found.get((imported.module, imported.name), ()):
        what = f"{imported.module}.{imported.name}"
        if not imported.name:
            what = f"sys.modules[{imported.module!r}]"
        return (
            f"{patch.file}:{patch.line} replaces {what} ({patch.how}); imported early, "
            "the replacement would not be seen."
        )
    for module in (imported.module, case.target):
        for patch in found.get((module, ""), ()):
            return (
                f"{patch.file}:{patch.line} replaces the module {module} "
                f"({patch.how}); imported early, the replacement would not be seen."
            )
    for context in case.site.contexts:
        if context.kind == "patch":
            return f"It runs under `{context.text}` in line {context.line}."
    return None


def offer(case: Case) -> str:
    """The module instead of the name, where the name is one of a module's."""
    imported = case.site.imported
    if not imported.name or case.target != imported.module:
        return ""
    package, _, module = imported.module.rpartition(".")
    statement = f"from {package} import {module}" if package else f"import {module}"
    return f"{statement}, and {module}.{imported.name} at the use"
