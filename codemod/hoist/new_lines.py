"""New import statements as lines of text, with the blank lines around them."""

from __future__ import annotations

import ast
import itertools
from collections.abc import MutableMapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from codemod.hoist.facts import FileImports, Imported, ModuleImport
from codemod.hoist.leading import first_line
from codemod.hoist.placement import (
    Place,
    leading_imports,
    order_of,
    section,
    section_of,
)
from codemod.hoist.textlines import lines_of, newline_of


@dataclass
class NewImport:
    """A statement to come: ``module`` as it is spelled, and the names it imports."""

    module: str
    place: Place
    names: list[Imported] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)

    @property
    def is_from(self) -> bool:
        """Whether it is a ``from`` import."""
        return bool(self.names[0].name)


def put_new_imports(
    text: str,
    file: FileImports,
    new: Sequence[NewImport],
    line_length: int,
    after: MutableMapping[int, list[str]],
) -> list[int]:
    """Put ``new`` into ``after``, by the line they come after; return those lines.

    Each new statement has one line in the result, so that anchors can be shifted.
    """
    page = _Page(text, file)
    shifts: list[int] = []
    places: dict[Place, list[NewImport]] = {}
    for item in new:
        places.setdefault(item.place, []).append(item)
    for place, items in places.items():
        items.sort(key=lambda item: order_of(item.names[0], item.place, file))
        line = page.line_of(place)
        block: list[str] = []
        last = page.section_before(place)
        for item in items:
            mine = page.section_of(item)
            if page.separated and last not in (None, mine):
                block.append(page.newline)
            block += item.comments
            block.append(_statement(item, line_length, page.newline))
            last = mine
            shifts.append(line)
        assert last is not None
        after[line].extend(page.set_apart(block, place, line, last))
    return shifts


class _Page:
    """What the place of a new line depends on: the text and its leading imports."""

    def __init__(self, text: str, file: FileImports) -> None:
        self.text = text
        self.file = file
        self.lines = lines_of(text)
        self.newline = newline_of(text)
        self.leading = leading_imports(file)
        self.by_ordinal = {s.ordinal: s for s in self.leading}
        self.separated = self._separated()

    def section_of(self, item: NewImport) -> int:
        """isort's section of a new import."""
        return section(item.names[0].module, item.module.startswith("."), self.file)

    def section(self, statement: ModuleImport) -> int:
        """isort's section of an import that is there."""
        return section_of(statement, self.file)

    def _separated(self) -> bool:
        """Whether blank lines set sections apart, as far as the file shows."""
        for first, second in itertools.pairwise(self.leading):
            if self.section(first) != self.section(second):
                return not self.lines[second.line - 2].strip()
        return True

    def section_before(self, place: Place) -> int | None:
        """The section of the import right before ``place``, if there is one."""
        statement = self.by_ordinal.get(place.after)
        return None if statement is None else self.section(statement)

    def line_of(self, place: Place) -> int:
        """The line after which new lines at ``place`` go."""
        if place.after >= 0:
            return self._whole(self.by_ordinal[place.after].end_line)
        if place.before >= 0:
            line = self.by_ordinal[place.before].line
            above = self._above(line)
            # Comments that start the file are about the file.
            return above if above else line - 1
        if self.file.body_start:
            return self._whole(self.file.body_start)
        body = ast.parse(self.text).body
        if not body:
            return len(self.lines)
        line = first_line(body[0])
        above = self._above(line)
        return above if above else line - 1

    def _whole(self, line: int) -> int:
        """The last line of the logical lines that ``line`` is part of.

        ``import os; X = [`` goes on below, and so does ``import os; \\``.
        """
        if ";" not in self.lines[line - 1]:
            return line
        for node in ast.parse(self.text).body:
            while self.lines[line - 1].endswith("\\"):
                line += 1
            if node.lineno <= line <= (node.end_lineno or node.lineno):
                line = node.end_lineno or node.lineno
        return line

    def _above(self, line: int) -> int:
        """The line before the comments that stand right above ``line``."""
        above = line - 1
        while above and self.lines[above - 1].lstrip().startswith("#"):
            above -= 1
        return above

    def set_apart(
        self, block: list[str], place: Place, line: int, last: int
    ) -> list[str]:
        """``block`` with the blank lines it needs around it."""
        if place.after >= 0:
            end = line
            close = next((s for s in self.leading if s.line == end + 1), None)
            apart = self.separated and close and self.section(close) != last
            return [*block, self.newline] if apart else block
        if place.before >= 0:
            following = self.by_ordinal[place.before]
            apart = self.separated and self.section(following) != last
            return [*block, self.newline] if apart else block
        return self._first_of_file(block, line)

    def _first_of_file(self, block: list[str], line: int) -> list[str]:
        """The same for imports that are the first of their file."""
        before = [self.newline] if line and self.lines[line - 1].strip() else []
        following = next((text for text in self.lines[line:] if text.strip()), "")
        if not following:
            return before + block
        if before and not self.lines[line].strip():
            # The blank lines after the docstring now come after the imports.
            return before + block
        starts = ("def ", "class ", "async def ", "@")
        count = 2 if following.startswith(starts) else 1
        return before + block + [self.newline] * count


def _statement(item: NewImport, line_length: int, newline: str) -> str:
    if not item.is_from:
        imported = item.names[0]
        tail = f" as {imported.asname}" if imported.asname else ""
        return f"import {imported.module}{tail}{newline}"
    names = sorted(
        (f"{i.name} as {i.asname}" if i.asname else i.name for i in item.names),
        key=_name_order,
    )
    flat = f"from {item.module} import {', '.join(names)}"
    if len(flat) <= line_length:
        return flat + newline
    inner = "".join(f"    {name},{newline}" for name in names)
    return f"from {item.module} import ({newline}{inner}){newline}"


def _name_order(name: str) -> Any:
    from codemod.rewrite.name_order import ORDERS

    return ORDERS[0](name.partition(" ")[0])
