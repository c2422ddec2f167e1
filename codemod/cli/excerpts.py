"""A place in a source file as a person wants to see it: the line, and a caret."""

from __future__ import annotations

import re
from pathlib import Path

from codemod.cli.screen import Screen, safe

#: Lines of one expression that are shown before the rest is left out.
_MOST_LINES = 8
_TAB = 4


class SourceView:
    """The lines of a project's files, read when they are asked for."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._files: dict[str, list[str]] = {}

    def lines(self, file: str) -> list[str]:
        """The lines of a file without their ends; none if it cannot be read now.

        Lines end as the tokenizer says (Python reference 2.1.2), not at a form feed.
        """
        if file not in self._files:
            from codemod.project.text import Text, read_text

            text = read_text(self._root, file)
            self._files[file] = (
                re.split(r"\r\n|\r|\n", text.text) if isinstance(text, Text) else []
            )
        return self._files[file]

    def excerpt(
        self, screen: Screen, file: str, line: int, column: int, text: str
    ) -> list[str]:
        """The lines that ``text`` stands on, from ``line``, with carets under it.

        Lines that do not fit the window are cut; a long one that has the text far to
        the right is cut on the left too, so that the text is seen.
        """
        pieces = re.split(r"\r\n|\r|\n", text)
        rows = self.lines(file)[line - 1 : line - 1 + len(pieces)]
        gutter = len(str(line + len(rows) - 1))
        room = max(screen.width - gutter - 4, 20)
        bar = screen.paint("|", "blue")
        blank = f"{' ' * gutter} {bar}"
        out = [blank]
        for number, (row, piece) in enumerate(zip(rows, pieces)):
            if number == _MOST_LINES:
                out.append(f"{blank} …")
                break
            start = column - 1 if number == 0 else len(row) - len(row.lstrip())
            stop = start + len(piece) if number == 0 else len(piece)
            shown, mark = _marked(row, start, max(stop, start + 1), room)
            label = screen.paint(f"{line + number:>{gutter}}", "blue")
            out.append(f"{label} {bar} {shown}".rstrip())
            indent = " " * (len(mark) - len(mark.lstrip()))
            out.append(
                f"{blank} {indent}{screen.paint(mark.strip(), 'yellow', 'bold')}"
            )
        return out


def _marked(row: str, start: int, stop: int, room: int) -> tuple[str, str]:
    """A line and the carets under it, both within ``room`` columns."""
    from rich.cells import cell_len

    def shown(text: str) -> str:
        return safe(text.expandtabs(_TAB).replace("\t", " "))

    before, marked, after = (
        shown(row[:start]),
        shown(row[start:stop]),
        shown(row[stop:]),
    )
    if cell_len(before + marked) > room:
        spare = max(room - cell_len(marked), room // 3) - 1
        while before and cell_len(before) > spare:
            before = before[1:]
        before = f"…{before}"
    text = _fit(before + marked + after, room)
    width = min(cell_len(marked), max(room - cell_len(before), 1))
    return text, " " * cell_len(before) + "^" * width


def _fit(text: str, room: int) -> str:
    from rich.cells import cell_len, set_cell_size

    if cell_len(text) <= room:
        return text
    return set_cell_size(text, room - 1).rstrip() + "…"
