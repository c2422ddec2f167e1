"""Findings for a person: the place, the line with a caret, what to do."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from codemod.cli.excerpts import SourceView
from codemod.cli.screen import Screen, count, cut, fold, one_line, safe
from codemod.guards.checking import Report


def text_lines(screen: Screen, root: Path, report: Report) -> Iterator[str]:
    """The lines of a report."""
    view = SourceView(root)
    for finding in report.findings:
        place = f"{safe(finding.file)}:{finding.line}:{finding.column}:"
        guard = screen.paint(f"{finding.guard}:", "red", "bold")
        yield f"{screen.paint(place, 'bold')} {guard} {safe(finding.message)}"
        if finding.text:
            yield from view.excerpt(
                screen, finding.file, finding.line, finding.column, finding.text
            )
        fix = cut(one_line(finding.fix), screen.width - 7)
        yield f"  {screen.paint('fix:', 'cyan')} {fix}"
        yield ""
    for stale in report.stale:
        guard = screen.paint(f"{stale.guard}:", "yellow", "bold")
        yield (
            f"stale {guard} {safe(stale.key)}: the baseline has {stale.baseline}, "
            f"now there {'is' if stale.now == 1 else 'are'} {stale.now}"
        )
    if report.stale:
        yield ""
    yield fold(screen, summary(report), green="clean")


def summary(report: Report) -> str:
    """The last line: how it came out and what to do."""
    known = (
        f" {count(report.known, 'finding')} of the baseline {_is_are(report.known)} "
        "left."
        if report.known
        else ""
    )
    moved = (
        f" {count(report.moved, 'entry', 'entries')} of the baseline moved with the "
        "code; `nsroute check --update` notes it."
        if report.moved
        else ""
    )
    if not report.findings and not report.stale:
        if report.problems:
            return f"Nothing was found in what could be checked.{known}{moved}"
        return (
            f"clean: the guards found nothing{' new' if known else ''}.{known}{moved}"
        )
    said = ""
    if report.findings:
        files = len({finding.file for finding in report.findings})
        said = f"{count(len(report.findings), 'finding')} in {count(files, 'file')}. "
        if all(finding.guard == "reads" for finding in report.findings):
            said += "`nsroute diff` shows the change, `nsroute apply` makes it."
        else:
            said += "Fix them, or accept them with `nsroute check --update`."
    if report.stale:
        entries = count(len(report.stale), "entry", "entries")
        said = f"{said} " if said else ""
        said += (
            f"{entries} of the baseline {_is_are(len(report.stale))} better than it "
            "says: `nsroute check --update` locks that in."
        )
    return said + known + moved


def _is_are(number: int) -> str:
    return "is" if number == 1 else "are"
