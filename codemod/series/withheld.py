"""What is not to be changed, by the word of a person, a check or the command line."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from codemod.model import Anchor
from codemod.transforms.model import KeptSite

Place = tuple[str, int, int]


@dataclass(frozen=True, slots=True)
class Withheld:
    """What is not to be changed, and why.

    ``reads`` are places of reads in the tree before the commit, ``edits`` files with
    anchors of what other edits are about, and ``hunks`` the numbers, from 0, of parts
    of a file's diff, for what a tool has changed. ``files`` are files
    that the commit must leave alone, by path, of which ``named`` are those that an
    earlier draft of it had changed. ``outside`` are files that nobody asked for.
    ``later`` are reads refused in an earlier commit, whose lines have moved since:
    file, function and text.
    """

    reads: Mapping[Place, str] = field(default_factory=dict)
    files: Mapping[str, KeptSite] = field(default_factory=dict)
    later: frozenset[tuple[str, str, str]] = frozenset()
    named: frozenset[str] = frozenset()
    outside: frozenset[str] = frozenset()
    edits: frozenset[tuple[str, Anchor]] = frozenset()
    hunks: frozenset[tuple[str, int]] = frozenset()

    def plus(
        self,
        reads: Mapping[Place, str] | None = None,
        files: Mapping[str, KeptSite] | None = None,
        edits: Iterable[tuple[str, Anchor]] = (),
        hunks: Iterable[tuple[str, int]] = (),
    ) -> Withheld:
        """This and more."""
        return replace(
            self,
            reads={**self.reads, **(reads or {})},
            files={**self.files, **(files or {})},
            named=self.named | (files or {}).keys(),
            edits=self.edits.union(edits),
            hunks=self.hunks.union(hunks),
        )
