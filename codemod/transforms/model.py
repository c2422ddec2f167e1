"""What a transform is given, and what it gives back.

A transform is one module here of the same shape: a docstring with what, why, before
and after; ``NAME``, the word a pack's step uses; ``SUMMARY``; ``EXAMPLES``, which are
run as tests; and ``tasks(context) -> StepPlan``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from codemod.api import Options
from codemod.decisions.engine import Decided
from codemod.index.index import Index
from codemod.model import Anchor
from codemod.packs import Pack, Step, module_matches
from codemod.routing import RouteTable
from codemod.series.task import FileTask

#: A place by its line and column, or a node by its anchor.
Refusable = tuple[str, int, int] | tuple[str, Anchor]

#: The code and the sentence for what a person wants as it is.
REFUSED = ("refused", "Refused in review.")


@dataclass(frozen=True, slots=True)
class StepContext:
    """A tree, analysed, and the step to be planned on it.

    ``withheld`` are paths of files that must not change whatever the step says: their
    edits were taken back. ``outside`` are those that nobody asked for. ``refused`` are
    places, by file, line and column, or by file and anchor, that a person wants as they
    are. What has to change together with something of these stays too.
    """

    index: Index
    pack: Pack
    routes: RouteTable
    decided: tuple[Decided, ...]
    step: Step
    options: Options = field(default_factory=Options)
    withheld: frozenset[str] = frozenset()
    outside: frozenset[str] = frozenset()
    refused: frozenset[Refusable] = frozenset()

    def refuses(self, path: str, *anchors: tuple[str, int]) -> bool:
        """Whether a person wants one of the nodes as it is."""
        return any((path, Anchor(*a)) in self.refused for a in anchors)  # type: ignore[arg-type]

    def stays(self, path: str) -> tuple[str, str] | None:
        """The code and the sentence why a file must not change; None when it may."""
        if path in self.withheld:
            return "withheld", "The edits of its file were taken back."
        if path in self.outside:
            return "outside", "Its file is not among the paths that were asked for."
        return None

    def selects(self, module: str, name: str) -> bool:
        """Whether the step takes in a field or member of the record in a module.

        What has no namespace (a probe, a derived member) is in every selection of
        namespaces.
        """
        step = self.step
        namespace = self.routes.fields.get(name)
        return (
            (not step.modules or module_matches(step.modules, module))
            and (not step.fields or module_matches(step.fields, name))
            and (
                not step.namespaces
                or namespace is None
                or module_matches(step.namespaces, namespace)
            )
        )


@dataclass(frozen=True, slots=True, order=True)
class KeptSite:
    """A place that a transform looked at and left, or wants a person to look at."""

    file: str
    line: int
    column: int
    function: str
    transform: str
    text: str
    reason: str
    why: str


@dataclass(frozen=True, slots=True)
class StepPlan:
    """What a transform does in a step.

    ``tasks`` are one for each file; ``kept`` what was looked at and left, with the
    reason; ``findings`` what a person has to see to, for nsroute never changes it.
    ``together`` are sets of paths that must change in one commit: readers in one file
    would not see what a writer in another one writes.
    """

    tasks: tuple[FileTask, ...] = ()
    kept: tuple[KeptSite, ...] = ()
    findings: tuple[KeptSite, ...] = ()
    together: tuple[frozenset[str], ...] = ()


@dataclass(frozen=True, slots=True)
class Example:
    """Small files before and after a transform, run as a test and shown in the docs.

    ``pack`` is TOML; ``before`` and ``after`` map paths to text, and ``after`` holds
    only what changes. ``kept`` are the reasons of what stays, in order of place.
    """

    pack: str
    before: Mapping[str, str]
    after: Mapping[str, str] = field(default_factory=dict)
    kept: tuple[str, ...] = ()
