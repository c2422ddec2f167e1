"""The words that make a file worth reading closely.

A file that holds none of a pack's words cannot read the record: a getter, an object, an
attribute or a stash has to be spelled to be used. Names that re-export or stash the
record under another spelling are found in the index and added, to a fixpoint.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property


@dataclass(frozen=True)
class Vocabulary:
    """Names, without their modules, that can lead to the record.

    ``getters`` return it, ``objects`` are it, ``attributes`` hold it by the pack's
    word, ``stashes`` are instance attributes found to hold it, ``classes`` name its
    type. ``accessors`` are the names generated code wants to use, so that the analysis
    notes where they are taken. ``access`` is the pack's list of reading styles.
    """

    getters: frozenset[str] = frozenset()
    objects: frozenset[str] = frozenset()
    attributes: frozenset[str] = frozenset()
    stashes: frozenset[str] = frozenset()
    classes: frozenset[str] = frozenset()
    accessors: frozenset[str] = frozenset()
    access: frozenset[str] = field(default=frozenset({"attribute", "getattr"}))

    @cached_property
    def words(self) -> frozenset[str]:
        """Every word whose presence makes a file worth reading closely."""
        return self.getters | self.objects | self.attributes | self.stashes

    @cached_property
    def encoded_words(self) -> tuple[bytes, ...]:
        """The words as they stand in a file, in any encoding that extends ASCII."""
        return tuple(sorted(word.encode() for word in self.words))

    def may_mention(self, data: bytes) -> bool:
        """Whether the file's bytes hold one of the words.

        Plain substring search, many times quicker than a pattern of alternatives. A
        part of a longer name counts: too many files are looked at, never too few.
        """
        return any(word in data for word in self.encoded_words)

    def key(self) -> str:
        """A stable text of the whole vocabulary, for cache keys."""
        parts = (
            self.getters,
            self.objects,
            self.attributes,
            self.stashes,
            self.classes,
            self.accessors,
            self.access,
        )
        return "|".join(",".join(sorted(part)) for part in parts)
