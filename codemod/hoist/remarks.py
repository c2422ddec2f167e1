"""What people say beside an import inside a function: in the comment right above it
and in those on its lines.

Most comments above an import speak of the code that follows and stay with it. Of those
that speak of the import itself some say why it is where it is. A cycle can be looked
for, so such a remark is settled by the proof; any other purpose (``# Lazy import: no
GPU context before the first call``) is a person's decision.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_PURPOSE = re.compile(
    r"\blaz(?:y|ily|iness)\b|\bdefer(?:s|red|ring)?\b|\bdelay(?:s|ed|ing)?\b"
    r"|\b(?:local|late|inline|function[- ]local|in-function)[- ](?:import|level import)"
    r"|\bimport(?:s|ed|ing)? (?:it |this |them )?(?:here|inside|locally|late|only)\b"
    r"|\bon (?:purpose|demand)\b|\b(?:intentional|deliberate)(?:ly)?\b"
    r"|\bat (?:call|run|use)[- ]?time\b",
    re.IGNORECASE,
)
_CYCLE = re.compile(r"\bcircular|\bcycl(?:e|es|ic|ical)\b|\brecursive import", re.I)
_IMPORT = re.compile(r"\bimport|\bcircular|\bcyclic", re.IGNORECASE)


def remark(lines: Sequence[str], first: int, last: int) -> str:
    """The comments above line ``first`` and on it and the lines to ``last``, as one.

    The lines are those of an import statement, in which every ``#`` starts a comment.
    """
    parts = [lines[number - 1].strip() for number in range(above(lines, first), first)]
    for line in lines[first - 1 : last]:
        _, found, text = line.partition("#")
        if found:
            parts.append(text)
    return " ".join(part.lstrip("# \t").strip() for part in parts).strip()


def above(lines: Sequence[str], line: int) -> int:
    """The first line of the comments right above ``line``; ``line`` for none."""
    while line > 1 and lines[line - 2].lstrip().startswith("#"):
        line -= 1
    return line


def says_cycle(text: str) -> bool:
    """Whether a remark speaks of an import cycle."""
    return _CYCLE.search(text) is not None


def says_purpose(text: str) -> bool:
    """Whether a remark says that the import is local on purpose, other than a cycle."""
    return _PURPOSE.search(text) is not None and not says_cycle(text)


def speaks_of_import(text: str) -> bool:
    """Whether a remark is about the import rather than about the code below it."""
    return _IMPORT.search(text) is not None
