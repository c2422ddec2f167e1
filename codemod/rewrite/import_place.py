"""Where a new import statement goes, and the blank lines around it.

The order is isort's: ``__future__``, standard library, third party, this project,
relative; inside a section ``import x`` before ``from x import y`` unless the file mixes
them, then by module name. The file's own habit wins where it can be seen.
"""

from __future__ import annotations

import itertools
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import libcst as cst

from codemod.rewrite.whitespace import is_blank, leading_blanks, leading_lines

_FUTURE, _STDLIB, _THIRD_PARTY, _FIRST_PARTY, _RELATIVE = range(5)

_OFF = re.compile(r"#\s*isort:\s*off\b")
_ON = re.compile(r"#\s*isort:\s*on\b")
_SKIP = re.compile(r"#\s*(?:isort:\s*skip|fmt:\s*skip)\b")


@dataclass(frozen=True, slots=True)
class ImportLine:
    """An import statement among its siblings: what its place depends on.

    ``section`` counts as isort orders sections; ``is_renaming`` says that every name
    has an ``as``.
    """

    section: int
    is_from: bool
    module: str
    is_renaming: bool

    def is_near(self, other: ImportLine) -> bool:
        """Tell whether both are of one top-level package, written the same way.

        Such imports stand together, whatever section a file's isort puts them in.
        """
        own, others = self.module.partition(".")[0], other.module.partition(".")[0]
        return self.section == other.section and own == others


def absolute_module(
    statement: cst.ImportFrom, module: str, is_package: bool
) -> str | None:
    """Return the absolute module a ``from`` statement names, None when too high.

    Relative names count from the package of ``module`` (Python reference 5.7).
    """
    name = cst.helpers.get_full_name_for_node(statement.module or "") or ""
    level = len(statement.relative)
    if level == 0:
        return name
    package = module.split(".")
    if not is_package:
        package = package[:-1]
    package = package[: len(package) - (level - 1)]
    if not package:
        return None
    return ".".join([*package, name] if name else package)


def section_of(module: str, is_relative: bool, own_top: str) -> int:
    """Return the section of an import, from the standard library to relative."""
    top = module.partition(".")[0]
    if is_relative:
        return _RELATIVE
    if module == "__future__":
        return _FUTURE
    if top == own_top:
        return _FIRST_PARTY
    return _STDLIB if top in sys.stdlib_module_names else _THIRD_PARTY


def import_line(statement: cst.CSTNode | None, own_top: str) -> ImportLine | None:
    """Return what the place of an import line depends on, None for other code."""
    small = first_import(statement)
    if small is None:
        return None
    renaming = not isinstance(small.names, cst.ImportStar) and all(
        alias.asname for alias in small.names
    )
    if isinstance(small, cst.ImportFrom):
        name = cst.helpers.get_full_name_for_node(small.module or "") or ""
        section = section_of(name, bool(small.relative), own_top)
        return ImportLine(section, True, "." * len(small.relative) + name, renaming)
    name = small.names[0].evaluated_name
    return ImportLine(section_of(name, False, own_top), False, name, renaming)


def import_lines(
    statements: Mapping[int, cst.CSTNode], own_top: str
) -> dict[int, ImportLine]:
    """Return the import lines among ``statements``, which are keyed by their index."""
    found = ((index, import_line(each, own_top)) for index, each in statements.items())
    return {index: line for index, line in found if line is not None}


def first_import(
    statement: cst.CSTNode | None,
) -> cst.Import | cst.ImportFrom | None:
    """Return the first import of a line that holds nothing else."""
    if not isinstance(statement, cst.SimpleStatementLine):
        return None
    small = statement.body
    if not all(isinstance(part, (cst.Import, cst.ImportFrom)) for part in small):
        return None
    first = small[0]
    assert isinstance(first, (cst.Import, cst.ImportFrom))
    return first


def unsorted_indices(module: cst.Module) -> set[int]:
    """Return which statements isort is told to leave alone."""
    found: set[int] = set()
    off = _switch(module.header, False)
    for index, statement in enumerate(module.body):
        lines = getattr(statement, "leading_lines", ())
        off = _switch(lines, off)
        trailing = getattr(statement, "trailing_whitespace", None)
        comment = trailing.comment.value if trailing and trailing.comment else ""
        if off or _SKIP.search(comment):
            found.add(index)
    return found


def _switch(lines: Sequence[cst.EmptyLine], off: bool) -> bool:
    for line in lines:
        if line.comment is not None:
            if _OFF.match(line.comment.value):
                off = True
            elif _ON.match(line.comment.value):
                off = False
    return off


def new_index(new: ImportLine, siblings: Mapping[int, ImportLine], start: int) -> int:
    """Return the index in the block that ``new`` is to be inserted at.

    ``siblings`` are the sorted imports of the leading block in source order, keyed by
    their index; without any, the place is ``start``: after the docstring and
    ``__future__``.
    """
    near = {index: line for index, line in siblings.items() if line.is_near(new)}
    section = {
        index: line for index, line in siblings.items() if line.section == new.section
    }
    beside = near or section or siblings
    if not beside:
        return start
    kinds = [line.is_from for line in beside.values()]
    mixed = any(first and not second for first, second in itertools.pairwise(kinds))

    def key(line: ImportLine) -> tuple[int, bool, str, bool, bool]:
        # Where names with `as` have lines of their own, these come first.
        grouped = line.is_from and not mixed
        own = line.is_from, not line.is_renaming
        return line.section, grouped, line.module.lower(), *own

    before = [index for index, line in beside.items() if key(line) <= key(new)]
    return max(before) + 1 if before else min(beside)


def start_index(body: Sequence[cst.CSTNode]) -> int:
    """Return the index after the docstring and every ``__future__`` import."""
    start = 1 if is_docstring(body[0] if body else None) else 0
    for index, statement in enumerate(body):
        small = first_import(statement)
        if isinstance(small, cst.ImportFrom) and not small.relative:
            name = cst.helpers.get_full_name_for_node(small.module or "")
            if name == "__future__":
                start = index + 1
    return start


def is_docstring(statement: cst.CSTNode | None) -> bool:
    """Tell whether a first statement is a docstring."""
    if not isinstance(statement, cst.SimpleStatementLine):
        return False
    first = statement.body[0]
    return isinstance(first, cst.Expr) and isinstance(
        first.value, (cst.SimpleString, cst.ConcatenatedString)
    )


def blanks_around(
    new: ImportLine,
    previous: cst.CSTNode | None,
    following: cst.CSTNode | None,
    lines_before_following: Sequence[cst.EmptyLine],
    own_top: str,
    at_module_level: bool,
    separated: bool,
) -> tuple[int, int]:
    """Return the blank lines before the new import and before what follows it.

    ``lines_before_following`` are the blank lines and comments that stand between the
    two neighbours now; ``separated`` tells whether sections are set apart by a blank
    line. The rest is Black's: one blank line after imports, two before a ``def`` or
    ``class`` of a module.
    """
    there = leading_blanks(lines_before_following)
    line_before = import_line(previous, own_top)
    line_after = import_line(following, own_top)
    # A comment that a blank line parts from the `def` below it is no part of it.
    has_comment = not all(map(is_blank, lines_before_following))
    is_apart = has_comment and is_blank(lines_before_following[-1])
    is_definition = isinstance(following, (cst.FunctionDef, cst.ClassDef))
    least = 2 if at_module_level and is_definition and not is_apart else 1
    if line_before is not None and line_before.is_near(new):
        return 0, there if line_after is not None else max(there, least)
    if line_after is not None and line_after.is_near(new):
        return 0 if previous is None else there, 0
    if previous is None:
        before = 0
    elif line_before is not None:
        before = int(separated and line_before.section != new.section)
    elif is_docstring(previous):
        before = max(there, 1) if at_module_level else there
    elif line_after is not None:
        before = there
    else:
        before = 1
    if line_after is None:
        return before, max(there, least)
    after = int(separated and line_after.section != new.section)
    if line_before is None:
        return before, after
    # The blank lines between two imports stay, on the side that the new one is not of.
    if line_before.section == new.section:
        return 0, max(there, after)
    if not after:
        return max(there, before), 0
    return max(min(there, 2), before), max(there, after)


def sections_are_separated(body: Sequence[cst.CSTNode], own_top: str) -> bool:
    """Tell whether a blank line stands between imports of different sections.

    Where no two sections of ``body`` meet, isort's default, a blank line, is taken.
    """
    parted = [
        any(map(is_blank, leading_lines(second)))
        for first, second in itertools.pairwise(body)
        if (line := import_line(first, own_top)) is not None
        and (following := import_line(second, own_top)) is not None
        and line.section != following.section
    ]
    return not parted or any(parted)
