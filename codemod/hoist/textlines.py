"""Lines of a text as Python counts them."""

from __future__ import annotations

import re

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+\Z")


def lines_with_ends(text: str) -> list[str]:
    """The physical lines of ``text`` with their ends (lexical analysis 2.1.2).

    Unlike ``str.splitlines``, form feeds and the like end no line.
    """
    return _LINE.findall(text)


def lines_of(text: str) -> list[str]:
    """The physical lines of ``text`` without their ends."""
    return [line.rstrip("\r\n") for line in lines_with_ends(text)]


def newline_of(text: str) -> str:
    """The line ending of the first line; ``\\n`` when there is none."""
    first = _LINE.match(text)
    ending = first.group()[len(first.group().rstrip("\r\n")) :] if first else ""
    return ending or "\n"
