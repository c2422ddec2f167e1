"""A new import line takes its place in a block, with the blank lines it needs."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from codemod.rewrite.import_names import wrapped
from codemod.rewrite.import_place import (
    ImportLine,
    blanks_around,
    has_blank,
    import_line,
    section_of,
    sections_are_separated,
)
from codemod.rewrite.lines import Settled, leading_lines, with_leading_lines
from codemod.rewrite.name_order import ORDERS
from codemod.rewrite.operations import ImportedName, InsertImport, Source
from codemod.rewrite.whitespace import is_blank, leading_blanks, with_leading_blanks


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
    new = ImportLine(place, section, True, insert.module)
    previous = body[place - 1] if place else None
    following = body[place] if place < len(body) else None
    lines: Sequence[cst.EmptyLine] = leading_lines(following) if following else ()
    if module is not None and place == 0:
        module, above = _split_header(module, following, own_top)
        lines = [*above, *lines]
    before, after = blanks_around(
        new,
        previous,
        following,
        lines,
        own_top,
        at_module_level=module is not None,
        separated=_separated(body, own_top),
    )
    statement = _statement(insert.module, insert.names)
    line = cst.SimpleStatementLine(
        [statement], leading_lines=[cst.EmptyLine(indent=False)] * before
    )
    code = indent + source.module.code_for_node(statement)
    if len(code.expandtabs(4)) > source.style.line_length:
        inner = source.module.default_indent
        line = line.with_changes(body=[wrapped(statement, None, inner)])
    if following is not None:
        body[place] = with_leading_lines(following, with_leading_blanks(lines, after))
    body.insert(place, line)
    return module


def _separated(body: Sequence[cst.BaseStatement], own_top: str) -> bool:
    lines = [
        (line, has_blank(leading_lines(statement)))
        for index, statement in enumerate(body)
        if (line := import_line(statement, index, own_top)) is not None
    ]
    return sections_are_separated(lines)


def _split_header(
    module: cst.Module, following: cst.CSTNode | None, own_top: str
) -> tuple[cst.Module, list[cst.EmptyLine]]:
    """Part the lines before a module's first statement: the file's, and its own.

    The comment right above the first statement is that statement's, unless it is the
    only one and so the head of the file. What stays in the header is set apart from
    the new import by a blank line.
    """
    header = list(module.header)
    own: list[cst.EmptyLine] = []
    if not isinstance(following, cst.SimpleStatementLine) or not import_line(
        following, 0, own_top
    ):
        blanks = [index for index, line in enumerate(header) if is_blank(line)]
        if blanks and following is not None:
            cut = blanks[-1] + 1
            while cut and is_blank(header[cut - 1]):
                cut -= 1
            if cut:
                header, own = header[:cut], header[cut:]
        if header:
            header.append(cst.EmptyLine(indent=False))
        own = own[leading_blanks(own) :]
    return module.with_changes(header=header), own


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
