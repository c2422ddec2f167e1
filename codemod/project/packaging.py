"""Where packaging metadata says that packages are.

Read are the tables that common build backends use to name a folder of packages:
setuptools (``packages.find.where``, ``package-dir``, also in ``setup.cfg``), hatch
(``packages``, ``sources``), poetry (``packages`` with ``from``), pdm, uv, maturin and
scikit-build. Metadata that cannot be read names nothing: it is not ours to judge.
"""

from __future__ import annotations

import configparser
import posixpath
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

Roots = dict[str, tuple[str, ...]]


def declared_roots(root: Path, folder: str, base: str) -> Roots:
    """Import roots that ``root / folder / base`` names, relative to ``root``.

    Each maps to the package that its content belongs to: ``()`` for a folder of
    packages, ``("pkg",)`` for one that is package ``pkg`` under another name.
    """
    path = root / folder / base
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return {}
    pairs = _from_setup_cfg(text) if base == "setup.cfg" else _from_pyproject(text)
    roots: Roots = {}
    for where, package in pairs:
        place = posixpath.normpath(posixpath.join(folder, where.replace("\\", "/")))
        place = "" if place == "." else place
        outside = place.startswith(("..", "/"))
        if not outside and (place != folder or package):  # it is a root already
            roots.setdefault(place, package)
    return roots


def _from_pyproject(text: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    from codemod.project.toml import TOMLDecodeError, loads

    try:
        tool = loads(text).get("tool")
    except TOMLDecodeError:
        return
    yield from _setuptools(_table(tool, "setuptools"))
    yield from _hatch(_table(tool, "hatch", "build"))
    for entry in _list(_table(tool, "poetry").get("packages")):
        if isinstance(entry, dict) and isinstance(entry.get("from"), str):
            yield entry["from"], ()
    for keys, key in (
        (("pdm", "build"), "package-dir"),
        (("uv", "build-backend"), "module-root"),
        (("maturin",), "python-source"),
    ):
        place = _table(tool, *keys).get(key)
        if isinstance(place, str) and place:
            yield place, ()
    yield from _parents(_table(tool, "scikit-build", "wheel").get("packages"))


def _setuptools(table: Mapping[str, Any]) -> Iterator[tuple[str, tuple[str, ...]]]:
    for where in _list(_table(table, "packages", "find").get("where")):
        if isinstance(where, str):
            yield where, ()
    yield from _package_dir(_table(table, "package-dir").items())


def _hatch(build: Mapping[str, Any]) -> Iterator[tuple[str, tuple[str, ...]]]:
    for table in (build, _table(build, "targets", "wheel")):
        yield from _parents(table.get("packages"))
        sources = table.get("sources")
        if isinstance(sources, dict):
            yield from _package_dir((v, k) for k, v in sources.items())
        for where in _list(sources):
            if isinstance(where, str):
                yield where, ()


def _from_setup_cfg(text: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    parser = configparser.ConfigParser(interpolation=None)
    try:
        parser.read_string(text)
    except configparser.Error:
        return
    find = "options.packages.find"
    if parser.has_option(find, "where"):
        for where in parser.get(find, "where").split():
            yield where, ()
    if parser.has_option("options", "package_dir"):
        rows = parser.get("options", "package_dir").replace(",", "\n").splitlines()
        pairs = (row.partition("=") for row in rows if "=" in row)
        yield from _package_dir(
            (name.strip(), place.strip()) for name, _, place in pairs
        )


def _package_dir(
    pairs: Iterable[tuple[Any, Any]],
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """``package → folder``, where the package ``""`` means all of them."""
    for package, place in pairs:
        if isinstance(package, str) and isinstance(place, str):
            names = tuple(package.replace("/", ".").split(".")) if package else ()
            yield place, names


def _parents(packages: object) -> Iterator[tuple[str, tuple[str, ...]]]:
    """A list of package folders: the folder above each is an import root."""
    for place in _list(packages):
        if isinstance(place, str) and "/" in place.strip("/"):
            yield posixpath.dirname(place.strip("/")), ()


def _table(value: object, *keys: str) -> Mapping[str, Any]:
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value if isinstance(value, dict) else {}


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []
