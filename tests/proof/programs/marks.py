"""Marks in generated text: where each read starts, and where the record escapes.

A mark is two private-use characters around a number, put directly before the
expression. ``strip`` takes the marks out and says where they were.
"""

from __future__ import annotations

import re

_OPEN, _CLOSE = "\ue000", "\ue001"
_ANY = re.compile(f"{_OPEN}(\\d+){_CLOSE}")


def mark(number: int) -> str:
    """The mark of one site."""
    return f"{_OPEN}{number}{_CLOSE}"


def unmarked(text: str) -> str:
    """The text without its marks."""
    return _ANY.sub("", text)


def strip(text: str) -> tuple[str, dict[int, tuple[int, int]]]:
    """The text without marks, and the line and column (from 1) of each mark."""
    places: dict[int, tuple[int, int]] = {}
    lines = []
    for number, line in enumerate(text.split("\n"), 1):
        plain = ""
        at = 0
        for found in _ANY.finditer(line):
            plain += line[at : found.start()]
            at = found.end()
            places[int(found.group(1))] = (number, len(plain) + 1)
        lines.append(plain + line[at:])
    return "\n".join(lines), places
