"""Comments: which ones a text holds, and which of them are for a tool only."""

from __future__ import annotations

import io
import re
import tokenize
from collections import Counter

# A comment that tells a tool something about the statement it stands on goes when
# the statement goes. A comment for people stays.
_PRAGMA = re.compile(
    r"#+\s*(?:noqa|nosec|type|pylint|isort|fmt|yapf|pyright|mypy|ruff|flake8|pytype"
    r"|pyre-\w+|ty|pragma|codespell|nsroute)\b\s*(?::|\[|$|-|\s)",
    re.IGNORECASE,
)


def is_pragma(comment: str) -> bool:
    """Tell whether ``comment`` speaks to a tool: ``# noqa: F401``, ``# type: ...``.

    >>> is_pragma("# noqa: F401"), is_pragma("# types of heads")
    (True, False)
    """
    return _PRAGMA.match(comment) is not None


def comments_kept(before: str, after: str) -> bool:
    """Tell whether every comment of ``before`` is in ``after`` as often as there.

    Raises SyntaxError or tokenize.TokenError for text that is not Python.
    """
    return not lost_comments(before, after)


def lost_comments(before: str, after: str) -> Counter[str]:
    """Return the comments of ``before`` that ``after`` lacks, with how many are gone.

    Raises SyntaxError or tokenize.TokenError for text that is not Python.
    """
    # Almost always the tails of all lines from their first `#` are still there, and
    # every comment is such a tail or the end of one: no need for the slow tokenizer.
    if not _hash_tails(before) - _hash_tails(after):
        return Counter()
    return _comments(before) - _comments(after)


def _hash_tails(text: str) -> Counter[str]:
    return Counter(
        line[start:].rstrip()
        for line in text.split("\n")
        if (start := line.find("#")) >= 0
    )


def _comments(text: str) -> Counter[str]:
    tokens = tokenize.generate_tokens(io.StringIO(text, newline="").readline)
    return Counter(
        token.string.rstrip() for token in tokens if token.type == tokenize.COMMENT
    )
