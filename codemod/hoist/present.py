"""Modules of a project that are no Python files: extensions, stubs, plain folders."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from codemod.project import Project


def modules_on_disk(project: Project, wanted: Iterable[str]) -> set[str]:
    """Those of ``wanted`` for which something other than a ``.py`` file is on disk.

    An extension module, a stub or a folder beside the files of the package: importing
    it is taken to work.
    """
    known = project.by_module
    folders = _package_folders(project)
    found: set[str] = set()
    for module in wanted:
        if module in known:
            continue
        package, _, name = module.rpartition(".")
        for folder in folders.get(package, ()):
            if (folder / name).is_dir() or any(folder.glob(f"{name}.*")):
                found.add(module)
    return found


def source_roots(project: Project) -> list[str]:
    """The folders to put on ``sys.path`` to import the project's modules."""
    found: dict[str, None] = {}
    for file in project.files:
        parts = file.path.removesuffix(".py").split("/")
        if file.is_package:
            parts = parts[:-1]
        names = file.module.split(".")
        if parts[-len(names) :] == names:
            folder = project.root.joinpath(*parts[: -len(names)])
            found.setdefault(str(folder))
    return list(found)


def _package_folders(project: Project) -> dict[str, set[Path]]:
    found: dict[str, set[Path]] = {}
    for file in project.files:
        package = file.module if file.is_package else file.module.rpartition(".")[0]
        folder = (project.root / file.path).parent
        while package and folder not in found.setdefault(package, set()):
            found[package].add(folder)
            package = package.rpartition(".")[0]
            folder = folder.parent
        found.setdefault("", set()).add(folder)
    return found
