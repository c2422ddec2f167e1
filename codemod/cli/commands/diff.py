"""``nsroute diff``: what would change, before anything is written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codemod.cli import exits
from codemod.cli.commands.scan import report_errors
from codemod.cli.options import Format, FormatOption, Look, Work
from codemod.cli.patches import amount, say_rolled_back, show_diff

if TYPE_CHECKING:
    from codemod.api import Plan

EXAMPLES = """\
Examples:
  nsroute diff                        read it
  nsroute diff src/app/cache.py       of one file
  nsroute diff > moves.patch          and `git apply moves.patch` makes it"""


def diff(work: Work, look: Look, format_: FormatOption = Format.text) -> int:
    """Show the change as a unified diff. Nothing is written.

    In a pipe the diff is exact, byte for byte, so that git apply takes it. Each file is
    checked in memory; one that fails its checks is rolled back: left out and named.

    Exit code: 0 when there is nothing to do; 1 when there is a diff, or a file was
    rolled back; 2 for a wrong command line or pack; 3 when a file could not be read.
    """
    screen = look.screen()
    plan = work.plan(work.resolve(), screen)
    if format_ is Format.json:
        screen.data(_json(plan))
    else:
        show_diff(screen, plan.changes)
        say_rolled_back(screen, plan)
        if plan.changes:
            screen.note(f"{amount(plan.changes)} would change; `nsroute apply` does it")
        elif not plan.rolled_back:
            screen.note("nothing to do: no read is left to convert")
    found = exits.FOUND if plan.changes or plan.rolled_back else exits.OK
    return exits.gravest(report_errors(screen, plan.analysis), found)


def _json(plan: Plan) -> bytes:
    from codemod.cli.jsontext import json_bytes
    from codemod.delivery import unified_diff

    changes = [
        {
            "file": change.path,
            "reads": change.reads,
            "notes": change.notes,
            "diff": unified_diff(change.before, change.after, change.path),
        }
        for change in plan.changes
    ]
    result = plan.analysis.result
    return json_bytes(
        {
            "schema": 1,
            "tool": result.tool,
            "root": result.root,
            "pack": result.pack,
            "changes": changes,
            "rolled_back": plan.rolled_back,
            "errors": result.errors,
        }
    )
