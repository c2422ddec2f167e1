"""Inline suppressions: ``# nsroute: keep[reason] text``.

A suppression covers every read on its logical line, so a formatter may wrap the line.
Both a reason code in brackets and a text are asked for: a kept read always says why.
"""

from __future__ import annotations

import io
import re
import tokenize
from dataclasses import dataclass

_COMMENT = re.compile(
    r"#\s*nsroute:\s*keep(?:\[(?P<reason>[^\]\n]*)\])?[ \t]*(?P<text>.*)"
)
_CODE = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*\Z")


@dataclass(frozen=True, slots=True)
class Suppression:
    """A keep comment: the physical lines it covers, its reason code and its text."""

    first_line: int
    last_line: int
    line: int
    reason: str
    text: str


def suppressions(
    text: str,
) -> tuple[tuple[Suppression, ...], tuple[tuple[int, str], ...]]:
    """The keep comments of a file, and the lines of malformed ones with what is wrong.

    Malformed comments suppress nothing.
    """
    if "nsroute:" not in text:
        return (), ()
    found: list[Suppression] = []
    bad: list[tuple[int, str]] = []
    pending: list[re.Match[str]] = []
    lines: list[int] = []
    start = 0
    try:
        for token in tokenize.generate_tokens(io.StringIO(text, newline="").readline):
            kind = token.type
            if kind == tokenize.COMMENT:
                match = _COMMENT.search(token.string)
                if match:
                    pending.append(match)
                    lines.append(token.start[0])
            elif kind == tokenize.NEWLINE:
                _close(
                    pending, lines, start or token.start[0], token.start[0], found, bad
                )
                start = 0
            elif kind == tokenize.NL:
                if not start:
                    # A comment on a line of its own covers the next logical line.
                    continue
            elif kind not in (tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER):
                start = start or token.start[0]
    except (tokenize.TokenError, IndentationError):  # reported by the parser
        return (), ()
    for line in lines:
        bad.append((line, "this keep comment covers no statement"))
    return tuple(found), tuple(bad)


def _close(
    pending: list[re.Match[str]],
    lines: list[int],
    first: int,
    last: int,
    found: list[Suppression],
    bad: list[tuple[int, str]],
) -> None:
    for match, line in zip(pending, lines):
        reason = (match["reason"] or "").strip()
        words = match["text"].strip()
        if not reason or not _CODE.match(reason):
            bad.append(
                (line, "a keep comment is written `# nsroute: keep[reason] why`")
            )
        elif not words:
            bad.append((line, f"keep[{reason}] needs a text that says why"))
        else:
            found.append(Suppression(first, last, line, reason, words))
    pending.clear()
    lines.clear()
