"""``nsroute check``: fail when the migrated state is lost."""

from __future__ import annotations

import os
import re
from dataclasses import replace
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from codemod.cli import exits
from codemod.cli.commands.scan import report_errors
from codemod.cli.completion import complete_guard
from codemod.cli.exits import UsageError
from codemod.cli.options import Look, Work, check_narrowing
from codemod.cli.places import Places
from codemod.cli.screen import Screen, count, safe

if TYPE_CHECKING:
    from codemod.api import Analysis
    from codemod.guards.checking import Report, Request, Shard

EXAMPLES = """\
Examples:
  nsroute check                       in CI: fails when a read crept back
  nsroute check --update              accept what is left, lock in the rest
  nsroute check --diff-base main      only what this branch adds
  nsroute check --format json src/app/cache.py
  nsroute check --shard 1/4 --format json > 1.json
  nsroute merge *.json                the parts of several machines"""


class CheckFormat(str, Enum):
    """How findings are printed."""

    text = "text"
    json = "json"
    github = "github"
    sarif = "sarif"


def check(
    work: Work,
    look: Look,
    format_: Annotated[
        CheckFormat, typer.Option("--format", "-f", help="How to print the findings.")
    ] = CheckFormat.text,
    guard: Annotated[
        list[str] | None,
        typer.Option(
            metavar="GUARD",
            autocompletion=complete_guard,
            help="Only this guard; may be repeated.",
        ),
    ] = None,
    baseline: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="The baseline. [default: nsroute-baseline.toml at ROOT]",
        ),
    ] = None,
    update: Annotated[
        bool, typer.Option("--update", help="Write the baseline anew.")
    ] = False,
    reason: Annotated[
        str, typer.Option(help="With --update: why new faults are accepted.")
    ] = "",
    diff_base: Annotated[
        str | None,
        typer.Option(metavar="REV", help="Only what was added since this revision."),
    ] = None,
    shard: Annotated[
        str | None,
        typer.Option(metavar="I/N", help="Only part I of N; see `nsroute merge`."),
    ] = None,
) -> int:
    """Fail when the guards find more than the baseline has, or less.

    The guards see what a scan sees: reads that crept back, writes that nobody reads,
    local names that hide an accessor, and more; the pack says which run. Findings that
    a repository lives with for now stand in nsroute-baseline.toml, which --update
    writes. Fewer findings than it has fail too, so that progress is kept.

    Exit code: 0 when clean; 1 for findings, or a baseline that promises more; 2 for a
    wrong command line, pack or baseline; 3 when a file could not be read, whatever else
    was found.
    """
    from codemod.guards.baseline_file import BaselineError
    from codemod.guards.checking import Request, baseline_path
    from codemod.guards.revision import RevisionError

    screen = look.screen()
    part = parse_shard(shard)
    _check_options(update, diff_base, part, reason, guard)
    places = work.resolve()
    analysis = work.analyse(Places(places.root, ()), screen, guards=True)
    check_narrowing(analysis.index.project, places)
    root = Path(places.root)
    path = baseline_path(root, baseline)
    request = Request(
        only=tuple(guard or ()),
        narrow=places.only,
        baseline=path,
        shard=part,
        jobs=work.jobs,
        cache=not work.no_cache,
    )
    if baseline and not update and not path.is_file():
        raise UsageError(f"{baseline}: there is no such baseline")
    try:
        if update:
            return _update(screen, analysis, request, reason)
        report = _report(analysis, request, diff_base, work)
    except BaselineError as error:
        raise UsageError(str(error), error.hint) from None
    except RevisionError as error:
        raise UsageError(str(error), "name a branch, a tag or a commit") from None
    print_report(screen, format_, root, path, report, part, analysis)
    return _exit(screen, analysis, report)


def _check_options(
    update: bool,
    diff_base: str | None,
    part: Shard | None,
    reason: str,
    guards: list[str] | None,
) -> None:
    from codemod.packs import GUARD_NAMES

    if update and (diff_base or part):
        other = "--diff-base" if diff_base else "--shard"
        raise UsageError(f"--update writes the whole baseline: leave out {other}")
    if reason and not update:
        raise UsageError("--reason goes with --update")
    for name in guards or ():
        if name not in GUARD_NAMES:
            known = ", ".join(GUARD_NAMES)
            raise UsageError(f"--guard {name}: no such guard", f"there are: {known}")


def parse_shard(text: str | None) -> Shard | None:
    """The part that ``2/4`` names."""
    from codemod.guards.checking import Shard

    if text is None:
        return None
    match = re.fullmatch(r"(\d+)/(\d+)", text)
    if match is None or not 1 <= int(match[1]) <= int(match[2]):
        raise UsageError(f"--shard {text}: write I/N, from 1/N to N/N, such as 2/4")
    return Shard(int(match[1]), int(match[2]))


def _report(
    analysis: Analysis, request: Request, diff_base: str | None, work: Work
) -> Report:
    from codemod.guards.checking import base_analysis, check_against, check_tree

    if diff_base is None:
        report = check_tree(analysis, request)
    else:
        base = base_analysis(analysis, diff_base, work.options())
        report = check_against(analysis, base, request)
    problems = dict.fromkeys([*analysis.result.errors, *report.problems])
    return replace(report, problems=tuple(problems))


def print_report(
    screen: Screen,
    format_: CheckFormat,
    root: Path,
    baseline: Path,
    report: Report,
    part: Shard | None = None,
    analysis: Analysis | None = None,
) -> None:
    """Print a report in a format."""
    if format_ is CheckFormat.text:
        from codemod.cli.formats.text import text_lines

        screen.lines(text_lines(screen, root, report))
    elif format_ is CheckFormat.github:
        from codemod.cli.formats.github import github_lines

        screen.lines(github_lines(_prefix(root), _relative(baseline), report))
    elif format_ is CheckFormat.sarif:
        from codemod.cli.formats.sarif import sarif_log
        from codemod.cli.jsontext import json_bytes

        screen.data(json_bytes(sarif_log(_prefix(root), _relative(baseline), report)))
    else:
        from codemod.cli.formats.jsonformat import report_json

        screen.data(report_json(report, part, analysis))


def _prefix(root: Path) -> str:
    """What leads from the current directory, the workspace in CI, to ROOT."""
    relative = _relative(root)
    return "" if relative == "." else f"{relative}/"


def _relative(path: Path) -> str:
    try:
        return Path(os.path.relpath(path)).as_posix()
    except ValueError:  # another drive
        return path.as_posix()


def _exit(screen: Screen, analysis: Analysis, report: Report) -> int:
    code = report_errors(screen, analysis)
    for problem in report.problems:
        if problem not in analysis.result.errors:
            screen.error(f"{problem.file}:{problem.line}: {problem.message}")
            code = exits.UNREADABLE
    found = exits.FOUND if report.findings or report.stale else exits.OK
    return exits.gravest(code, found)


def _update(screen: Screen, analysis: Analysis, request: Request, reason: str) -> int:
    """Write the baseline, unless something could not be checked or wants a reason."""
    from codemod.guards.baseline_file import baseline_text
    from codemod.guards.checking import new_baseline

    assert request.baseline is not None
    done = new_baseline(analysis, request, reason.strip())
    code = report_errors(screen, analysis)
    if code != exits.OK or done.problems:
        for problem in done.problems:
            screen.error(f"{problem.file}:{problem.line}: {problem.message}")
        screen.error(f"{request.baseline} is left as it is: not all could be checked")
        return exits.UNREADABLE
    if done.without_reason:
        for entry in done.without_reason:
            screen.error(f"{entry.guard}: {entry.name} is a fault, and has no reason")
        raise UsageError(
            f"{request.baseline} is left as it is",
            "fix them, or say why they are accepted with --reason TEXT",
        )
    text = baseline_text(done.baseline)
    try:
        _write(request.baseline, text)
    except OSError as error:
        raise UsageError(
            f"{request.baseline}: cannot be written: {error.strerror or error}"
        ) from None
    findings = sum(entry.count for entry in done.baseline.entries)
    entries = count(len(done.baseline.entries), "entry", "entries")
    screen.line(
        f"{safe(str(request.baseline))}: {count(findings, 'finding')} in {entries}."
    )
    return exits.OK


def _write(path: Path, text: str) -> None:
    """Replace the file whole; a person's own mode bits stay."""
    from codemod.delivery.strays import temporary_file

    data = text.encode("utf-8")
    try:
        if path.read_bytes() == data:
            return
    except OSError:
        pass
    with temporary_file(path.parent) as (name, file):
        file.write(data)
        mode = path.stat().st_mode if path.exists() else 0o666 & ~_umask()
        os.fchmod(file.fileno(), mode & 0o7777)
        file.flush()
        Path(name).replace(path)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
