"""Where a file mentions words of interest, so that the rest need not be walked.

A function or class whose lines hold none of the words cannot read or bind the record:
the record has to be spelled. Walking only those that do is most of the speed of a scan.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable

from codemod.analysis.positions import SourceLines

#: A function with ``global`` may rebind a module-level name of interest.
_ALWAYS = ("global",)


class Hits:
    """Sorted numbers of the lines that mention a word.

    With ``whole`` a part of a longer name is no mention.
    """

    def __init__(self, text: str, lines: SourceLines, whole: bool = False) -> None:
        self._text = text
        self._lines = lines
        self._whole = whole
        self._words: set[str] = set()
        self._hits: list[int] = []

    def add(self, words: Iterable[str]) -> bool:
        """Look for more words; says whether there were any that are new."""
        fresh = {*words, *_ALWAYS} - self._words
        if not fresh:
            return False
        self._words |= fresh
        self._hits = sorted({*self._hits, *self._lines_with(fresh)})
        return True

    def add_outside(self, words: Iterable[str], bodies: list[tuple[int, int]]) -> None:
        """Look for words too, but not in the lines of function bodies."""
        inside = {n for first, last in bodies for n in range(first, last + 1)}
        self._hits = sorted({*self._hits, *(self._lines_with(words) - inside)})

    def _lines_with(self, words: Iterable[str]) -> set[int]:
        """The lines that hold one of the words."""
        found: set[int] = set()
        text, line, whole = self._text, self._lines.position_line, self._whole
        for word in words:
            # A search for plain text, many times quicker than one pattern for all.
            place = text.find(word)
            while place >= 0:
                end = place + len(word)
                if not whole or not (
                    _in_name(text[end : end + 1]) or _in_name(text[place - 1 : place])
                ):
                    found.add(line(place))
                place = text.find(word, end)
        return found

    def between(self, first: int, last: int) -> bool:
        """Whether a line from ``first`` to ``last`` mentions a word."""
        index = bisect_left(self._hits, first)
        return index < len(self._hits) and self._hits[index] <= last


def _in_name(character: str) -> bool:
    return character == "_" or character.isalnum()
