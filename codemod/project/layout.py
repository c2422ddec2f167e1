"""The dotted name a file is imported by, from where it stands.

The rule, from the root down, for each directory:

1. Inside a regular package (a directory with ``__init__.py``) everything belongs to
   it, with or without an ``__init__.py`` of its own: below ``sglang/__init__.py`` a
   file ``sglang/srt/utils/x.py`` is ``sglang.srt.utils.x`` even though ``srt`` has
   none (PEP 420).
2. Outside of one, a directory is an import root, so that names start below it, when
   it is called ``src``, ``python`` or ``lib``, holds a ``pyproject.toml``,
   ``setup.py`` or ``setup.cfg``, is named by one of those as the place of packages,
   or has a name no import statement can spell. A directory with an ``__init__.py``
   is a package and not a root, unless packaging metadata names it.
3. Any other directory is a namespace package below the nearest import root.

The root given is an import root itself, unless it stands inside a package. That is
asked upwards in the same terms: as long as no packaging metadata, no checkout and no
unspellable name comes first, the topmost directory with an ``__init__.py`` is where
names start. So a module is ``sglang.srt.x`` whether the root is the repository, its
``python/`` folder, an unpacked wheel, or ``sglang/srt`` inside one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

ROOT_NAMES = frozenset({"src", "python", "lib"})
METADATA = ("pyproject.toml", "setup.cfg", "setup.py")


@dataclass(frozen=True, slots=True)
class Layout:
    """What names depend on: packages, import roots, and the root's own package.

    Directories are relative to the root, ``""`` being the root. ``roots`` maps an
    import root to the package its content belongs to, most often ``()``; ``marked``
    are directories with packaging metadata.
    """

    packages: frozenset[str]
    marked: frozenset[str]
    roots: Mapping[str, tuple[str, ...]]
    outer: tuple[str, ...]
    outer_is_package: bool


def read_layout(root: Path, names: Iterable[str]) -> Layout:
    """The layout of the tree at ``root``, of which ``names`` are all known files."""
    packages: set[str] = set()
    marked: set[str] = set()
    roots: dict[str, tuple[str, ...]] = {}
    for name in names:
        folder, _, base = name.rpartition("/")
        if base == "__init__.py":
            packages.add(folder)
        elif base in METADATA:
            marked.add(folder)
            if base != "setup.py":
                from codemod.project.packaging import declared_roots

                roots.update(declared_roots(root, folder, base))
    outer = outer_package(root)
    return Layout(
        packages=frozenset(packages),
        marked=frozenset(marked),
        roots=roots,
        outer=outer,
        outer_is_package=bool(outer),
    )


def outer_package(folder: Path) -> tuple[str, ...]:
    """The package that a directory is, by what stands above it; ``()`` for a root.

    >>> outer_package(Path("/unpacked-wheel/sglang/srt"))  # doctest: +SKIP
    ('sglang', 'srt')
    """
    parts: list[str] = []
    found: tuple[str, ...] = ()
    here = folder
    while here.name.isidentifier() and not _starts_names(here):
        parts.insert(0, here.name)
        if (here / "__init__.py").is_file():
            found = tuple(parts)
        elif here.name in ROOT_NAMES:
            break
        here = here.parent
    return found


def _starts_names(folder: Path) -> bool:
    if (folder / ".git").exists():
        return True
    if (folder / "__init__.py").is_file() and folder.parent.name.isidentifier():
        # A package may keep an old setup.py of its own, as numpy.core did.
        return (folder / "pyproject.toml").is_file()
    return any((folder / name).is_file() for name in METADATA)


class ModuleNames:
    """Names files by a layout; each directory is worked out once."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        inside = layout.outer_is_package
        prefix = layout.roots.get("", layout.outer)
        self._folders: dict[str, tuple[tuple[str, ...], bool]] = {
            "": (prefix, inside or bool(layout.roots.get("")))
        }

    def of(self, path: str) -> tuple[str, bool]:
        """``(module, is_package)`` of a ``.py`` file, by its path below the root.

        The ``__init__.py`` of an import root belongs to no package that can be
        named; it is the module ``__init__``.
        """
        folder, _, base = path.rpartition("/")
        prefix, _ = self._folder(folder)
        stem = base[: -len(".py")]
        if stem == "__init__" and prefix:
            return ".".join(prefix), True
        return ".".join((*prefix, stem)), False

    def _folder(self, folder: str) -> tuple[tuple[str, ...], bool]:
        known = self._folders.get(folder)
        if known is None:
            known = self._folders[folder] = self._work_out(folder)
        return known

    def _work_out(self, folder: str) -> tuple[tuple[str, ...], bool]:
        layout = self._layout
        parent, _, name = folder.rpartition("/")
        prefix, inside = self._folder(parent)
        declared = layout.roots.get(folder)
        if declared is not None and not inside:
            return declared, bool(declared)
        if inside:
            return (*prefix, name), True
        if not name.isidentifier():
            return (), False
        if folder in layout.packages:
            return (*prefix, name), True
        if name in ROOT_NAMES or folder in layout.marked:
            return (), False
        return (*prefix, name), False
