"""A new import line takes its place in a block, with the blank lines it needs."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import libcst as cst

from codemod.rewrite.import_names import wrapped
from codemod.rewrite.import_place import (
    ImportLine,
    blanks_around,
    first_import,
    section_of,
    sections_are_separated,
)
from codemod.rewrite.import_wrap import longest_line
from codemod.rewrite.lines import Settled, with_leading_lines
from codemod.rewrite.name_order import ORDERS
from codemod.rewrite.operations import ImportedName, InsertImport, Source
from codemod.rewrite.whitespace import (
    is_blank,
    leading_lines,
    with_leading_blanks,
)


def with_import(
    settled: Settled,
    insert: InsertImport,
    module: cst.Module | None,
    indent: str,
    source: Source,
) -> cst.Module | None:
    """Put the import into ``settled`` and set the blank lines around it.

    ``module`` is given for the block of a module, whose first statement has its lines
    in the module's header; it is returned with the header it then has. ``indent`` is
    what stands in front of every line of the block.
    """
    place = settled.places[insert.index]
    body = settled.body
    own_top = source.plan.module.partition(".")[0]
    section = section_of(insert.module, False, own_top)
    renaming = all(name.asname for name in insert.names)
    new = ImportLine(section, True, insert.module, renaming)
    previous = body[place - 1] if place else None
    following = next(iter(body[place:]), None)
    lines: Sequence[cst.EmptyLine] = leading_lines(following) if following else ()
    if module is not None and place == 0:
        module, above = _split_header(module, following)
        lines = [*above, *lines]
    before, after = blanks_around(
        new,
        previous,
        following,
        lines,
        own_top,
        at_module_level=module is not None,
        separated=sections_are_separated(body, own_top),
    )
    statement = _statement(insert.module, insert.names)
    line = cst.SimpleStatementLine(
        [statement], leading_lines=[cst.EmptyLine(indent=False)] * before
    )
    if longest_line(line, indent, source) > source.style.line_length:
        inner = source.module.default_indent
        line = line.with_changes(body=[wrapped(statement, None, inner)])
    if following is not None:
        body[place] = with_leading_lines(following, with_leading_blanks(lines, after))
    body.insert(place, line)
    return module


def _split_header(
    module: cst.Module, following: cst.CSTNode | None
) -> tuple[cst.Module, list[cst.EmptyLine]]:
    """Part the lines before a module's first statement: the file's, and its own.

    The comment right above the first statement is that statement's, unless it is the
    only one and so the head of the file. What stays in the header is set apart from
    the new import by a blank line, unless imports follow.
    """
    header = list(module.header)
    own = [*itertools.takewhile(lambda line: not is_blank(line), reversed(header))]
    own.reverse()
    above = header[: len(header) - len(own)]
    if following is None or all(map(is_blank, above)):
        above, own = header, []
    if above and not is_blank(above[-1]) and first_import(following) is None:
        above = [*above, cst.EmptyLine()]
    return module.with_changes(header=above), own


def _statement(module: str, names: Sequence[ImportedName]) -> cst.ImportFrom:
    order = ORDERS[0]
    dotted = cst.parse_expression(module)
    assert isinstance(dotted, (cst.Name, cst.Attribute))
    return cst.ImportFrom(
        module=dotted,
        names=[
            cst.ImportAlias(
                name=cst.Name(name.name),
                asname=cst.AsName(cst.Name(name.asname)) if name.asname else None,
            )
            for name in sorted(names, key=lambda name: order(name.name))
        ],
    )
