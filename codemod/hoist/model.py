"""What ``nsroute hoist`` finds and decides, as data; the keys are those of its JSON.

Lines and columns count from 1; files are relative to the root, with ``/``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from codemod.model import Problem
from codemod.project import Text, encode

HoistVerdict = Literal["hoist", "keep"]


@dataclass(frozen=True, slots=True)
class ChainLink:
    """One step of a chain of imports: ``module`` imports ``target`` in this line.

    ``hoisted`` is true for an import that is local today. ``call`` is true where
    ``target`` is a function that runs while modules are imported.
    """

    module: str
    file: str
    line: int
    target: str
    hoisted: bool = False
    call: bool = False


@dataclass(frozen=True, slots=True)
class HoistDecision:
    """One name of one import inside a function, with its decision.

    ``text`` is the statement, ``imports`` what the name is, spelled out. ``reason`` and
    ``why`` are None for what is hoisted. ``offer`` is what a person may write instead.

    For ``cycle``, ``entry`` is the module whose import would fail when it is the first
    one in a process, ``failure`` how, ``chain`` the way there, and ``proof`` says
    whether a simulation or a real interpreter found it. For ``heavy``, ``chain`` leads
    to the first new package; ``added_packages`` and ``added_modules`` count what
    importing the module would load in addition.

    ``fixes`` is the line of a use before the import, which fails today, 0 for none.
    """

    file: str
    module: str
    line: int
    column: int
    function: str
    text: str
    name: str
    imports: str
    decision: HoistVerdict
    reason: str | None = None
    why: str | None = None
    offer: str | None = None
    entry: str | None = None
    failure: str | None = None
    chain: tuple[ChainLink, ...] = ()
    proof: str | None = None
    added_packages: tuple[str, ...] = ()
    added_modules: int = 0
    fixes: int = 0


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Simulation and real interpreter differ on an import; the local import is kept."""

    file: str
    line: int
    entry: str
    simulation: str
    real: str


@dataclass(frozen=True, slots=True)
class HoistChange:
    """A file's new text, before it is written. ``names`` local imports are hoisted.

    ``like`` is the old text with its encoding, in which the new one is written.
    """

    file: str
    before: str
    after: str
    names: int
    like: Text
    notes: tuple[str, ...] = ()

    @property
    def bytes_before(self) -> bytes:
        """The file's content as it was read."""
        return encode(self.before, self.like)

    @property
    def bytes_after(self) -> bytes:
        """The file's new content."""
        return encode(self.after, self.like)


@dataclass(frozen=True, slots=True)
class HoistSummary:
    """Counts: ``imports`` are names, ``statements`` the import statements they are in.

    ``keep`` maps each reason to its number of names. ``modules`` were read;
    ``simulated`` imports were simulated, ``real`` modules were imported for real, of
    which ``unproven`` could not be imported before either. ``largest_growth`` is the
    module whose import will load most in addition, and how many modules that is.
    """

    modules: int
    imports: int
    statements: int
    hoist: int
    hoist_statements: int
    keep: dict[str, int]
    files_changed: int
    simulated: int = 0
    real: int = 0
    unproven: int = 0
    largest_growth: tuple[str, int] = ("", 0)
    seconds: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class HoistPlan:
    """Every local import that was asked for, with its decision, and the new texts.

    ``errors`` are files that could not be read, ``rolled_back`` those whose new text
    did not pass its checks, and ``doubled`` names that several files have: of those one
    is read, and none is changed. ``unproven`` are modules that could not be imported
    for real before any hoist either, each with how it failed.
    """

    schema: int
    tool: str
    root: str
    summary: HoistSummary
    imports: tuple[HoistDecision, ...]
    changes: tuple[HoistChange, ...] = ()
    disagreements: tuple[Disagreement, ...] = ()
    errors: tuple[Problem, ...] = ()
    rolled_back: tuple[Problem, ...] = ()
    doubled: tuple[Problem, ...] = ()
    unproven: Mapping[str, str] = field(default_factory=dict)
