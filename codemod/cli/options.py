"""The options that commands share, in bundles that a command takes as one argument.

A field is an option exactly as typer would take it in a function's signature; see
``codemod.cli.command`` for how a bundle is spread over a command line.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from codemod.cli.completion import complete_folder, complete_path, complete_rules
from codemod.cli.exits import UsageError
from codemod.cli.places import Places, resolve_places
from codemod.cli.screen import Screen

if TYPE_CHECKING:
    from codemod.api import Analysis, Options
    from codemod.project import Project


class When(str, Enum):
    """When to colour."""

    auto = "auto"
    always = "always"
    never = "never"


class Format(str, Enum):
    """How a result is printed."""

    text = "text"
    json = "json"


FormatOption = Annotated[
    Format, typer.Option("--format", "-f", help="How to print the result.")
]
RootOption = Annotated[
    str | None,
    typer.Option(
        metavar="DIR",
        autocompletion=complete_folder,
        help="The directory that holds the top-level packages. "
        "Every positional argument then narrows.",
    ),
]
IncludeOption = Annotated[
    list[str] | None,
    typer.Option(metavar="GLOB", help="Only these files; may be repeated."),
]
ExcludeOption = Annotated[
    list[str] | None,
    typer.Option(metavar="GLOB", help="Not these files; may be repeated."),
]
JobsOption = Annotated[
    int | None,
    typer.Option(
        "--jobs", "-j", min=1, metavar="N", help="Processes. [default: cores]"
    ),
]


@dataclass(frozen=True)
class Look:
    """How a command looks on the screen."""

    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="Print results and errors only.")
    ] = False
    color: Annotated[
        When, typer.Option(help="Colour; auto honours NO_COLOR and FORCE_COLOR.")
    ] = When.auto

    def screen(self) -> Screen:
        """The streams, as the options want them."""
        return Screen(self.color.value, self.quiet)


@dataclass(frozen=True)
class Source:
    """Which pack to use, on which files, and how to read them."""

    root: RootOption = None
    rules: Annotated[
        str | None,
        typer.Option(
            metavar="PACK",
            autocompletion=complete_rules,
            help="A built-in pack's name or a TOML file. "
            "[default: [tool.nsroute] in pyproject.toml, or nsroute.toml, at ROOT]",
        ),
    ] = None
    routes_from: Annotated[
        str | None,
        typer.Option(
            metavar="PATH:CLASS",
            autocompletion=complete_path,
            help="Read the routes from this file instead.",
        ),
    ] = None
    include: IncludeOption = None
    exclude: ExcludeOption = None
    jobs: JobsOption = None
    no_cache: Annotated[
        bool,
        typer.Option("--no-cache", help="Neither read nor write .nsroute_cache."),
    ] = False

    def options(self, only: tuple[str, ...] = ()) -> Options:
        """The same for the library."""
        from codemod.api import Options

        return Options(
            routes_from=self._routes_from(),
            include=tuple(self.include or ()),
            exclude=tuple(self.exclude or ()),
            only=only,
            jobs=self.jobs,
            cache=not self.no_cache,
        )

    def _routes_from(self) -> str | None:
        """The file relative to the current directory, as a person in it writes it."""
        if self.routes_from is None:
            return None
        path, colon, name = self.routes_from.rpartition(":")
        if not colon or name.endswith(".py"):
            path, colon, name = self.routes_from, "", ""
        here = Path(path)
        return f"{here.resolve()}{colon}{name}" if here.is_file() else self.routes_from

    def analyse(self, places: Places, screen: Screen, guards: bool = False) -> Analysis:
        """The analysis of what the options ask for; what is no error is said.

        With ``guards`` files are looked at for them in one go.
        """
        from dataclasses import replace

        from codemod.api import analyse
        from codemod.cli.progress import Bar

        with Bar(screen, "reading") as bar:
            options = replace(self.options(places.only), progress=bar, guards=guards)
            analysis = analyse(places.root, self.rules, options)
        check_narrowing(analysis.index.project, places)
        for source in analysis.index.close_sources():
            path = source.file.path
            for line, message in analysis.index.facts(path).warnings:
                screen.warn(f"{path}:{line}: {message}")
        return analysis


@dataclass(frozen=True)
class Work(Source):
    """``Source`` with the positional arguments of most commands."""

    places: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="ROOT|PATH|GLOB",
            autocompletion=complete_path,
            help="ROOT holds the top-level packages, by default the current directory; "
            "paths in it and module globs ('app.core.*') narrow the work. The first "
            "argument is ROOT if it is a directory and no package.",
            show_default=False,
        ),
    ] = None

    def resolve(self) -> Places:
        """ROOT and what narrows."""
        return resolve_places(self.places or (), self.root, self.rules)


def check_narrowing(project: Project, places: Places) -> None:
    """A narrowing that fits no file is a slip: UsageError, lest it pass for clean."""
    from codemod.api import is_wanted

    for pattern in places.only:
        if not any(
            is_wanted(file.path, file.module, (pattern,)) for file in project.files
        ):
            raise UsageError(
                f"{pattern}: no Python file of {places.root} fits",
                "narrow with paths, or with module globs such as 'app.core.*'",
            )
