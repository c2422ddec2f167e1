"""The name means something else at module level, or in a scope in between.

The module binds it, another function needs the builtin of that name, a star import may
bring it, somebody sets it from outside, the function binds it to something else too or
asks for its ``locals()``, or others would see it appear (a package's attribute in place
of its submodule, a test class that pytest collects). An alias is offered.
"""

from __future__ import annotations

import builtins
import re

from codemod.hoist.case import Case, ProjectImports

_BUILTINS = frozenset(dir(builtins))
_TEST_FILE = re.compile(r"test_.*\.py|.*_test\.py")

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
    return _bound_by_others(case) or _listed(case) or _taken_for_others(case)


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


def _bound_by_others(case: Case) -> str | None:
    """What may bind the name of this module to something else than the import."""
    module, name = case.file.module, case.site.bound
    for patch in case.project.patches.get((module, name), ()):
        return (
            f"{patch.file}:{patch.line} sets {module}.{name} ({patch.how}): at module "
            f"level that would reach {case.site.function}."
        )
    imported = case.site.imported
    for star in case.file.stars:
        same = (star, name) == (imported.module, imported.name)
        if not same and case.project.brings(star, name):
            return f"`from {star} import *` in the module may bind {name!r} too."
    return None


def _listed(case: Case) -> str | None:
    """Whether somebody goes through all names of the module."""
    file, name = case.file, case.site.bound
    if name in file.top.bound:
        return None
    if file.lists_names:
        return (
            f"Line {file.lists_names} goes through the module's own names and would "
            f"find {name!r} there."
        )
    base = file.path.rpartition("/")[2]
    if _TEST_FILE.fullmatch(base) and name.lower().startswith("test"):
        return f"pytest would collect {name!r} as a test of this file."
    return None


def _taken_for_others(case: Case) -> str | None:
    """Whether a new attribute of the module would change what other files get."""
    module, name = case.file.module, case.site.bound
    if name in case.file.top.bound:
        return None
    submodule = f"{module}.{name}"
    if case.file.is_package and case.project.has_module(submodule):
        if case.target != submodule:
            return f"{submodule} is a module: as an attribute {name!r} would hide it."
        return None
    if "__getattr__" in case.file.top.bound and not name.startswith("_"):
        return f"{module} has a __getattr__ that {name!r} as an attribute would bypass."
    if name.startswith("_") or case.file.has_exports:
        return None
    other = _leaks_to(case.project, module, name, {module})
    if other:
        return f"{other} takes every name from {module} and has a {name!r} already."
    return None


def _leaks_to(project: ProjectImports, module: str, name: str, seen: set[str]) -> str:
    """A module to which a star import would bring ``name`` in place of another."""
    for other in project.starred.get(module, ()):
        taker = project.files.get(other)
        if taker is None or other in seen:
            continue
        seen.add(other)
        stars = (star for star in taker.stars if star != module)
        if (
            name in taker.top.bound
            or name in _BUILTINS
            or any(project.brings(star, name) for star in stars)
        ):
            return other
        deeper = "" if taker.has_exports else _leaks_to(project, other, name, seen)
        if deeper:
            return deeper
    return ""


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:] + "."
