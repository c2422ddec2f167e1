"""``nsroute init``: a starter pack for this repository."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from codemod.cli import exits
from codemod.cli.completion import complete_folder
from codemod.cli.exits import UsageError
from codemod.cli.options import JobsOption, Look
from codemod.cli.places import is_configured
from codemod.cli.screen import Screen, count, fold

if TYPE_CHECKING:
    from codemod.api import Analysis
    from codemod.project import Project
    from codemod.starter import Candidate, Way
    from codemod.starter.evidence import Evidence

EXAMPLES = """\
Examples:
  nsroute init
  nsroute init --record app.config:Settings --getter app.config:get_settings
  nsroute init --object django.conf:settings
  nsroute init --print > rules/app.toml"""

_FILE = "nsroute.toml"
#: Candidates that are shown when a person has to choose.
_SHOWN = 8


def init(
    look: Look,
    root: Annotated[
        str,
        typer.Argument(
            metavar="[ROOT]",
            autocompletion=complete_folder,
            help="The directory that holds the top-level packages.",
        ),
    ] = ".",
    record: Annotated[
        str | None,
        typer.Option(metavar="MODULE:CLASS", help="The record's class."),
    ] = None,
    getter: Annotated[
        list[str] | None,
        typer.Option(
            metavar="MODULE:FUNCTION", help="Returns the record; may be repeated."
        ),
    ] = None,
    object_: Annotated[
        list[str] | None,
        typer.Option(
            "--object", metavar="MODULE:NAME", help="Is the record; may be repeated."
        ),
    ] = None,
    attribute: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME", help="Holds the record on others; may be repeated."
        ),
    ] = None,
    print_: Annotated[
        bool, typer.Option("--print", help="Print the pack instead of writing it.")
    ] = False,
    force: Annotated[
        bool, typer.Option("--force", help=f"Replace an {_FILE} that is there.")
    ] = False,
    include: Annotated[
        list[str] | None,
        typer.Option(metavar="GLOB", help="Look at these files only."),
    ] = None,
    exclude: Annotated[
        list[str] | None,
        typer.Option(metavar="GLOB", help="Do not look at these files."),
    ] = None,
    jobs: JobsOption = None,
) -> int:
    """Write nsroute.toml, a first pack, from what the source has.

    It looks for the class whose one object the rest of the code reads, for what
    returns that object, and for namespaces that are there already. It guesses: read
    what it wrote. When nothing stands out, the candidates are listed and nothing is
    written; name one with --record, --getter, --object or --attribute.

    Exit code: 0; 2 when nothing could be written.
    """
    from codemod.cli.progress import Bar
    from codemod.project import open_project
    from codemod.starter import survey

    screen = look.screen()
    folder = Path(root)
    if not print_:
        _refuse_to_overwrite(folder, force)
    project = open_project(folder, include or (), exclude or ())
    with Bar(screen, "looking") as bar:
        evidence = survey(project, jobs, bar)
    ways = _ways(getter, object_, attribute)
    others: Sequence[Candidate] = ()
    if record is not None or ways:
        chosen = _named(evidence, record, ways)
    else:
        chosen, others = _stands_out(screen, evidence, project)
    text = _text(chosen, project.root)
    if print_:
        screen.data(text.encode())
        return exits.OK
    _write(project.root, text)
    screen.lines(_report(screen, folder, chosen, others))
    screen.lines(_next_steps(screen, folder))
    return exits.OK


def _refuse_to_overwrite(folder: Path, force: bool) -> None:
    own = folder / _FILE
    if own.exists():
        if not force:
            raise UsageError(
                f"{own}: is there already; nothing was written",
                "--force replaces it, --print shows what would be written",
            )
    elif is_configured(folder):
        raise UsageError(
            f"{folder / 'pyproject.toml'}: [tool.nsroute] is there already; "
            "nothing was written",
            "`nsroute scan` uses it; --print shows what would be written",
        )


def _ways(
    getters: list[str] | None, objects: list[str] | None, attributes: list[str] | None
) -> list[Way]:
    from codemod.starter import Way

    for option, texts in (("--getter", getters), ("--object", objects)):
        for text in texts or ():
            module, _, name = text.partition(":")
            if not module or not name.isidentifier():
                raise UsageError(
                    f"{option} {text}: is not MODULE:NAME",
                    "for example app.config:get_config",
                )
    return [
        *(Way("call", text, 0) for text in getters or ()),
        *(Way("object", text, 0) for text in objects or ()),
        *(Way("attribute", text, 0) for text in attributes or ()),
    ]


def _named(
    evidence: Sequence[Evidence], record: str | None, ways: list[Way]
) -> Candidate:
    from codemod.packs.errors import did_you_mean
    from codemod.starter import named_candidate

    try:
        chosen = named_candidate(evidence, record, ways)
    except LookupError as error:
        known = [f"{one.module}:{cls.name}" for one in evidence for cls in one.classes]
        raise UsageError(
            f"--record {error}: there is no such class"
            + did_you_mean(str(error), known),
            "write MODULE:CLASS, as in app.config:Settings",
        ) from None
    if not chosen.ways:
        raise UsageError(
            f"--record {record}: nothing was found that returns it or is it",
            "say how code gets to it: --getter, --object or --attribute",
        )
    return chosen


def _stands_out(
    screen: Screen, evidence: Sequence[Evidence], project: Project
) -> tuple[Candidate, Sequence[Candidate]]:
    """The one candidate that is clear, and the rest."""
    from codemod.cli.tables import table
    from codemod.starter import find_candidates, is_clear

    found = find_candidates(evidence)
    if not found:
        raise UsageError(
            f"nothing in {count(len(project.files), 'file')} looks like a config "
            "object that the rest reads",
            "name it: --record MODULE:CLASS --getter MODULE:FUNCTION "
            "(or --object, --attribute)",
        )
    if not is_clear(found):
        rows = [
            (one.total(), one.name, ", ".join(str(way) for way in one.ways))
            for one in found[:_SHOWN]
        ]
        screen.lines(table(screen, ("reads", "record", "read through"), rows))
        raise UsageError(
            "several objects may be the record; nothing was written",
            f"choose one, for example `nsroute init {_option(found[0])}`",
        )
    return found[0], found[1:]


def _option(candidate: Candidate) -> str:
    """How to name a candidate on the command line."""
    if candidate.cls is not None:
        return f"--record {candidate.cls}"
    way = candidate.ways[0]
    return f"--{'getter' if way.kind == 'call' else way.kind} {way.target}"


def _text(chosen: Candidate, root: Path) -> str:
    from codemod.packs import load_pack
    from codemod.starter import starter_text

    builtin = _builtin_for(chosen)
    routed = load_pack(builtin, root).routes.fields if builtin else ()
    return starter_text(chosen, root.name or "project", builtin, routed)


def _builtin_for(chosen: Candidate) -> str | None:
    """The built-in pack that describes this record already."""
    from codemod.packs import builtin_packs, load_pack

    targets = {way.target for way in chosen.ways}
    for name in builtin_packs():
        record = load_pack(name, Path()).record
        if chosen.cls is not None and record.cls == chosen.cls:
            return name
        if chosen.cls is None and targets & {*record.calls, *record.objects}:
            return name
    return None


def _write(root: Path, text: str) -> None:
    from codemod.delivery import write_file

    own = root / _FILE
    problem = write_file(
        root, _FILE, text.encode(), own.read_bytes() if own.exists() else None
    )
    if problem is not None:
        raise UsageError(f"{problem.file}: {problem.message}")


def _report(
    screen: Screen, folder: Path, chosen: Candidate, others: Sequence[Candidate]
) -> Iterator[str]:
    from codemod.cli.tables import table

    yield f"Wrote {screen.paint(str(folder / _FILE), 'bold')}."
    yield ""
    yield f"The record is {screen.paint(chosen.name, 'bold')}, read through"
    yield ""
    rows = [
        (way.reads, str(way))
        for way in sorted(chosen.ways, key=lambda way: (-way.reads, way.target))
    ]
    yield from table(screen, ("reads", "way"), rows)
    if chosen.namespaces:
        mark = chosen.marker or chosen.metadata
        yield ""
        yield (
            f"{count(len(chosen.namespaces), 'field')} of "
            f"{len(chosen.fields):,} say their namespace ({mark})."
        )
    if others:
        names = ", ".join(other.name for other in others[:3])
        yield ""
        yield fold(screen, f"Not taken, being read less: {names}. See --record.")


def _next_steps(screen: Screen, folder: Path) -> Iterator[str]:
    """What to do now, with the first figures of the new pack."""
    from codemod.api import analyse
    from codemod.packs import PackError

    where = "" if str(folder) == "." else f" {folder}"
    try:
        steps = [*_steps(analyse(folder), where)]
    except PackError as error:
        steps = [
            f"The pack is not complete yet: {error}",
            f"`nsroute routes{where}` then shows where each field goes.",
        ]
    yield ""
    yield screen.paint("Next", "bold")
    for number, step in enumerate(steps, 1):
        lines = fold(screen, step, width=screen.width - 5).splitlines()
        yield f"  {number}. {lines[0]}"
        yield from (f"     {line}" for line in lines[1:])


def _steps(analysis: Analysis, where: str) -> Iterator[str]:
    pack, routes, total = analysis.pack, analysis.routes, analysis.result.summary
    yield f"Read {_FILE}: it is a guess, above all which attributes hold the record."
    routed = sum(namespace is not None for namespace in routes.fields.values())
    if not routed:
        yield (
            "Decide on namespaces: mark the fields, or fill in [routes.fields]; "
            "and write the functions that return them, for [accessors]."
        )
    if routes.missing_accessors:
        modules = sorted(
            {a.module for a in pack.accessors if a.root in routes.missing_accessors}
        )
        yield (
            f"Write {', '.join(modules)}, which the accessors of {pack.name} are "
            "imported from, or name modules of yours under [accessors]."
        )
    fields = count(len(routes.fields), "field")
    yield f"`nsroute routes{where}`: {routed} of {fields} have a namespace."
    yield (
        f"`nsroute scan{where}`: {count(total.reads, 'read')}, "
        f"{total.convert:,} of them convert; the rest says why not."
    )
    if total.convert:
        yield f"`nsroute diff{where}`: the change, before anything is written."
