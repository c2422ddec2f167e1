"""``nsroute diff``: what would change, before anything is written."""

from __future__ import annotations

from typing import Annotated

import typer

from codemod.cli import exits
from codemod.cli.commands.scan import report_errors
from codemod.cli.completion import complete_step
from codemod.cli.options import Format, FormatOption, Look, Work

EXAMPLES = """\
Examples:
  nsroute diff                        read it, commit by commit
  nsroute diff --step reads/exec      one commit of it
  nsroute diff src/app/cache.py       of one file
  nsroute diff > moves.patch          and `git apply moves.patch` makes it"""


def diff(
    work: Work,
    look: Look,
    format_: FormatOption = Format.text,
    step: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            autocompletion=complete_step,
            help="Only this step, or this part of one; may be repeated.",
        ),
    ] = None,
) -> int:
    """Show the series as unified diffs, commit by commit. Nothing is written.

    In a pipe the diff is exact, byte for byte, so that git apply takes it. Each file is
    checked in memory; one that fails its checks is rolled back: left out and named. A
    step with nothing to do is skipped.

    Exit code: 0 when there is nothing to do; 1 when there is a diff, or a file was
    rolled back; 2 for a wrong command line or pack; 3 when a file could not be read.
    """
    from codemod.cli.series import (
        amount,
        as_json,
        missing_reviewer,
        prepared,
        run,
        say_what_stayed,
        show,
        went_wrong,
    )
    from codemod.cli.workspace import workspace_for
    from codemod.series.commit import Commit
    from codemod.series.run import SeriesOptions

    screen = look.screen()
    places = work.resolve()
    series = prepared(work, places, screen, step or [])
    found = []
    with workspace_for(series, screen) as workspace:
        reviews = (missing_reviewer(screen, series.pack, refuse=False),)
        how = SeriesOptions(reviews, workspace=workspace)
        for item in run(series, work, places, screen, how):
            found.append(item)
            if isinstance(item, Commit) and format_ is not Format.json:
                show(screen, item)
    commits = [item for item in found if isinstance(item, Commit)]
    if format_ is Format.json:
        from codemod.cli.jsontext import json_bytes

        errors = series.analysis.result.errors
        screen.data(json_bytes(as_json(series, found) | {"errors": errors}))
    else:
        say_what_stayed(screen, found)
        if commits:
            screen.note(f"{amount(commits)} would change; `nsroute apply` does it")
        elif not went_wrong(found):
            screen.note("nothing to do: no read is left to convert")
    code = exits.FOUND if commits or went_wrong(found) else exits.OK
    return exits.gravest(report_errors(screen, series.analysis), code)
