"""``nsroute check``: fail when the migrated state is lost."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from codemod.cli import exits
from codemod.cli.commands.scan import report_errors
from codemod.cli.excerpts import SourceView
from codemod.cli.options import Format, FormatOption, Look, Work
from codemod.cli.screen import Screen, count, cut, fold, one_line, safe

if TYPE_CHECKING:
    from codemod.api import Analysis

EXAMPLES = """\
Examples:
  nsroute check                       in CI: fails when a read crept back
  nsroute check --format json src/app/cache.py"""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing a guard found; ``fix`` is the text to write instead, or what to do."""

    guard: str
    file: str
    line: int
    column: int
    function: str
    message: str
    fix: str
    text: str = ""


def check(work: Work, look: Look, format_: FormatOption = Format.text) -> int:
    """Fail when a read is left that could be converted.

    Exit code: 0 when clean; 1 for findings; 2 for a wrong command line or pack; 3 when
    a file could not be read, whatever else was found.
    """
    screen = look.screen()
    analysis = work.analyse(work.resolve(), screen)
    findings = list(_reads(analysis))
    if format_ is Format.json:
        screen.data(_json(findings))
    else:
        screen.lines(_text(screen, analysis, findings))
    return exits.gravest(
        report_errors(screen, analysis), exits.FOUND if findings else exits.OK
    )


def _reads(analysis: Analysis) -> Iterator[Finding]:
    """The guard ``reads``: reads of the record that have a namespace."""
    for read in analysis.result.reads:
        if read.decision == "convert":
            yield Finding(
                guard="reads",
                file=read.file,
                line=read.line,
                column=read.column,
                function=read.function,
                message=f"{read.field} belongs to {read.namespace}",
                fix=read.replacement or "",
                text=read.text,
            )


def _json(findings: list[Finding]) -> bytes:
    from codemod.cli.jsontext import json_bytes

    keys = [name for name in Finding.__slots__ if name != "text"]
    listed = [{key: getattr(finding, key) for key in keys} for finding in findings]
    return json_bytes({"schema": 1, "findings": listed, "stale": []})


def _text(screen: Screen, analysis: Analysis, findings: list[Finding]) -> Iterator[str]:
    view = SourceView(analysis.index.project.root)
    for finding in findings:
        place = f"{safe(finding.file)}:{finding.line}:{finding.column}:"
        guard = screen.paint(f"{finding.guard}:", "red", "bold")
        yield f"{screen.paint(place, 'bold')} {guard} {safe(finding.message)}"
        yield from view.excerpt(
            screen, finding.file, finding.line, finding.column, finding.text
        )
        fix = cut(one_line(finding.fix), screen.width - 7)
        yield f"  {screen.paint('fix:', 'cyan')} {fix}"
        yield ""
    if not findings:
        yield f"{screen.paint('clean', 'green')}: no read is left to convert."
        return
    files = len({finding.file for finding in findings})
    yield fold(
        screen,
        f"{count(len(findings), 'finding')} in {count(files, 'file')}. "
        "`nsroute diff` shows the change, `nsroute apply` makes it.",
    )
