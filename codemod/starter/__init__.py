"""A first pack for a repository, from what its source shows.

``survey`` looks at every file once, ``find_candidates`` ranks what may be the record,
and ``starter_text`` writes the pack. All of it guesses: a person reads the result.
"""

from __future__ import annotations

from codemod.starter.candidates import (
    Candidate,
    Way,
    find_candidates,
    is_clear,
    named_candidate,
)
from codemod.starter.survey import survey
from codemod.starter.template import starter_text

__all__ = [
    "Candidate",
    "Way",
    "find_candidates",
    "is_clear",
    "named_candidate",
    "starter_text",
    "survey",
]
