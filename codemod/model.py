"""The words of nsroute as data: what a scan finds and what it decides.

Every class here is a frozen dataclass whose fields are the keys of the JSON that
``nsroute scan --format json`` prints, so the library and the command say the same.
Lines and columns count from 1; files are relative to the root, with ``/``.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

Form = Literal["call", "object", "alias", "self", "attribute", "stash", "parameter"]
Via = Literal["attribute", "getattr", "subscript", "get"]
Verdict = Literal["convert", "keep"]
AnchorKind = Literal[
    "attribute", "call", "subscript", "assign", "import", "function", "walrus"
]


@dataclass(frozen=True, slots=True, order=True)
class Anchor:
    """The n-th node (from 0) of one kind in a file, in source order, outer first.

    ``ast`` and LibCST both count the same nodes in the same order, so an anchor finds
    a node in either tree without trusting positions, which ``ast`` gets wrong inside
    f-strings before Python 3.12. The kinds count: ``attribute`` every ``a.b``
    expression (not dotted names of imports), ``call`` every call, ``subscript`` every
    ``a[b]``, ``assign`` every ``=``, annotated and augmented assignment statement,
    ``import`` every import statement of either kind, ``function`` every ``def``,
    ``walrus`` every ``:=``.
    """

    kind: AnchorKind
    ordinal: int


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that kept a file, or a part of it, from being done."""

    file: str
    line: int
    message: str


@dataclass(frozen=True, slots=True)
class Read:
    """One expression that takes one field off the record, with its decision."""

    file: str
    module: str
    line: int
    column: int
    function: str
    form: Form
    via: Via
    text: str
    field: str
    namespace: str | None
    decision: Verdict
    reason: str | None
    why: str | None
    replacement: str | None


@dataclass(frozen=True, slots=True)
class Use:
    """The record used in a way that is not a read, such as being passed whole."""

    file: str
    line: int
    function: str
    kind: str


@dataclass(frozen=True, slots=True)
class Summary:
    """Counts over a scan; ``keep`` maps each reason to its number of reads."""

    files: int
    files_parsed: int
    reads: int
    convert: int
    keep: dict[str, int]
    skipped: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ScanResult:
    """Every read of the tree with its decision, every other use, every problem."""

    schema: int
    tool: str
    root: str
    pack: str
    summary: Summary
    reads: tuple[Read, ...]
    uses: tuple[Use, ...]
    errors: tuple[Problem, ...]
