"""The name means something else at module level, or in a scope in between.

The module binds it, another function needs the builtin of that name, a star import may
bring it, the function binds it to something else too, or other files would see it
appear (a package's attribute in place of its submodule). An alias is offered.
"""

from __future__ import annotations

from codemod.hoist.case import Case

CODE = "name-taken"
SUMMARY = "The name means something else there."
EXAMPLE = {
    "app.py": """\
def open(path):
    return path


def start():
    from engine import open  # <- name-taken

    return open("x")
""",
    "engine.py": """\
def open(path):
    return path
""",
}


def why(case: Case) -> str | None:
    """The sentence that explains the keep, or None."""
    if case.site.taken:
        return _sentence(case.site.taken)
    return _taken_for_others(case)


def offer(case: Case) -> str:
    """The import under a name that is free in the module."""
    imported = case.site.imported
    tail = (imported.name and imported.module.rpartition(".")[2]) or ""
    name = imported.name or imported.module.replace(".", "_")
    for alias in (f"{tail}_{name}".strip("_"), f"_{name}", f"{name}_"):
        if alias not in case.file.top.bound and alias != imported.bound:
            if imported.name:
                return f"from {imported.module} import {name} as {alias}"
            return f"import {imported.module} as {alias}"
    return ""


def _taken_for_others(case: Case) -> str | None:
    """Whether a new attribute of the module would change what other files get."""
    module, name = case.file.module, case.site.bound
    if name in case.file.top.bound:
        return None
    submodule = f"{module}.{name}"
    if case.file.is_package and case.project.is_module(submodule):
        if case.target != submodule:
            return f"{submodule} is a module: as an attribute {name!r} would hide it."
        return None
    if name in case.project.wants.get(module, ()) and case.file.stars:
        return f"Other files take {name!r} from {module}, which has it from a star."
    if name.startswith("_") or case.file.has_exports:
        return None
    for other in case.project.starred.get(module, ()):
        taker = case.project.files.get(other)
        if taker is not None and name in taker.top.bound:
            return f"{other} takes every name from {module} and has a {name!r} itself."
    return None


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:] + "."
