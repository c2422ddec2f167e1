"""Somebody replaces the name in its module while the program runs.

A test patches it, a module binds its own name anew through ``global``, or code assigns
to the module's attribute, or a module computes the name in its ``__getattr__``. The
local import takes what is there at each call; a module
level import would take the first one for good, and the patch would go silent. Importing
the module instead and writing ``mod.name`` at the use keeps both.
"""

from __future__ import annotations

from collections.abc import Iterator

from codemod.hoist.case import Case
from codemod.hoist.facts import ANY_NAME, Imported

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
    for module, name in _taken(imported):
        for patch in found.get((module, name), found.get((module, ANY_NAME), ())):
            what = f"{module}.{name}"
            if patch.name == ANY_NAME:
                what = f"names of {module}, maybe {name}"
            return (
                f"{patch.file}:{patch.line} replaces {what} ({patch.how}); imported "
                "early, the replacement would not be seen."
            )
    for module in (imported.module, case.target):
        for patch in found.get((module, ""), ()):
            return (
                f"{patch.file}:{patch.line} replaces the module {module} "
                f"({patch.how}); imported early, the replacement would not be seen."
            )
    file = case.project.files.get(imported.module)
    bound = file.top.bound if file is not None else frozenset()
    of_module = bool(imported.name) and case.target == imported.module
    if of_module and "__getattr__" in bound and imported.name not in bound:
        return (
            f"{imported.module} has no {imported.name!r} but computes it in its "
            "__getattr__, anew at each import."
        )
    for context in case.site.contexts:
        if context.kind == "patch":
            return f"It runs under `{context.text}` in line {context.line}."
    return None


def _taken(imported: Imported) -> Iterator[tuple[str, str]]:
    """The attributes that running the import takes, with their modules."""
    if imported.name:
        yield imported.module, imported.name
    elif imported.asname:
        # ``import a.b as c`` asks ``a`` for its ``b``.
        package, dot, name = imported.module.rpartition(".")
        if dot:
            yield package, name


def offer(case: Case) -> str:
    """The module instead of the name, where the name is one of a module's."""
    imported = case.site.imported
    if not imported.name or case.target != imported.module:
        return ""
    package, _, module = imported.module.rpartition(".")
    statement = f"from {package} import {module}" if package else f"import {module}"
    return f"{statement}, and {module}.{imported.name} at the use"
