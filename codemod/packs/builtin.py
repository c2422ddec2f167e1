"""The packs that come with nsroute."""

from __future__ import annotations

from pathlib import Path


def builtin_packs() -> tuple[str, ...]:
    """The names of the packs that come with nsroute, sorted."""
    return tuple(sorted(path.stem for path in _builtin_folder().glob("*.toml")))


def builtin_path(name: str) -> Path | None:
    """The file of a built-in pack, or None when there is none of that name."""
    path = _builtin_folder() / f"{name}.toml"
    return path if name.isidentifier() and path.is_file() else None


def _builtin_folder() -> Path:
    """``codemod/_rules`` in a wheel, ``rules`` in a checkout."""
    package = Path(__file__).resolve().parents[1]
    installed = package / "_rules"
    return installed if installed.is_dir() else package.parent / "rules"
