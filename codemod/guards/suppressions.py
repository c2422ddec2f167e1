"""Keep comments that suppress nothing, or say it wrongly.

``# nsroute: keep[reason] why`` keeps a read, a local import or a guard's finding on its
line. When the line has none, because the code has moved on, the comment tells readers
of a danger that is not there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from codemod.guards.model import Finding, GuardContext, finding_at
from codemod.guards.samples import Sample
from codemod.index.guardfacts import FileGuards

CODE = "suppressions"
SUMMARY = "A keep comment that suppresses nothing."
NEEDS_REASON = False

VALID = (
    Sample(
        """\
from app.context import get_config


def f():
    return get_config().size  # nsroute: keep[wire] the other side wants it as given


def g():
    from app.context import get_pool  # nsroute: keep[cycle] app.context imports us

    return get_pool()
"""
    ),
)
INVALID = (
    Sample(
        """\
def f():
    return 1  # nsroute: keep[wire] the other side wants it  # <-


def g():
    return 1  # nsroute: keep  # <-
"""
    ),
)

_IMPORT = re.compile(r"\s+(from|import)\b")


def findings(
    context: GuardContext, suppressed: frozenset[tuple[str, int]] = frozenset()
) -> tuple[Finding, ...]:
    """One for each comment; ``suppressed`` are places of findings that some hid."""
    return tuple(_findings(context, suppressed))


def _findings(
    context: GuardContext, suppressed: frozenset[tuple[str, int]]
) -> Iterator[Finding]:
    kept = {
        (d.read.file, line)
        for d in context.decided
        if d.read.reason == "suppressed"
        for line in range(d.candidate.line, d.candidate.end_line + 1)
    }
    for file in context.guards.files:
        path = file.source.file.path
        for line, message in file.facts.bad_comments:
            yield finding_at(
                CODE,
                file,
                line,
                1,
                "",
                message,
                "write `# nsroute: keep[reason] why` behind the code it keeps",
                "malformed",
            )
        for comment in file.facts.comments:
            lines = range(comment.first_line, comment.last_line + 1)
            if any((path, n) in kept or (path, n) in suppressed for n in lines):
                continue
            if _keeps_something(file, comment.first_line, comment.last_line):
                continue
            yield finding_at(
                CODE,
                file,
                comment.line,
                1,
                "",
                f"keep[{comment.reason}] suppresses nothing here",
                "remove the comment",
                comment.reason,
            )


def _keeps_something(file: FileGuards, first: int, last: int) -> bool:
    """Whether the lines hold what a transform would change: an import, a probe."""
    facts = file.facts
    if any(first <= m.line <= last for m in facts.mentions):
        return True
    if any(first <= c.line <= last for c in facts.method_calls):
        return True
    text = file.source.data.decode("utf-8", "replace").splitlines()
    return any(_IMPORT.match(line) for line in text[first - 1 : last])
