"""What a guard is given, and what it finds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from codemod.analysis.guard_facts import Mention
from codemod.decisions.engine import Decided
from codemod.guards.targets import Targets
from codemod.index.guardfacts import FileGuards, GuardIndex
from codemod.index.index import Index
from codemod.model import ScanResult
from codemod.packs import GuardRule, Pack, module_matches
from codemod.routing import RouteTable

#: ``guard, module, function, field``: what findings are counted by.
Key = tuple[str, str, str, str]


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing a guard found, at ``file:line:column``.

    ``subject`` is the field, or whatever else it is about (a module, a name);
    ``message`` says what and why, ``fix`` is the text to write instead, or what to do.
    ``text`` is the source the finding is about, which starts at its place.
    """

    guard: str
    file: str
    line: int
    column: int
    function: str
    message: str
    fix: str
    module: str
    subject: str = ""
    text: str = ""

    @property
    def key(self) -> Key:
        """What it is counted by in a baseline: no line, for lines move."""
        return (self.guard, self.module, self.function, self.subject)


@dataclass(frozen=True)
class GuardContext:
    """A project, analysed, with what the guards need beyond a scan.

    ``before`` gives the call chain by which a line of a function (module, dotted path
    in it, line) runs before the record is published, or "".
    """

    pack: Pack
    routes: RouteTable
    index: Index
    decided: tuple[Decided, ...]
    result: ScanResult
    guards: GuardIndex
    targets: Targets
    before: Callable[[str, str, int], str] = field(default=lambda m, f, line: "")

    def rule(self, guard: str) -> GuardRule:
        """What the pack says to a guard."""
        return self.pack.guards.rule(guard)

    def is_owner(self, module: str) -> bool:
        """Whether a module owns the record, and may do with it what it likes."""
        return module_matches(self.pack.record.owners, module)

    def mentions(
        self, meanings: frozenset[str]
    ) -> Iterator[tuple[FileGuards, Mention]]:
        """The reads of names that mean one of some definitions, in order of place."""
        for file in self.guards.files:
            for mention in file.facts.mentions:
                if self.targets.meaning(mention.ref) & meanings:
                    yield file, mention


def finding_at(
    guard: str,
    file: FileGuards,
    line: int,
    column: int,
    function: str,
    message: str,
    fix: str,
    subject: str = "",
    text: str = "",
) -> Finding:
    """A finding in a file of the project."""
    source = file.source.file
    return Finding(
        guard,
        source.path,
        line,
        column,
        function,
        message,
        fix,
        source.module,
        subject,
        text,
    )
