"""Source text and columns of syntax nodes, counted as people count them."""

from __future__ import annotations

import ast
import re
from bisect import bisect_right
from functools import lru_cache
from itertools import accumulate

_LINE_END = re.compile(r"\r\n|\r|\n")


def _starts(text: str) -> list[int]:
    """The offset of the first character of every line."""
    if "\r" in text:
        return [0, *(m.end() for m in _LINE_END.finditer(text))]
    lengths = [len(line) + 1 for line in text.split("\n")]
    lengths.pop()
    return [0, *accumulate(lengths)]


class SourceLines:
    """The lines of a file as the tokenizer splits them.

    ``ast`` counts columns in UTF-8 bytes; columns given out here count characters from
    1. A form feed or another Unicode line separator does not end a line (reference
    2.1.2), so ``str.splitlines`` will not do.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._ascii = text.isascii()
        self._starts = _starts(text)

    def line(self, number: int) -> str:
        """The text of a line (from 1), without its end."""
        start = self._starts[number - 1]
        end = self._starts[number] if number < len(self._starts) else len(self._text)
        return self._text[start:end].rstrip("\r\n")

    def offset(self, line: int, byte_column: int) -> int:
        """The character offset of an ``ast`` position."""
        start = self._starts[line - 1]
        if self._ascii:
            return start + byte_column
        prefix = self.line(line).encode("utf-8")[:byte_column]
        return start + len(prefix.decode("utf-8", "replace"))

    def character_offset(self, line: int, column: int) -> int:
        """The offset of a position whose column counts characters from 0."""
        return self._starts[line - 1] + column

    def position_line(self, offset: int) -> int:
        """The line of a character offset."""
        return bisect_right(self._starts, offset)

    def position(self, offset: int) -> tuple[int, int]:
        """The line and the UTF-8 byte column of a character offset."""
        line = bisect_right(self._starts, offset)
        start = self._starts[line - 1]
        return line, len(self._text[start:offset].encode("utf-8"))

    def column(self, line: int, byte_column: int) -> int:
        """The column from 1, in characters, of an ``ast`` position."""
        return self.offset(line, byte_column) - self._starts[line - 1] + 1

    def segment(self, node: ast.expr) -> str:
        """The exact source text of an expression."""
        start = self.offset(node.lineno, node.col_offset)
        assert node.end_lineno is not None and node.end_col_offset is not None
        return self._text[start : self.offset(node.end_lineno, node.end_col_offset)]


@lru_cache(maxsize=1)
def source_lines(text: str) -> SourceLines:
    """The lines of a text; the last ones are kept, for those who ask in a row."""
    return SourceLines(text)
