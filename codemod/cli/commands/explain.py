"""``nsroute explain``: why the reads at one place are converted or kept."""

from __future__ import annotations

import inspect
import re
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from codemod.cli import exits
from codemod.cli.completion import complete_path
from codemod.cli.excerpts import SourceView
from codemod.cli.exits import UsageError
from codemod.cli.options import Format, FormatOption, Look, Source
from codemod.cli.places import Places, is_configured
from codemod.cli.screen import Screen, count, one_line, safe

if TYPE_CHECKING:
    from types import ModuleType

    from codemod.api import Analysis
    from codemod.decisions.engine import Decided
    from codemod.hoist import HoistDecision, HoistPlan
    from codemod.model import Read, Use

EXAMPLES = """\
Examples:
  nsroute explain src/app/cache.py:41
  nsroute explain src/app/cache.py:41:16 --format json
  nsroute explain src/app/cache.py:87       an import inside a function"""

_PLACE = re.compile(r"(?P<file>.+?):(?P<line>\d+)(?::(?P<column>\d+))?:?", re.S)
#: Other lines of the file that are named when the asked one has no read.
_NEIGHBOURS = 5

_FORMS = {
    "call": "the getter is called and the field taken off its result",
    "object": "the record is imported as an object",
    "alias": "a name is bound to the record",
    "self": "an attribute of self holds the record",
    "attribute": "an attribute of another object holds the record",
    "stash": "an instance attribute is bound from the getter",
    "parameter": "the object came in as a parameter",
}


_WHOLE = "The record is used as a whole here."
#: What the kinds of uses are that are not the whole object handed on.
_USES = {
    "computed-name": "Which field is read here is known only when it runs.",
    "setattr": "A field is written here by a name.",
    "vars": "All of the record's attributes are taken here at once.",
    "asdict": "All of the record's fields are copied here.",
    "fields": "The record is asked here which fields it has.",
    "copy": "A copy of the record is made here, which is another object.",
    "isinstance": "The record is asked here for its class.",
    "getter": "What returns the record is handed on here, and called elsewhere.",
}


@dataclass(frozen=True, slots=True)
class Place:
    """A file, relative to the root, with a line and maybe a column, both from 1."""

    file: str
    line: int
    column: int | None


def explain(
    place: Annotated[
        str,
        typer.Argument(
            metavar="FILE:LINE[:COL]", autocompletion=complete_path, show_default=False
        ),
    ],
    source: Source,
    look: Look,
    format_: FormatOption = Format.text,
) -> int:
    """Say why each read on a line is converted or kept.

    Of a read that converts it says what it would become. Of an import inside a
    function it says whether nsroute hoist would move it, and why not, with the chain
    that proves it; that needs no pack.

    FILE is relative to the current directory, or to ROOT. ROOT is --root, else the
    nearest directory above FILE that configures nsroute, else the current one.

    Exit code: 0, also when there is no read; 2 for a wrong command line or pack.
    """
    from codemod.cli.local_imports import explained_imports

    screen = look.screen()
    file, line, column = _parse(place)
    root = source.root or _root_of(Path(file), source.rules)
    asked = Place(_relative(file, Path(root)), line, column)
    plan = explained_imports(Path(root), asked, source)
    if plan is not None:
        return _imports(screen, plan, Path(root), asked, format_)
    # One file is asked about, but its names lead through others: all are read.
    analysis = source.analyse(Places(root, ()), screen)
    if asked.file not in analysis.index.project.by_path:
        raise UsageError(
            f"{asked.file}: is not one of the Python files of {root}",
            "it may be ignored by git or left out by --include or --exclude",
        )
    found = find_decided(analysis, asked)
    uses = [u for u in analysis.result.uses if (u.file, u.line) == (asked.file, line)]
    if format_ is Format.json:
        screen.data(_json(asked, found, uses))
    else:
        screen.lines(_text(screen, analysis, asked, found, uses))
    for error in analysis.result.errors:
        if error.file == asked.file:
            screen.error(f"{error.file}:{error.line}: {error.message}")
            return exits.UNREADABLE
    return exits.OK


def _imports(
    screen: Screen, plan: HoistPlan, root: Path, asked: Place, format_: Format
) -> int:
    from codemod.cli.local_imports import decisions_at, import_lines

    decisions = decisions_at(plan, asked)
    if format_ is Format.json:
        screen.data(_json(asked, [], [], decisions))
    else:
        screen.lines(import_lines(screen, root, decisions))
    return exits.OK


def find_decided(analysis: Analysis, asked: Place) -> list[Decided]:
    """The reads that stand on a line, or those of them that span a column.

    A column that is in none of them leaves all that are on the line.
    """
    on_line = [
        decided
        for decided in analysis.decided
        if decided.read.file == asked.file
        and decided.read.line <= asked.line <= decided.candidate.end_line
    ]
    if asked.column is None:
        return on_line
    return [d for d in on_line if _spans(d.read, asked.line, asked.column)] or on_line


def _spans(read: Read, line: int, column: int) -> bool:
    pieces = re.split(r"\r\n|\r|\n", read.text)
    number = line - read.line
    if number >= len(pieces):
        return False
    start = read.column if number == 0 else 1
    return start <= column < start + len(pieces[number])


def _parse(text: str) -> tuple[str, int, int | None]:
    match = _PLACE.fullmatch(text)
    if match is None or int(match["line"]) < 1:
        raise UsageError(
            f"{text}: names no line",
            "write FILE:LINE or FILE:LINE:COLUMN, counted from 1",
        )
    column = match["column"]
    return match["file"], int(match["line"]), int(column) if column else None


def _root_of(file: Path, rules: str | None) -> str:
    here = Path.cwd()
    if rules is None and not is_configured(here):
        for folder in file.resolve().parents:
            if is_configured(folder):
                return str(folder)
    if rules is not None and file.is_file() and not _is_below(file, here):
        for folder in file.resolve().parents:
            if not (folder / "__init__.py").is_file():
                return str(folder)
    return "."


def _is_below(file: Path, folder: Path) -> bool:
    return folder.resolve() in file.resolve().parents


def _relative(file: str, root: Path) -> str:
    for path in (Path(file), root / file):
        if path.is_file() and _is_below(path, root):
            place = path.parent.resolve() / path.name
            return place.relative_to(root.resolve()).as_posix()
    if Path(file).is_file():
        raise UsageError(f"{file}: is not below {root}", "give its ROOT with --root")
    raise UsageError(f"{file}: there is no such file here or in {root}")


def _json(
    asked: Place,
    found: list[Decided],
    uses: list[Use],
    imports: Sequence[HoistDecision] = (),
) -> bytes:
    from codemod.cli.jsontext import json_bytes

    return json_bytes(
        {
            "schema": 1,
            "file": asked.file,
            "line": asked.line,
            "column": asked.column,
            "reads": [decided.read for decided in found],
            "uses": uses,
            "imports": imports,
        }
    )


def _text(
    screen: Screen,
    analysis: Analysis,
    asked: Place,
    found: list[Decided],
    uses: list[Use],
) -> Iterator[str]:
    view = SourceView(analysis.index.project.root)
    for number, decided in enumerate(found):
        if number:
            yield ""
        yield from _one_read(screen, analysis, view, decided)
    if found and uses:
        yield ""
    if uses:
        yield from _uses(screen, view, uses)
    if not found and not uses:
        yield from _nothing(screen, analysis, view, asked)


def _one_read(
    screen: Screen, analysis: Analysis, view: SourceView, decided: Decided
) -> Iterator[str]:
    from codemod.cli.reasons import reason_module

    read = decided.read
    place = screen.paint(f"{safe(read.file)}:{read.line}:{read.column}:", "bold")
    if read.decision == "convert":
        yield f"{place} {screen.paint('converts', 'green', 'bold')}"
    else:
        yield f"{place} {screen.paint(f'stays ({read.reason})', 'yellow', 'bold')}"
    yield from view.excerpt(screen, read.file, read.line, read.column, read.text)
    yield ""
    yield from fact_lines(screen, _facts_of(analysis, decided))
    if read.reason is not None:
        yield ""
        module = reason_module(read.reason)
        yield from page_lines(screen, module, module.EXAMPLE)


def _facts_of(analysis: Analysis, decided: Decided) -> Iterator[tuple[str, str]]:
    read = decided.read
    yield "in", f"{read.function or 'the top level'} of {read.module}"
    via = "" if read.via == "attribute" else f", by {read.via}"
    yield "form", f"{read.form}: {_FORMS[read.form]}{via}"
    for origin in describe_origins(decided):
        yield "record", origin
    yield "field", _field(analysis, read)
    if read.why is not None:
        yield "why", read.why
    if read.reason == "ambiguous":
        for source in decided.candidate.origins:
            for module, line in analysis.index.record.others(source, read.module)[:3]:
                file = analysis.index.project.by_module[module].path
                yield "see", f"{file}:{line} puts another object there"
    if read.replacement is not None:
        yield "becomes", one_line(read.replacement)
    if decided.accessor is not None and decided.named is not None:
        accessor = decided.accessor
        renamed = decided.named.name not in (None, accessor.name)
        alias = f" as {decided.named.name}" if renamed else ""
        yield "import", f"from {accessor.module} import {accessor.name}{alias}"


def _field(analysis: Analysis, read: Read) -> str:
    line = analysis.routes.lines.get(read.field)
    declared = f" ({line[0]}:{line[1]})" if line else ""
    if read.namespace:
        return f"{read.field} is routed to {read.namespace}{declared}"
    if read.field in analysis.routes.members:
        return f"{read.field} is a {analysis.routes.members[read.field]}"
    if read.field in analysis.routes.fields:
        return f"{read.field} has no route{declared}"
    return f"{read.field} is not a field of the record that the routes know"


def describe_origins(decided: Decided) -> Iterator[str]:
    """In words, where the object that the field is taken off may come from."""
    for origin in dict.fromkeys(decided.candidate.origins):
        kind, rest = origin[0], origin[1:]
        if kind == "call":
            arguments = "…" if len(rest) > 1 and rest[1] else ""
            yield f"the result of {rest[0]}({arguments})"
        elif kind == "ref":
            yield f"the object {rest[0]}"
        elif kind == "attr":
            yield f"the attribute {rest[0]} (the pack names it)"
        elif kind == "stash":
            owner = f"{rest[0]}." if rest[0] else ""
            yield f"the attribute {owner}{rest[1]}, as a class binds it"
        elif kind == "param":
            yield "a parameter"
        else:
            yield "something that is not known to be the record"


def fact_lines(screen: Screen, facts: Iterator[tuple[str, str]]) -> Iterator[str]:
    """Named facts, folded to the window."""
    width = min(screen.width, 100)
    for name, text in facts:
        label = f"{name + ':':<9}"
        lines = textwrap.wrap(
            safe(text),
            width - 12,
            break_on_hyphens=False,
        ) or [""]
        yield f"  {screen.paint(label, 'cyan')} {lines[0]}"
        yield from (f"{'':12}{line}" for line in lines[1:])


def page_lines(screen: Screen, module: ModuleType, example: str) -> Iterator[str]:
    """What the documentation says about a reason, with its example."""
    width = min(screen.width, 80)
    for number, paragraph in enumerate(
        re.split(r"\n\s*\n", inspect.getdoc(module) or "")
    ):
        if number:
            yield ""
        plain = " ".join(paragraph.replace("``", "`").split())
        yield from textwrap.wrap(
            plain, width - 2, initial_indent="  ", subsequent_indent="  "
        )
    yield ""
    yield from (f"      {line}".rstrip() for line in example.splitlines())


def _uses(screen: Screen, view: SourceView, uses: list[Use]) -> Iterator[str]:
    """The uses of one line that are not reads."""
    use = uses[0]
    place = screen.paint(f"{safe(use.file)}:{use.line}:", "bold")
    kinds = ", ".join(sorted({use.kind for use in uses}))
    yield f"{place} {screen.paint(f'{kinds} (a use, not a read)', 'magenta')}"
    rows = view.lines(use.file)[use.line - 1 : use.line]
    stripped = rows[0].strip() if rows else ""
    if stripped:
        column = rows[0].index(stripped) + 1
        yield from view.excerpt(screen, use.file, use.line, column, stripped)
    for kind in sorted({use.kind for use in uses}):
        yield ""
        yield from textwrap.wrap(
            f"{_USES.get(kind, _WHOLE)} No rewrite changes it.",
            min(screen.width, 80) - 2,
            initial_indent="  ",
            subsequent_indent="  ",
        )


def _nothing(
    screen: Screen, analysis: Analysis, view: SourceView, asked: Place
) -> Iterator[str]:
    place = screen.paint(f"{safe(asked.file)}:{asked.line}:", "bold")
    length = len(view.lines(asked.file))
    if length and asked.line > length:
        yield f"{place} the file has only {count(length, 'line')}."
    else:
        yield f"{place} no read of the record."
    near = sorted(
        {read.line for read in analysis.result.reads if read.file == asked.file}
        | {use.line for use in analysis.result.uses if use.file == asked.file},
        key=lambda line: (abs(line - asked.line), line),
    )
    if near:
        lines = ", ".join(str(line) for line in sorted(near[:_NEIGHBOURS]))
        more = (
            f", and {len(near) - _NEIGHBOURS} more" if len(near) > _NEIGHBOURS else ""
        )
        yield f"Those nearest in this file are on {lines}{more}."
    else:
        yield "There is no read of the record in this file, and no other use of it."
