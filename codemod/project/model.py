"""What a project is: its Python files, each with the name it is imported by."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from codemod.model import Problem


class ProjectError(Exception):
    """The root or a glob cannot be used at all; the message says which and why."""


@dataclass(frozen=True, slots=True)
class SourceFile:
    """One ``.py`` file.

    ``path`` is relative to the root, with ``/``. ``module`` is its dotted name (see
    ``codemod.project.layout`` for the rule). ``is_package`` is true for the
    ``__init__.py`` of a package, whose module is the package itself.
    """

    path: str
    module: str
    is_package: bool


@dataclass(frozen=True)
class Project:
    """All Python files below ``root``, sorted by path, and what was left out.

    ``skipped`` counts what is Python but not read, by kind: ``pyi``, ``notebook``,
    ``symlink``, ``submodule``. ``errors`` are paths that should have been source
    files and are not.
    """

    root: Path
    files: tuple[SourceFile, ...]
    skipped: dict[str, int] = field(default_factory=dict)
    errors: tuple[Problem, ...] = ()

    @cached_property
    def by_path(self) -> Mapping[str, SourceFile]:
        """Files by their path relative to the root."""
        return {file.path: file for file in self.files}

    @cached_property
    def by_module(self) -> Mapping[str, SourceFile]:
        """Files by module name; of two with one name the better one, always the same.

        A package wins over a module of its name, as the import system looks for it
        first (Python reference 5.5.3), and a name that an import statement can spell
        wins over one like ``a.b`` from a file ``a.b.py``; then the first by path.
        """
        found: dict[str, SourceFile] = {}
        ordered = sorted(
            self.files, key=lambda f: (not _importable(f), not f.is_package, f.path)
        )
        for file in ordered:
            found.setdefault(file.module, file)
        return found


def _importable(file: SourceFile) -> bool:
    stem = file.path.rpartition("/")[2][: -len(".py")]
    return stem.isidentifier()
