"""``nsroute demo``: the whole migration, on a sample that runs."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from codemod.cli import exits
from codemod.cli.exits import UsageError
from codemod.cli.options import Look, Source
from codemod.cli.patches import amount, say_rolled_back, show_diff
from codemod.cli.places import Places
from codemod.cli.screen import Screen, count

if TYPE_CHECKING:
    from codemod.api import Analysis
    from codemod.demo.run import Run

EXAMPLES = """\
Examples:
  nsroute demo                        in a new temporary folder
  nsroute demo ~/quern                in a folder of your choice"""


def demo(
    look: Look,
    folder: Annotated[
        str | None,
        typer.Argument(
            metavar="[DIR]",
            help="A new or an empty folder. [default: a temporary one]",
            show_default=False,
        ),
    ] = None,
) -> int:
    """Migrate a small sample project and show each step.

    The sample is a service with a scheduler, a cache and two engines, which reads one
    global object of arguments. It is written as a git repository, migrated, and its
    program and its tests run before and after, each time in a fresh interpreter.

    Exit code: 0; 1 when the sample no longer does what it did; 2 when it could not be
    written.
    """
    from codemod.api import apply_in_place
    from codemod.cli.commands.scan import summary
    from codemod.demo.run import run_program, run_tests

    screen = look.screen()
    target = _write(folder)
    _title(screen, "The sample")
    screen.line(f"{target} is a git repository with one commit.")
    program, tests = run_program(target), run_tests(target)
    screen.lines(_runs(screen, program, tests))

    _title(screen, "What there is to convert")
    source = Source()
    places = Places(str(target), ())
    plan = source.plan(places, screen)
    screen.lines(summary(screen, plan.analysis))

    _title(screen, "The change")
    show_diff(screen, plan.changes)
    say_rolled_back(screen, plan)
    applied = apply_in_place(plan)
    screen.line()
    screen.line(f"Written: {amount(plan.changes)}.")

    _title(screen, "Before and after")
    program_after, tests_after = run_program(target), run_tests(target)
    screen.lines(_runs(screen, program_after, tests_after))
    same = program_after == program and _passed(tests_after) == _passed(tests)
    screen.line(
        screen.paint("The program prints the same, byte for byte.", "green", "bold")
        if same
        else screen.paint("The sample does not do what it did.", "red", "bold")
    )

    _title(screen, "What to look at next")
    screen.lines(_next_steps(target, source.analyse(places, screen)))
    return exits.FOUND if not same or applied.failed else exits.OK


def _write(folder: str | None) -> Path:
    import subprocess

    from codemod.demo.run import write_sample

    target = Path(folder or tempfile.mkdtemp(prefix="nsroute-demo-"))
    try:
        write_sample(target)
    except FileExistsError:
        # Of a file in the way, too: mkdir says the same.
        what = "is not empty" if target.is_dir() else "is not a folder"
        hint = "name a new or an empty folder, or none for a temporary one"
        raise UsageError(f"{target}: {what}; nothing was written", hint) from None
    except subprocess.CalledProcessError as error:
        raise UsageError(f"git failed: {error.stderr.strip()}") from None
    except OSError as error:
        hint = "the demo needs git" if error.filename == "git" else ""
        reason = error.strerror or error
        raise UsageError(f"{error.filename}: {reason}", hint) from None
    return target


def _title(screen: Screen, text: str) -> None:
    screen.line()
    screen.line(screen.paint(f"## {text}", "bold", "cyan"))
    screen.line()


def _runs(screen: Screen, program: Run, tests: Run) -> Iterator[str]:
    """What the program and the tests did, in a few lines."""
    for name, run in (("python -m quern", program), ("python -m unittest", tests)):
        yield ""
        yield screen.paint(f"$ {name}", "dim")
        lines = run.stdout.splitlines() if run is program else _last(run.stderr)
        yield from lines
        if run.code:
            yield screen.paint(f"exit code {run.code}", "red")
            yield from run.stderr.splitlines()
    yield ""


def _last(text: str) -> list[str]:
    """The summary that unittest ends with, without the time it took."""
    lines = [line for line in text.splitlines() if line and line[:1] not in ".-"]
    return [re.sub(r" in [\d.]+s$", "", line) for line in lines[-2:]]


def _passed(run: Run) -> tuple[int, list[str]]:
    return run.code, _last(run.stderr)


def _next_steps(target: Path, analysis: Analysis) -> Iterator[str]:
    result = analysis.result
    kept = next((read for read in result.reads if read.reason == "guarded"), None)
    yield f"{count(result.summary.reads, 'read')} are left, each with its reason:"
    yield ""
    yield f"    cd {target}"
    yield "    git diff                  the change"
    yield "    nsroute scan --list       what stays, and why"
    if kept is not None:
        place = f"{kept.file}:{kept.line}"
        yield f"    nsroute explain {place}"
    yield "    nsroute check             what CI would run"
    yield ""
    yield "For a project of your own: nsroute init, then nsroute scan."
