"""What a rewrite gives back, and how it says that it could not be done."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Rewritten:
    """The new text of a file, and what a reviewer may want to be told about it."""

    text: str
    notes: tuple[str, ...] = ()


class RewriteError(Exception):
    """A file that could not be rewritten; it stays as it is.

    ``file`` is relative to the root, ``line`` counts from 1 (0 when no line can be
    named), ``message`` says why and what to do. The arguments are kept on the
    exception so that it survives the way back from another process.
    """

    def __init__(self, file: str, line: int, message: str) -> None:
        super().__init__(file, line, message)
        self.file = file
        self.line = line
        self.message = message

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.message}"
