"""``nsroute demo``: the whole migration, on a sample that runs."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from codemod.cli import exits
from codemod.cli.completion import complete_folder
from codemod.cli.exits import UsageError
from codemod.cli.options import Look, Source
from codemod.cli.places import Places
from codemod.cli.screen import Screen, count

if TYPE_CHECKING:
    from codemod.api import Analysis
    from codemod.demo.run import Run
    from codemod.series.commit import Commit, Skipped

EXAMPLES = """\
Examples:
  nsroute demo                        in a new temporary folder
  nsroute demo ~/quern                in a folder of your choice"""

_BRANCH = "namespaces"
_AUTHOR = "nsroute demo <demo@nsroute.invalid>"


def demo(
    look: Look,
    folder: Annotated[
        str | None,
        typer.Argument(
            metavar="[DIR]",
            autocompletion=complete_folder,
            help="A new or an empty folder. [default: a temporary one]",
            show_default=False,
        ),
    ] = None,
) -> int:
    """Migrate a small sample project and show each step.

    The sample is a service with a scheduler, a cache and two engines, which reads one
    global object of arguments. It is written as a git repository, the migration is
    made as commits on a branch, and the sample's program and tests run before and
    after, each time in a fresh interpreter.

    Exit code: 0; 1 when the sample no longer does what it did; 2 when it could not be
    written.
    """
    from codemod.cli.commands.scan import summary
    from codemod.cli.series import amount, say_what_stayed
    from codemod.demo.run import run_program, run_tests

    screen = look.screen()
    target = _write(folder)
    source, places = Source(), Places(str(target), ())
    _title(screen, "The sample")
    screen.line(f"{target} is a git repository with one commit.")
    program, tests = run_program(target), run_tests(target)
    screen.lines(_runs(screen, program, tests))

    _title(screen, "What there is to convert")
    screen.lines(summary(screen, source.analyse(places, screen)))

    _title(screen, "The commits")
    found, commits = _series(screen, source, places)
    _deliver(target, commits)
    screen.line()
    screen.line(f"The branch {_BRANCH} has {amount(commits)}.")
    say_what_stayed(screen, found)

    _title(screen, "Before and after")
    program_after, tests_after = run_program(target), run_tests(target)
    same = (program_after, _result(tests_after)) == (program, _result(tests))
    screen.lines(_compared(screen, program, program_after, tests_after, same))

    _title(screen, "What to look at next")
    screen.lines(_next_steps(target, source.analyse(places, screen)))
    return exits.OK if same else exits.FOUND


def _series(
    screen: Screen, source: Source, places: Places
) -> tuple[list[Commit | Skipped], list[Commit]]:
    """Run the migration in memory and show its commits: all steps, and those made."""
    from codemod.cli.series import prepared, run, show
    from codemod.cli.workspace import workspace_for
    from codemod.series.commit import Commit
    from codemod.series.run import SeriesOptions

    series = prepared(source, places, screen, ())
    found: list[Commit | Skipped] = []
    with workspace_for(series, screen) as workspace:
        how = SeriesOptions(workspace=workspace)
        for item in run(series, source, places, screen, how):
            if isinstance(item, Commit):
                if found:
                    screen.line()
                show(screen, item)
            found.append(item)
    return found, [item for item in found if isinstance(item, Commit)]


def _deliver(target: Path, commits: Sequence[Commit]) -> None:
    """Commit the series on a branch, with the same hashes each time, and switch."""
    from codemod.delivery.delivering import Stamp, deliver_branch, identity_for
    from codemod.delivery.repository import open_repository, run_git

    repository = open_repository(target)
    assert repository is not None
    identity = identity_for(target, repository, Stamp(_AUTHOR, deterministic=True))
    deliver_branch(repository, commits, _BRANCH, identity)
    run_git(target, "checkout", "--quiet", _BRANCH)


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
    """What the program printed, and how its tests ended."""
    for name, run, lines in (
        ("python -m quern", program, program.stdout.splitlines()),
        ("python -m unittest", tests, _result(tests)[1]),
    ):
        yield ""
        yield screen.paint(f"$ {name}", "dim")
        yield from lines
        if run.code:
            yield screen.paint(f"exit code {run.code}", "red")
            yield from run.stderr.splitlines()


def _result(tests: Run) -> tuple[int, list[str]]:
    """The exit code, and the summary that unittest ends with but for the time."""
    lines = [line for line in tests.stderr.splitlines() if line[:1] not in ("", "-")]
    return tests.code, [re.sub(r" in [\d.]+s$", "", line) for line in lines[-2:]]


def _compared(
    screen: Screen, before: Run, after: Run, tests: Run, same: bool
) -> Iterator[str]:
    import difflib

    lines = count(len(after.stdout.splitlines()), "line")
    if same:
        said = ", ".join(_result(tests)[1])
        yield f"The program prints the same {lines}, byte for byte."
        yield f"The tests do as they did: {said}."
        return
    yield screen.paint("The sample does not do what it did.", "red", "bold")
    yield from difflib.unified_diff(
        before.stdout.splitlines(), after.stdout.splitlines(), "before", "after", "", ""
    )
    yield from _runs(screen, after, tests)


def _next_steps(target: Path, analysis: Analysis) -> Iterator[str]:
    result = analysis.result
    kept = [read for read in result.reads if read.reason == "guarded"]
    yield f"{count(result.summary.reads, 'read')} stay, each with its reason:"
    yield ""
    yield f"    cd {target}"
    yield f"    git log -p main..{_BRANCH}    the commits"
    yield "    nsroute scan --list            what stays, and why"
    for read in kept[:1]:
        place = f"{read.file}:{read.line}"
        yield f"    nsroute explain {place}"
    yield "    nsroute check --update         accept what the guards find"
    yield "    nsroute check                  what CI then runs"
    yield ""
    yield "For a project of your own: nsroute init, then nsroute scan."
