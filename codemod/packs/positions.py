"""On which line each key of a TOML document stands.

``tomllib`` gives values and no positions, and an error in a pack has to name its
line. This reads the same text once more, for keys only; it is run on documents that
``tomllib`` has accepted, so it can trust the syntax (TOML 1.0.0).
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator

from codemod.project.toml import loads

Path = tuple["str | int", ...]

_SPACE = re.compile(r"[ \t]*")
_FILLER = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_STRING = re.compile(
    r'"""(?:[^\\]|\\.)*?"""(?:"{1,2}(?!"))?'
    r"|'''.*?'''(?:'{1,2}(?!'))?"
    r'|"(?:[^"\\\n]|\\.)*"'
    r"|'[^'\n]*'",
    re.DOTALL,
)
_OTHER = re.compile(r"[^,\]}#\n]*")


def key_lines(text: str) -> dict[Path, int]:
    """``("keep", 0, "fields")`` → the line, from 1, on which that key first stands.

    Items of arrays have positions of their own, tables the line of their header, and
    a table made by a dotted key the line of that key.
    """
    starts = [match.end() for match in re.finditer("\n", text)]
    lines: dict[Path, int] = {}
    for path, offset in _Scanner(text).document():
        lines.setdefault(path, bisect_right(starts, offset) + 1)
    return lines


class _Scanner:
    """A cursor over the text; each method reads one construct and moves past it."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        # How many tables each [[name]] has made so far.
        self._made: dict[Path, int] = {}

    def document(self) -> Iterator[tuple[Path, int]]:
        table: Path = ()
        while self._skip(_FILLER) < len(self._text):
            start = self._at
            if self._text.startswith("[[", start):
                self._at += 2
                path = self._resolve(self._key())
                self._at = self._text.index("]]", self._at) + 2
                index = self._made.get(path, -1) + 1
                self._made[path] = index
                table = (*path, index)
                yield from _with_parents(table, start)
            elif self._text[start] == "[":
                self._at += 1
                table = self._resolve(self._key())
                self._at = self._text.index("]", self._at) + 1
                yield from _with_parents(table, start)
            else:
                yield from self._pair(table)

    def _resolve(self, keys: list[str]) -> Path:
        """A header's name with the index of each array of tables on its way."""
        path: Path = ()
        for n, key in enumerate(keys):
            path = (*path, key)
            if path in self._made and n + 1 < len(keys):
                path = (*path, self._made[path])
        return path

    def _pair(self, table: Path) -> Iterator[tuple[Path, int]]:
        start = self._at
        path = (*table, *self._key())
        yield from _with_parents(path, start)
        self._at = self._text.index("=", self._at) + 1
        self._skip(_SPACE)
        yield from self._value(path)

    def _value(self, path: Path) -> Iterator[tuple[Path, int]]:
        string = _STRING.match(self._text, self._at)
        if string:
            self._at = string.end()
        elif self._text[self._at] == "[":
            yield from self._array(path)
        elif self._text[self._at] == "{":
            yield from self._inline_table(path)
        else:
            self._skip(_OTHER)

    def _array(self, path: Path) -> Iterator[tuple[Path, int]]:
        self._at += 1
        index = 0
        while self._text[self._skip(_FILLER)] != "]":
            if self._text[self._at] == ",":
                self._at += 1
                index += 1
                continue
            item = (*path, index)
            yield item, self._at
            yield from self._value(item)
        self._at += 1

    def _inline_table(self, path: Path) -> Iterator[tuple[Path, int]]:
        self._at += 1
        while self._text[self._skip(_FILLER)] != "}":
            if self._text[self._at] == ",":
                self._at += 1
                continue
            yield from self._pair(path)
        self._at += 1

    def _key(self) -> list[str]:
        keys = []
        while True:
            self._skip(_SPACE)
            string = _STRING.match(self._text, self._at)
            if string:
                keys.append(loads(f"key = {string.group()}")["key"])
                self._at = string.end()
            else:
                bare = _BARE_KEY.match(self._text, self._at)
                assert bare is not None, "the document is valid TOML"
                keys.append(bare.group())
                self._at = bare.end()
            self._skip(_SPACE)
            if not self._text.startswith(".", self._at):
                return keys
            self._at += 1

    def _skip(self, pattern: re.Pattern[str]) -> int:
        match = pattern.match(self._text, self._at)
        self._at = match.end() if match else self._at
        return self._at


def _with_parents(path: Path, offset: int) -> Iterator[tuple[Path, int]]:
    """The path and every table above it, each placed here unless it has a place."""
    for length in range(1, len(path) + 1):
        yield path[:length], offset
