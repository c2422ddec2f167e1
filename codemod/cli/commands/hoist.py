"""``nsroute hoist``: imports inside functions go to module level where it is safe."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from codemod.cli import exits
from codemod.cli.commands.apply import Delivery, Target
from codemod.cli.completion import complete_import_reason, complete_path
from codemod.cli.exits import UsageError
from codemod.cli.options import (
    ExcludeOption,
    Format,
    FormatOption,
    IncludeOption,
    JobsOption,
    Look,
    RootOption,
    check_narrowing,
)
from codemod.cli.places import Places, resolve_places
from codemod.cli.screen import Screen

if TYPE_CHECKING:
    from codemod.hoist import HoistOptions, HoistPlan, RealOptions
    from codemod.project import Project
    from codemod.transforms.model import KeptSite

EXAMPLES = """\
Examples:
  nsroute hoist                            what would move, as a diff
  nsroute hoist --summary                  only the counts and the cycles
  nsroute hoist --reason cycle             each cycle, with its chain
  nsroute hoist --module app.config src    only imports of app.config
  nsroute hoist --python .venv/bin/python --mock torch,triton
  nsroute hoist --trust simulation         run nothing of the project
  nsroute hoist --apply                    move them"""


class Trust(str, Enum):
    """Whose word counts."""

    both = "both"
    simulation = "simulation"
    real = "real"


@dataclass(frozen=True)
class Where:
    """Which files there are, and which local imports in them are meant."""

    root: RootOption = None
    include: IncludeOption = None
    exclude: ExcludeOption = None
    jobs: JobsOption = None
    places: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="ROOT|PATH|GLOB",
            autocompletion=complete_path,
            help="ROOT holds the top-level packages, by default the current directory; "
            "paths in it and module globs ('app.core.*') narrow whose imports move. "
            "The first argument is ROOT if it is a directory and no package.",
            show_default=False,
        ),
    ] = None

    def resolve(self) -> Places:
        """ROOT and what narrows."""
        return resolve_places(self.places or (), self.root)

    def project(self, places: Places) -> Project:
        """The files; UsageError for a narrowing that fits none of them."""
        from codemod.project import open_project

        project = open_project(
            Path(places.root), self.include or (), self.exclude or ()
        )
        check_narrowing(project, places)
        return project


@dataclass(frozen=True)
class What:
    """Which local imports are meant, and what keeps them."""

    module: Annotated[
        list[str] | None,
        typer.Option(
            metavar="GLOB",
            help="Only imports of these modules; may be repeated. "
            "[default: the project's own]",
        ),
    ] = None
    third_party: Annotated[
        bool,
        typer.Option("--third-party", help="Also imports of what is not the project."),
    ] = False
    heavy: Annotated[
        int,
        typer.Option(
            min=0,
            metavar="N",
            help="Keep an import that loads more than N modules of the project which "
            "importing its module does not load today.",
        ),
    ] = 50
    allow: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PACKAGES",
            help="Third-party packages that may be loaded in addition, with commas "
            "between them; may be repeated.",
        ),
    ] = None
    conditions: Annotated[
        bool,
        typer.Option(
            "--conditions",
            help="Move also from under an if that asks neither about the platform nor "
            "about what is installed.",
        ),
    ] = False


@dataclass(frozen=True)
class Proof:
    """How it is proved that no import breaks."""

    trust: Annotated[
        Trust,
        typer.Option(
            help="Whose word counts: that of a simulation, of a real interpreter, or "
            "of both, where either may object. All but simulation run the project's "
            "modules, as importing them does."
        ),
    ] = Trust.both
    python: Annotated[
        str | None,
        typer.Option(
            metavar="PATH",
            autocompletion=complete_path,
            help="The interpreter that has the project's packages. "
            "[default: the one of nsroute]",
        ),
    ] = None
    mock: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PACKAGES",
            help="Put stand-ins in the place of these packages, with commas between "
            "them; may be repeated.",
        ),
    ] = None
    mock_missing: Annotated[
        bool,
        typer.Option(
            "--mock-missing", help="Put stand-ins for packages that are not installed."
        ),
    ] = False
    timeout: Annotated[
        float,
        typer.Option(min=0.1, metavar="SECONDS", help="For importing one module."),
    ] = 60.0

    def check(self) -> None:
        """Raise UsageError for options that do not go together."""
        if self.trust is not Trust.simulation:
            return
        for name, given in (
            ("--python", self.python),
            ("--mock", self.mock),
            ("--mock-missing", self.mock_missing),
        ):
            if given:
                raise UsageError(
                    f"{name} is for a real interpreter, which --trust simulation does "
                    "without"
                )

    def real(self, jobs: int) -> RealOptions:
        """The same for the library."""
        import sys

        from codemod.hoist import RealOptions

        return RealOptions(
            python=_interpreter(self.python) if self.python else sys.executable,
            mock=_split(self.mock),
            mock_missing=self.mock_missing,
            timeout=self.timeout,
            jobs=jobs,
        )


def hoist(
    where: Where,
    what: What,
    proof: Proof,
    delivery: Delivery,
    look: Look,
    format_: FormatOption = Format.text,
    apply: Annotated[
        bool, typer.Option("--apply", help="Make the change, as nsroute apply does.")
    ] = False,
    summary: Annotated[
        bool, typer.Option("--summary", "-s", help="Print no diff, only the summary.")
    ] = False,
    list_: Annotated[
        bool,
        typer.Option("--list", "-l", help="List each import, instead of the diff."),
    ] = False,
    reason: Annotated[
        list[str] | None,
        typer.Option(
            metavar="CODE",
            autocompletion=complete_import_reason,
            help="List only imports kept for this reason, 'hoist' for those that "
            "move; may be repeated.",
        ),
    ] = None,
) -> int:
    """Move imports inside functions to module level where safe.

    All are tried together, then the fewest are taken back until every module can be
    imported first in a process that can be today, by a simulation of the import system
    and in a real interpreter. What stays has a reason, a cycle with the chain that
    proves it. No pack is needed. It is a dry run unless --apply is given.

    Exit code: 0 when there is nothing to do; 1 when there is a diff, or a file was
    rolled back; 2 for a wrong command line; 3 when a file could not be read. With
    --apply 0 when all was done.
    """
    from codemod.cli.hoisting import (
        as_json,
        commit_of,
        introduced,
        list_imports,
        report,
        say_what_went_wrong,
    )

    screen = look.screen()
    _check(delivery, proof, apply)
    places = where.resolve()
    target = _target(places, delivery, screen) if apply else None
    fixed = _not_in_head(target) if target is not None else {}
    plan = _planned(where, what, proof, places, fixed, screen)
    commit = commit_of(plan)
    wrong = bool(plan.rolled_back)
    done = None
    if target is not None:
        commits = [commit] if commit.changes else []
        done = target.deliver(commits, lambda: introduced(commit))
        wrong = wrong or bool(done.failed)
    if format_ is Format.json:
        from codemod.cli.jsontext import json_bytes

        screen.data(json_bytes(as_json(plan, places.root, done)))
    else:
        diff = (
            bool(commit.changes) and done is None and not (summary or list_ or reason)
        )
        if list_ or reason:
            screen.lines(list_imports(screen, plan, reason or []))
        elif diff:
            from codemod.cli.series import show

            show(screen, commit)
        if summary or done is not None or not screen.quiet:
            screen.lines(report(screen, plan, done, below_diff=diff))
    if what.module and not plan.imports:
        screen.warn(f"--module {', '.join(what.module)}: no local import is of it")
    for path, site in fixed.items():
        screen.warn(f"{path}: left as it was: {site.why}")
    code = say_what_went_wrong(screen, plan, done)
    found = wrong or (commit.changes and done is None)
    return exits.gravest(code, exits.FOUND if found else exits.OK)


def _check(delivery: Delivery, proof: Proof, apply: bool) -> None:
    delivery.check()
    proof.check()
    if apply:
        return
    for name, given in (
        ("--in-place", delivery.in_place),
        ("--branch", delivery.branch),
        ("--patches", delivery.patches),
        ("--force", delivery.force),
    ):
        if given:
            raise UsageError(f"{name} goes with --apply")


def _target(places: Places, delivery: Delivery, screen: Screen) -> Target:
    """Where the change goes; UsageError, before any work, where it cannot."""
    target = Target.of(Path(places.root), delivery, "keep", screen)
    if target.dirty:
        raise target.dirt()
    return target


def _not_in_head(target: Target) -> dict[str, KeptSite]:
    """Files that commits cannot change, each with the reason."""
    from codemod.delivery.delivering import not_in_head

    if not target.delivery.commits or target.repository is None:
        return {}
    found = not_in_head(target.repository, target.delivery.force)
    return {path: site for path, site in found.items() if path.endswith(".py")}


def _planned(
    where: Where,
    what: What,
    proof: Proof,
    places: Places,
    fixed: Mapping[str, KeptSite],
    screen: Screen,
) -> HoistPlan:
    from codemod.cli.progress import Stages
    from codemod.cli.uncommitted import check_hoists
    from codemod.hoist import RealImportError, plan_hoists

    project = where.project(places)
    options = replace(_options(where, what, proof, places), fixed=frozenset(fixed))
    if proof.trust is not Trust.simulation:
        screen.note(
            f"Modules of {project.root} are imported, which runs their top levels, in "
            f"{options.real.python}; --trust simulation runs nothing."
        )
    with Stages(screen) as stages:
        try:
            plan = plan_hoists(project, options, stages)
        except RealImportError as error:
            raise UsageError(str(error)) from None
    check_hoists(plan, project.by_module, fixed)
    return plan


def _options(where: Where, what: What, proof: Proof, places: Places) -> HoistOptions:
    from codemod.hoist import HoistOptions
    from codemod.index.pool import default_jobs

    jobs = where.jobs or default_jobs()
    return HoistOptions(
        modules=tuple(what.module or ()),
        paths=places.only,
        third_party=what.third_party,
        most_modules=what.heavy,
        allow_packages=frozenset(_split(what.allow)),
        conditions=what.conditions,
        trust=proof.trust.value,
        real=proof.real(jobs),
        jobs=jobs,
    )


def _split(given: list[str] | None) -> tuple[str, ...]:
    """Words from options that may be repeated and may have commas in them."""
    words = (word.strip() for text in given or () for word in text.split(","))
    return tuple(dict.fromkeys(word for word in words if word))


def _interpreter(text: str) -> str:
    """The path of an interpreter that is given as a path or as a command's name."""
    import shutil

    found = shutil.which(text)
    if found is None:
        raise UsageError(f"--python {text}: there is no such program")
    return str(Path(found).absolute())
