"""What the steps ask of the tree: small operations that compose on one rebuild.

A step looks at the tree as it was and names original nodes. The rebuild applies all
operations of a plan from the leaves up, so an edit inside the default of another
edit's ``getattr`` is there when the outer one looks at its argument.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from codemod.model import Anchor
from codemod.plan import FilePlan
from codemod.rewrite.style import Style

if TYPE_CHECKING:
    import libcst as cst


class StepError(Exception):
    """An edit that does not fit its node; the engine adds the file and the line."""

    def __init__(self, anchor: Anchor | None, message: str) -> None:
        super().__init__(anchor, message)
        self.anchor = anchor
        self.message = message


@dataclass(frozen=True, slots=True)
class Source:
    """The tree before the edits, and what the steps may ask of it."""

    module: cst.Module
    plan: FilePlan
    style: Style
    nodes: Mapping[Anchor, cst.CSTNode]
    parents: Mapping[int, cst.CSTNode]

    def node(self, anchor: Anchor) -> cst.CSTNode:
        """Return the node an anchor names; raises StepError when there is none."""
        try:
            return self.nodes[anchor]
        except KeyError:
            raise StepError(
                None, f"there is no {anchor.kind} number {anchor.ordinal} in the file"
            ) from None

    def parent(self, node: cst.CSTNode) -> cst.CSTNode | None:
        """Return the statement, expression or block that holds ``node``."""
        return self.parents.get(id(node))


@dataclass(slots=True)
class Ledger:
    """What the rebuild has to account for: pragmas it dropped, notes for a person."""

    dropped: Counter[str] = field(default_factory=Counter)
    notes: list[str] = field(default_factory=list)

    def note(self, text: str) -> None:
        """Add a note once, however often it comes up."""
        if text not in self.notes:
            self.notes.append(text)


@dataclass(frozen=True, slots=True)
class Replace:
    """Put ``make(node)`` where ``node`` stands, its own children already rebuilt."""

    node: cst.CSTNode
    make: Callable[[cst.CSTNode], cst.CSTNode]


@dataclass(frozen=True, slots=True)
class Remove:
    """Take a small statement out of its line."""

    node: cst.CSTNode


@dataclass(frozen=True, slots=True)
class Expand:
    """Put several small statements where one stands: on lines of their own in a block,
    joined by semicolons where it shares its line."""

    node: cst.CSTNode
    make: Callable[[cst.BaseSmallStatement], list[cst.BaseSmallStatement]]


@dataclass(frozen=True, slots=True)
class Enclose:
    """Put the rest of a block under ``with item:`` in the place of a statement."""

    node: cst.CSTNode
    item: cst.BaseExpression


@dataclass(frozen=True, slots=True)
class ImportedName:
    """One ``name [as asname]`` of an import statement."""

    name: str
    asname: str | None = None

    @property
    def bound(self) -> str:
        """The name the statement binds: the first part of a dotted one."""
        return self.asname or self.name.partition(".")[0]


@dataclass(frozen=True, slots=True)
class EditNames:
    """Change what an import statement binds: all its changes at once, laid out once."""

    node: cst.CSTNode
    add: tuple[ImportedName, ...] = ()
    remove: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class InsertImport:
    """Put ``from module import names`` into ``block`` before its child ``index``.

    ``block`` is a Module, an IndentedBlock or a SimpleStatementSuite (which becomes
    an IndentedBlock).
    """

    block: cst.CSTNode
    index: int
    module: str
    names: tuple[ImportedName, ...]


Operation = Replace | Remove | Expand | Enclose | EditNames | InsertImport
