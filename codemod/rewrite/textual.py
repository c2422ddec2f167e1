"""What LibCST does not give back is carried over from the text, line by line.

LibCST drops a form feed before a statement, a line that holds only a backslash, and
carriage returns that stand alone. Such files are rewritten all the same: the lines
that an edit changed are put into the original text, so everything else stays as it was.
A form feed in front of a changed line stays in front of it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+\Z")


class NotMapped(Exception):  # noqa: N818 - no error of the user's
    """An edit stands on, or right beside, a line that LibCST does not reproduce.

    ``line`` is where the edit stands in the original, counted from 1.
    """

    def __init__(self, line: int) -> None:
        super().__init__(line)
        self.line = line


def carried_over(text: str, before: str, after: str) -> str:
    """Return ``text`` with the lines changed that differ from ``before`` to ``after``.

    ``before`` is the text as LibCST gives it back, ``after`` the same with the edits.
    Raises NotMapped when a changed line is not the same in ``text`` and ``before``.
    """
    original, old, new = lines_of(text), lines_of(before), lines_of(after)
    places = _places(original, old)
    result: list[str] = []
    done = 0
    for tag, first, last, new_first, new_last in _opcodes(old, new):
        if tag == "equal":
            continue
        start, end = _range(places, first, last)
        result += original[done:start]
        feeds = "".join(map(_leading_feeds, original[start:end]))
        result += [feeds, *new[new_first:new_last]]
        done = end
    return "".join([*result, *original[done:]])


def lines_of(text: str) -> list[str]:
    """Return the lines of ``text`` as Python counts them, each with its newline."""
    return _LINE.findall(text)


def _leading_feeds(line: str) -> str:
    return "\f" * (len(line) - len(_without_feeds(line)))


def _without_feeds(line: str) -> str:
    """Return ``line`` without the form feeds LibCST drops."""
    text = line.lstrip(" \t\f")
    return line if not text.strip() else line[: -len(text)].replace("\f", "") + text


def _opcodes(
    first: list[str], second: list[str]
) -> Sequence[tuple[str, int, int, int, int]]:
    return SequenceMatcher(None, first, second, autojunk=False).get_opcodes()


def _places(original: list[str], old: list[str]) -> dict[int, int]:
    """Map the index of each reproduced line to its index in the original."""
    return {
        old_first + offset: first + offset
        for tag, first, last, old_first, _ in _opcodes(
            [_without_feeds(line) for line in original], old
        )
        if tag == "equal"
        for offset in range(last - first)
    }


def _range(places: dict[int, int], first: int, last: int) -> tuple[int, int]:
    if first == last:
        if first - 1 in places:
            return places[first - 1] + 1, places[first - 1] + 1
        if first in places:
            return places[first], places[first]
    else:
        start = places.get(first, -1)
        end = start + last - first
        if [places.get(index) for index in range(first, last)] == [*range(start, end)]:
            return start, end
    above = [line for index, line in places.items() if index < first]
    raise NotMapped(max(above, default=-1) + 2)
