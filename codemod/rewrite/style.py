"""The formatting that new lines have to fit: for now the length of a line."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

#: Black's and ruff's default, in characters.
DEFAULT_LINE_LENGTH = 88

# In the order they are asked: the formatter that decides where lines break comes
# before the import sorter. Each names the key as its own documentation spells it.
_SETTINGS = (
    ("ruff", "line-length"),
    ("black", "line-length"),
    ("isort", "line_length"),
)


@dataclass(frozen=True, slots=True)
class Style:
    """``line_length`` is the most characters a line may have before it is wrapped."""

    line_length: int = DEFAULT_LINE_LENGTH


DEFAULT_STYLE = Style()


def style_for(root: Path) -> Style:
    """Return the style of the nearest ``pyproject.toml`` at or above ``root``.

    Read are ``[tool.ruff] line-length``, ``[tool.black] line-length`` and
    ``[tool.isort] line_length``, in that order. A file that is missing, cannot be
    read, is not TOML or says nothing of this gives the default: it is no fault of the
    migration.
    """
    start = root.resolve()
    for folder in (start, *start.parents):
        path = folder / "pyproject.toml"
        if path.is_file():
            return _style_of(path)
    return DEFAULT_STYLE


def _style_of(path: Path) -> Style:
    from codemod.project.toml import loads

    try:
        settings = loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return DEFAULT_STYLE
    tools: Any = settings.get("tool")
    if not isinstance(tools, dict):
        return DEFAULT_STYLE
    for tool, key in _SETTINGS:
        table = tools.get(tool)
        length = table.get(key) if isinstance(table, dict) else None
        if isinstance(length, int) and not isinstance(length, bool) and length > 0:
            return Style(length)
    return DEFAULT_STYLE
