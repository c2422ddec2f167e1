"""``nsroute merge``: put the parts of a sharded check together."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from codemod.cli import exits
from codemod.cli.commands.check import CheckFormat, print_report
from codemod.cli.exits import UsageError
from codemod.cli.options import Look

EXAMPLES = """\
Examples:
  nsroute check --shard 1/2 --format json > part1.json
  nsroute check --shard 2/2 --format json > part2.json
  nsroute merge part1.json part2.json --format github"""


def merge(
    look: Look,
    parts: Annotated[
        list[str],
        typer.Argument(metavar="FILE...", help="The JSON of every part of one check."),
    ],
    root: Annotated[
        str, typer.Option(metavar="DIR", help="The ROOT that was checked.")
    ] = ".",
    format_: Annotated[
        CheckFormat, typer.Option("--format", "-f", help="How to print the findings.")
    ] = CheckFormat.text,
) -> int:
    """Put the parts of `nsroute check --shard I/N` together.

    Every part has to be there once, and all of the same files, pack and nsroute.

    Exit code: 0 when clean; 1 for findings; 2 when a part is missing, broken or of
    another check; 3 when a part could not read a file.
    """
    from codemod.cli.formats.jsonformat import PartError, merged, read_part
    from codemod.guards.baseline_file import FILE

    screen = look.screen()
    try:
        report = merged([read_part(Path(part)) for part in parts])
    except PartError as error:
        hint = "give the output of every part of one check"
        raise UsageError(str(error), hint) from None
    print_report(screen, format_, Path(root), Path(root) / FILE, report)
    for problem in report.problems:
        screen.error(f"{problem.file}:{problem.line}: {problem.message}")
    return exits.gravest(
        exits.UNREADABLE if report.problems else exits.OK,
        exits.FOUND if report.findings or report.stale else exits.OK,
    )
