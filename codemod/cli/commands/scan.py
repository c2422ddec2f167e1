"""``nsroute scan``: every read with its decision."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from codemod.cli import exits
from codemod.cli.completion import complete_reason
from codemod.cli.options import Format, FormatOption, Look, Work
from codemod.cli.screen import Screen, count, fold

if TYPE_CHECKING:
    from codemod.api import Analysis
    from codemod.model import Read, ScanResult

EXAMPLES = """\
Examples:
  nsroute scan                               what the whole project has
  nsroute scan --list src/app/cache.py       each read of one file
  nsroute scan --reason ambiguous            each read kept for that reason
  nsroute scan --rules sglang ~/sglang/python --format json"""

#: What a kind of file is called, where its name is no word with a plural.
_SKIPPED = {"pyi": "stub file"}


def scan(
    work: Work,
    look: Look,
    format_: FormatOption = Format.text,
    list_: Annotated[
        bool, typer.Option("--list", "-l", help="List the reads before the summary.")
    ] = False,
    reason: Annotated[
        list[str] | None,
        typer.Option(
            metavar="CODE",
            autocompletion=complete_reason,
            help="List only reads kept for this reason, 'convert' for those that "
            "move; may be repeated. The summary and JSON stay whole.",
        ),
    ] = None,
) -> int:
    """Show every read of the record: what it becomes, or why it stays.

    The summary counts reads by namespace and by reason and is Markdown, ready for a
    review. Reads are listed with --list, with --reason, and when paths or globs
    narrow the work.

    Exit code: 0; 2 for a wrong command line or pack; 3 when a file could not be read.
    """
    screen = look.screen()
    places = work.resolve()
    analysis = work.analyse(places, screen)
    result = analysis.result
    if format_ is Format.json:
        screen.data(scan_json(result))
    else:
        if list_ or reason or places.only:
            screen.lines(_listing(screen, result, reason or []))
        screen.lines(summary(screen, analysis))
    return report_errors(screen, analysis)


def scan_json(result: ScanResult) -> bytes:
    """The contract's JSON of a scan."""
    from codemod.cli.jsontext import json_bytes

    return json_bytes({name: getattr(result, name) for name in result.__slots__})


def report_errors(screen: Screen, analysis: Analysis) -> int:
    """Print what could not be read, last and on stderr; the exit code for it."""
    result = analysis.result
    for error in result.errors:
        place = f"{error.file}:{error.line}" if error.line else error.file
        screen.error(f"{place}: {error.message}")
    if result.errors:
        files = count(len({error.file for error in result.errors}), "file")
        screen.note(f"{files} could not be read; everything else was done")
        return exits.UNREADABLE
    return exits.OK


def _listing(screen: Screen, result: ScanResult, reasons: list[str]) -> Iterator[str]:
    from codemod.cli.exits import UsageError
    from codemod.cli.listing import list_reads

    if not reasons:
        yield from list_reads(screen, result.reads, result.uses)
    else:
        wanted = [read for read in result.reads if _code(read) in reasons]
        unknown = set(reasons) - {_code(read) for read in result.reads}
        if unknown:
            known = ", ".join(["convert", *result.summary.keep])
            raise UsageError(
                f"--reason {min(unknown)}: no read has it", f"there are: {known}"
            )
        yield from list_reads(screen, wanted)
    if not screen.terminal and (result.reads or result.uses):
        yield ""


def _code(read: Read) -> str:
    return read.reason or "convert"


def summary(screen: Screen, analysis: Analysis) -> Iterator[str]:
    """The counts of a scan: in a sentence, by namespace, by reason, and other uses."""
    from codemod.cli.reasons import summary as reason_summary
    from codemod.cli.tables import table

    result = analysis.result
    kept = result.summary.reads - result.summary.convert
    files = len({read.file for read in result.reads})
    convert, stay = f"{result.summary.convert:,} convert", f"{kept:,} stay"
    yield fold(
        screen,
        f"{count(result.summary.reads, 'read')} of the record in {files:,} of "
        f"{count(result.summary.files, 'file')} ({result.pack}): {convert}, {stay}.",
        green=convert,
        yellow=stay,
    )
    if result.reads:
        yield ""
        yield from table(
            screen, ("convert", "stay", "namespace"), _by_namespace(result.reads)
        )
    if result.summary.keep:
        rows = sorted(result.summary.keep.items(), key=lambda item: (-item[1], item[0]))
        yield ""
        yield from table(
            screen,
            ("stay", "reason", "why"),
            [(n, code, reason_summary(code, analysis.pack)) for code, n in rows],
        )
    if result.uses:
        kinds = Counter(use.kind for use in result.uses)
        listed = ", ".join(f"{kind} {n:,}" for kind, n in sorted(kinds.items()))
        yield ""
        yield fold(screen, f"Uses of the record that are not reads: {listed}.")
    if result.summary.skipped:
        skipped = ", ".join(
            count(n, _SKIPPED.get(kind, kind))
            for kind, n in sorted(result.summary.skipped.items())
        )
        yield ""
        yield fold(screen, f"Left out: {skipped}.")


def _by_namespace(reads: tuple[Read, ...]) -> list[tuple[int, int, str]]:
    convert: Counter[str] = Counter()
    stay: Counter[str] = Counter()
    for read in reads:
        counter = convert if read.decision == "convert" else stay
        counter[read.namespace or ""] += 1
    names = sorted({*convert, *stay}, key=lambda name: (name == "", name))
    return [(convert[n], stay[n], n or "(no route)") for n in names]
