"""Tables that are Markdown as they stand, so that they can be pasted into a review."""

from __future__ import annotations

from collections.abc import Sequence

from codemod.cli.screen import Screen, safe


def table(
    screen: Screen,
    head: Sequence[str],
    rows: Sequence[Sequence[str | int]],
    loose: int | None = None,
) -> list[str]:
    """The lines of a table; columns of numbers are flush right.

    ``loose`` is the column that is cut with ``…`` where the window is too narrow, by
    default the last one.
    """
    from rich.cells import cell_len, set_cell_size

    texts = [[_cell(value) for value in row] for row in rows]
    right = [
        bool(rows) and all(isinstance(row[column], int) for row in rows)
        for column in range(len(head))
    ]
    widths = [
        max(map(cell_len, (name, *(row[column] for row in texts))))
        for column, name in enumerate(head)
    ]
    loose = len(head) - 1 if loose is None else loose
    # Each column has "| " before and " " after it, and the row ends in "|".
    spare = screen.width - sum(widths) - 3 * len(head) - 1
    if spare < 0:
        widths[loose] = max(widths[loose] + spare, cell_len(head[loose]), 8)

    def fit(text: str, column: int) -> str:
        width = widths[column]
        if cell_len(text) > width:
            return set_cell_size(text, width - 1) + "…"
        blank = " " * (width - cell_len(text))
        return blank + text if right[column] else text + blank

    def row(cells: Sequence[str]) -> str:
        return "| " + " | ".join(fit(c, n) for n, c in enumerate(cells)) + " |"

    rule = [
        "-" * (width - 1) + ":" if flush else "-" * width
        for width, flush in zip(widths, right, strict=True)
    ]
    return [
        screen.paint(row(head), "bold"),
        screen.paint("| " + " | ".join(rule) + " |", "dim"),
        *map(row, texts),
    ]


def _cell(value: str | int) -> str:
    if isinstance(value, int):
        return f"{value:,}"
    return safe(value).replace("|", "\\|")
