"""The ``nsroute`` command: every command, one line each."""

from __future__ import annotations

from typing import Annotated

import typer

from codemod import __version__
from codemod.cli.command import register
from codemod.cli.commands import (
    apply,
    check,
    demo,
    diff,
    explain,
    hoist,
    init,
    merge,
    routes,
    scan,
)

_EPILOG = """\
\b
Start with:
  nsroute demo                        see it work on a sample
  nsroute init                        write a pack for this repository
  nsroute scan                        what there is to convert
  nsroute diff | less                 the change; nsroute apply makes it

\b
Exit codes: 0 done, 1 something to see (a diff, a finding), 2 wrong command
line or pack, 3 a file could not be read, 130 interrupted. Of several the
first of 130, 2, 3, 1.
"""


def build_app() -> typer.Typer:
    """The application with all commands."""
    app = typer.Typer(
        name="nsroute",
        # Plain help: it starts in half the time, and reads the same in any terminal.
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        no_args_is_help=True,
        context_settings={"help_option_names": ["--help", "-h"]},
        epilog=_EPILOG,
    )
    app.callback()(_nsroute)
    register(app, demo.demo, "demo", demo.EXAMPLES)
    register(app, init.init, "init", init.EXAMPLES)
    register(app, routes.routes, "routes", routes.EXAMPLES)
    register(app, scan.scan, "scan", scan.EXAMPLES)
    register(app, explain.explain, "explain", explain.EXAMPLES)
    register(app, diff.diff, "diff", diff.EXAMPLES)
    register(app, apply.apply, "apply", apply.EXAMPLES)
    register(app, hoist.hoist, "hoist", hoist.EXAMPLES)
    register(app, check.check, "check", check.EXAMPLES)
    register(app, merge.merge, "merge", merge.EXAMPLES)
    return app


def _print_version(value: bool) -> None:
    if value:
        typer.echo(f"nsroute {__version__}")
        raise typer.Exit


def _nsroute(
    version: Annotated[
        bool,
        typer.Option(
            "--version",
            callback=_print_version,
            is_eager=True,
            help="Show the version and exit.",
        ),
    ] = False,
) -> None:
    """Move a code base from one global config object to namespaced accessors.

    Each command says with --help what it does and what its exit code means.
    """
