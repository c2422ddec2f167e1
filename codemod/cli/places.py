"""From the positional arguments to ROOT and what the work is narrowed to."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from codemod.cli.exits import UsageError

_GLOB = re.compile(r"[*?\[]")
_MODULE = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*")


@dataclass(frozen=True, slots=True)
class Places:
    """``root`` as the person wrote it; ``only`` as ``codemod.api.Options`` takes it."""

    root: str
    only: tuple[str, ...]


def resolve_places(
    arguments: Sequence[str], root: str | None, rules: str | None = None
) -> Places:
    """ROOT and the narrowing paths and globs of a command line.

    With ``--root`` every argument narrows. Without it the first argument is ROOT when
    it is a directory, unless it is a part of the project in the current directory: a
    package, or a directory without a configuration below one that has it.
    """
    rest = list(arguments)
    if root is None:
        root = "."
        if rest and Path(rest[0]).is_dir() and not _is_part(Path(rest[0]), rules):
            root = rest.pop(0)
    return Places(root, tuple(_narrowing(text, Path(root)) for text in rest))


def is_configured(folder: Path) -> bool:
    """Whether a directory says which pack to use."""
    if (folder / "nsroute.toml").is_file():
        return True
    try:
        text = (folder / "pyproject.toml").read_text("utf-8", "replace")
    except OSError:
        return False
    return re.search(r"^\s*\[+\s*tool\s*\.\s*nsroute\b", text, re.M) is not None


def _is_part(folder: Path, rules: str | None) -> bool:
    here = Path.cwd()
    inside = folder.resolve() != here and here in folder.resolve().parents
    if not inside or is_configured(folder):
        return False
    if (folder / "__init__.py").is_file():
        return True
    return rules is None and is_configured(here)


def _narrowing(text: str, root: Path) -> str:
    if _GLOB.search(text):
        return text.removeprefix("./")
    for path in (Path(text), root / text):
        if path.exists():
            # Only the root itself is resolved, so that a link keeps its listed name.
            place = path.parent.resolve() / path.name
            base = root.resolve()
            if path.name in ("", "..") or place == base:
                place = path.resolve()
            if place.is_relative_to(base):
                return place.relative_to(base).as_posix()
    if _MODULE.fullmatch(text) and not text.endswith(".py"):
        return text
    raise UsageError(
        f"{text}: there is no such path in {root}",
        "narrow with paths, or with module globs such as 'app.core.*'",
    )
