"""What is wrong with a pack, and where."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Where:
    """A place in a pack or in a source file; ``line`` is 0 when there is none."""

    file: str
    line: int
    key: str


class PackError(Exception):
    """A pack cannot be used. ``str()`` is ``file:line: key: message``.

    ``key`` is the dotted path of the key in the file (``record.calls[0]``), or, for
    an error in the record's source, what the pack wanted of it.
    """

    def __init__(self, file: str, line: int, key: str, message: str) -> None:
        super().__init__(file, line, key, message)
        self.file = file
        self.line = line
        self.key = key
        self.message = message

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}" if self.line else self.file
        return ": ".join(part for part in (place, self.key, self.message) if part)

    @classmethod
    def at(cls, where: Where, message: str) -> PackError:
        """The error at a known place."""
        return cls(where.file, where.line, where.key, message)


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """``"; did you mean 'modules'?"`` for a near miss, else nothing."""
    import difflib

    close = difflib.get_close_matches(word, list(known), n=1, cutoff=0.6)
    return f"; did you mean {close[0]!r}?" if close else ""
