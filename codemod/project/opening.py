"""From a directory to a project."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

from codemod.model import Problem
from codemod.project.layout import ModuleNames, read_layout
from codemod.project.listing import Listing, list_tree
from codemod.project.model import Project, ProjectError, SourceFile

_COUNTED = {".pyi": "pyi", ".ipynb": "notebook"}


def open_project(
    root: Path, include: Sequence[str] = (), exclude: Sequence[str] = ()
) -> Project:
    """The Python files below ``root``, named, in the order of their paths.

    ``include`` and ``exclude`` are globs on the relative path in the syntax of
    ``.gitignore`` (``tests/``, ``*_pb2.py``, ``/src/**/gen``); a file is taken when
    it matches an include, if there is one, and no exclude. Raises ProjectError for
    a root that is no directory and for a glob that is none.
    """
    root = Path(root).resolve()
    if not root.is_dir():
        problem = "is not a directory" if root.exists() else "does not exist"
        raise ProjectError(f"{root}: {problem}; ROOT is the directory to work on")
    wanted = _wanted(include, exclude)
    listing = list_tree(root)
    names = ModuleNames(read_layout(root, listing.files))
    files: list[SourceFile] = []
    errors: list[Problem] = []
    for path in listing.files:
        if path.endswith(".py") and wanted(path):
            if _spellable(path):
                files.append(SourceFile(path, *names.of(path)))
            else:
                errors.append(_unspellable(path))
    errors += (
        Problem(path, 0, "is a directory, not a source file; rename it or exclude it")
        for path in listing.folders
        if wanted(f"{path}/")
    )
    errors += (
        Problem(path or ".", 0, f"the directory cannot be read: {reason}")
        for path, reason in listing.closed.items()
        if not path or wanted(f"{path}/")
    )
    files.sort(key=lambda file: file.path)
    errors.sort(key=lambda error: error.file)
    return Project(root, tuple(files), _skipped(listing, wanted), tuple(errors))


def _skipped(listing: Listing, wanted: Callable[[str], bool]) -> dict[str, int]:
    count: Counter[str] = Counter()
    for path in listing.files:
        dot = path.rfind(".")
        kind = _COUNTED.get(path[dot:]) if dot >= 0 else None
        if kind and wanted(path):
            count[kind] += 1
    count["symlink"] = sum(map(wanted, listing.links))
    count["submodule"] = sum(map(wanted, listing.nested))
    return {kind: n for kind, n in sorted(count.items()) if n}


def _wanted(include: Sequence[str], exclude: Sequence[str]) -> Callable[[str], bool]:
    if not include and not exclude:
        return lambda path: True
    import pathspec

    def spec(globs: Sequence[str], option: str) -> pathspec.GitIgnoreSpec:
        for glob in globs:
            try:
                pathspec.GitIgnoreSpec.from_lines([glob])
            except ValueError as error:
                raise ProjectError(f"--{option} {glob!r}: bad glob: {error}") from None
        return pathspec.GitIgnoreSpec.from_lines(globs)

    taken, left = spec(include, "include"), spec(exclude, "exclude")
    return lambda path: (
        (not include or taken.match_file(path)) and not left.match_file(path)
    )


def _spellable(path: str) -> bool:
    return path.isascii() or not any("\ud800" <= c <= "\udfff" for c in path)


def _unspellable(path: str) -> Problem:
    shown = path.encode("utf-8", "backslashreplace").decode()
    return Problem(shown, 0, "its name is not valid UTF-8; rename it")
