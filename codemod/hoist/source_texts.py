"""The texts of a project's files: from disk, or as an earlier step has left them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from codemod.model import Problem
from codemod.project import Text, decode, read_text


@dataclass
class SourceTexts:
    """What each file holds, by its path relative to ``root``; read once.

    ``given`` are the bytes of files that are not to be read from disk.
    """

    root: Path
    given: Mapping[str, bytes] = field(default_factory=dict)
    _known: dict[str, Text] = field(default_factory=dict)

    def read(self, path: str) -> Text | Problem:
        """The text of a file, or why it cannot be had."""
        known = self._known.get(path)
        if known is not None:
            return known
        data = self.given.get(path)
        text = read_text(self.root, path) if data is None else decode(data, path)
        if isinstance(text, Text):
            self._known[path] = text
        return text

    def text(self, path: str) -> str:
        """The characters of a file, none when it cannot be read."""
        text = self.read(path)
        return text.text if isinstance(text, Text) else ""
