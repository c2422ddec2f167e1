"""``nsroute apply``: make the change."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from codemod.cli import exits
from codemod.cli.commands.scan import report_errors
from codemod.cli.exits import UsageError
from codemod.cli.options import Format, FormatOption, Look, Work
from codemod.cli.patches import say_rolled_back
from codemod.cli.screen import Screen, count, safe

if TYPE_CHECKING:
    from codemod.api import Applied, Plan

EXAMPLES = """\
Examples:
  nsroute apply                       the whole project
  nsroute apply 'app.core.*'          some modules first"""


def apply(
    work: Work,
    look: Look,
    format_: FormatOption = Format.text,
    in_place: Annotated[
        bool, typer.Option("--in-place", help="Write the files. [default]")
    ] = True,
    force: Annotated[
        bool, typer.Option("--force", help="Also when git has uncommitted changes.")
    ] = False,
) -> int:
    """Convert the reads, in place.

    Each file is checked before it is written, and replaced whole. One that fails its
    checks is rolled back: left as it was and named; the rest goes on. A git tree with
    uncommitted changes is refused, so that the change can be told from other work.

    Exit code: 0; 1 when a file was rolled back or could not be written; 2 for a wrong
    command line or pack, or a dirty tree; 3 when a file could not be read.
    """
    from codemod.api import DirtyTreeError, apply_in_place
    from codemod.delivery import GitError

    screen = look.screen()
    plan = work.plan(work.resolve(), screen)
    try:
        applied = apply_in_place(plan, force)
    except (DirtyTreeError, GitError) as error:
        raise UsageError(str(error), "--force goes on all the same") from None
    if format_ is Format.json:
        screen.data(_json(plan, applied))
    else:
        say_rolled_back(screen, plan)
        for problem in applied.failed[len(plan.rolled_back) :]:
            screen.warn(f"{problem.file}: {problem.message}")
        screen.lines(_text(screen, plan, applied))
    found = exits.FOUND if applied.failed else exits.OK
    return exits.gravest(report_errors(screen, plan.analysis), found)


def _json(plan: Plan, applied: Applied) -> bytes:
    from codemod.cli.jsontext import json_bytes

    changes = {change.path: change for change in plan.changes}
    written = [
        {"file": path, "reads": changes[path].reads, "notes": changes[path].notes}
        for path in applied.written
    ]
    result = plan.analysis.result
    return json_bytes(
        {
            "schema": 1,
            "tool": result.tool,
            "root": result.root,
            "pack": result.pack,
            "written": written,
            "failed": applied.failed,
            "errors": result.errors,
        }
    )


def _text(screen: Screen, plan: Plan, applied: Applied) -> Iterator[str]:
    reads = {change.path: change.reads for change in plan.changes}
    for path in applied.written:
        yield f"{screen.paint(f'{reads[path]:>6,}', 'green')}  {safe(path)}"
    if applied.written:
        yield ""
        converted = count(sum(reads[path] for path in applied.written), "read")
        yield f"Converted {converted} in {count(len(applied.written), 'file')}."
    elif not applied.failed:
        yield "Nothing to do: no read is left to convert."
    if applied.failed:
        files = count(len({problem.file for problem in applied.failed}), "file")
        yield f"Left {files} as before, for the reasons on stderr."
