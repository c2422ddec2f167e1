"""Function bodies without an edit are left out while LibCST works on a file.

LibCST takes ten times as long for a file as ``ast`` does, and an edit touches few of
its functions. The body of every other one is replaced by a name of its own, on one
line, and comes back as it was when the work is done:

    def untouched(self, a):
        nsroute_elided_3

The result is checked as it stands, with the names: a body that comes back on the line
and at the indent it was taken from cannot change what was checked.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from codemod.model import Anchor
from codemod.plan import Edit, FilePlan
from codemod.rewrite.anchors import Mark, MarkedTree, Span
from codemod.rewrite.textual import lines_of

_NAME = "nsroute_elided_"
_PLACEHOLDER = re.compile(rf"^([ \t\f]*){_NAME}(\d+)(?=[\r\n]|\Z)", re.MULTILINE)

#: A shorter body is not worth it, in lines.
_SHORTEST = 4


class Misplaced(Exception):  # noqa: N818 - no error of the user's
    """A body has no line of its own to come back to."""


@dataclass(frozen=True, slots=True)
class Elided:
    """A file with bodies left out: its text, its marks, and its plan.

    ``bodies`` holds the text of what each placeholder stands for.
    """

    text: str
    tree: MarkedTree
    plan: FilePlan
    bodies: tuple[str, ...] = ()

    def restored(self, text: str) -> str:
        """Return ``text`` with every body back in its place.

        Raises Misplaced when a placeholder is not there once, alone on its line and
        as deep as its body was.
        """
        if not self.bodies:
            return text
        found = [(int(match[2]), match[1]) for match in _PLACEHOLDER.finditer(text)]
        if found != [
            (number, _indent(body)) for number, body in enumerate(self.bodies)
        ]:
            raise Misplaced
        return _PLACEHOLDER.sub(lambda match: self.bodies[int(match[2])], text)


def whole(text: str, tree: MarkedTree, plan: FilePlan) -> Elided:
    """Return the file as it is, with nothing left out."""
    return Elided(text, tree, plan)


def elided(text: str, tree: MarkedTree, plan: FilePlan) -> Elided:
    """Leave out the bodies of the functions that no edit of ``plan`` touches."""
    if _NAME in text:
        return whole(text, tree, plan)
    lines = lines_of(text)
    spans = _untouched(tree, _indices(tree, plan), lines)
    if not spans:
        return whole(text, tree, plan)
    short: list[str] = []
    marks: list[Mark] = []
    bodies: list[str] = []
    line_done = mark_done = 0
    for number, span in enumerate(spans):
        first, last = _body_lines(span)
        short += lines[line_done:first]
        body = "".join(lines[first:last])
        newline = body[len(body.rstrip("\r\n")) :]
        short.append(f"{_indent(lines[first])}{_NAME}{number}{newline}")
        marks += tree.marks[mark_done : span.body]
        marks.append(("name", f"{_NAME}{number}"))
        bodies.append(body[: len(body) - len(newline)])
        line_done, mark_done = last, span.end
    short += lines[line_done:]
    marks += tree.marks[mark_done:]
    ordinals = _ordinals(tree.marks, spans)
    edits = tuple(_moved(edit, ordinals) for edit in plan.edits)
    # The nodes are to give the lines of errors, which come from the whole file.
    short_tree = MarkedTree(marks, [], ())
    return Elided("".join(short), short_tree, replace(plan, edits=edits), tuple(bodies))


def _indices(tree: MarkedTree, plan: FilePlan) -> list[int]:
    """Return where in the marks the nodes of all edits are, in order."""
    wanted = {anchor for edit in plan.edits for anchor in anchors_of(edit)}
    counts: Counter[str] = Counter()
    found = []
    for index, (kind, _) in enumerate(tree.marks):
        if kind != "name":
            if Anchor(kind, counts[kind]) in wanted:  # type: ignore[arg-type]
                found.append(index)
            counts[kind] += 1
    return found


def _untouched(
    tree: MarkedTree, touched: Sequence[int], lines: Sequence[str]
) -> list[Span]:
    """Return the outermost functions whose bodies can be left out, in order."""
    found: list[Span] = []
    done = 0
    for span in sorted(tree.spans, key=lambda span: span.start):
        if span.start < done or any(span.start <= at < span.end for at in touched):
            continue
        if _has_body_of_its_own(span, lines):
            found.append(span)
            done = span.end
    return found


def _has_body_of_its_own(span: Span, lines: Sequence[str]) -> bool:
    """Tell whether whole lines are the body, enough of them and nothing else."""
    statement = span.node.body[0]
    if getattr(statement, "decorator_list", None):
        return False
    first, last = _body_lines(span)
    own_line = statement.col_offset == len(_indent(lines[first]))
    return own_line and last - first >= _SHORTEST


def _body_lines(span: Span) -> tuple[int, int]:
    last = span.node.end_lineno
    assert last is not None  # ast.parse always gives it
    return span.node.body[0].lineno - 1, last


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip(" \t\f"))]


def _ordinals(marks: Sequence[Mark], spans: Sequence[Span]) -> Mapping[Anchor, Anchor]:
    """Map the anchors outside the left-out bodies to what they are without these."""
    before: Counter[str] = Counter()
    after: Counter[str] = Counter()
    found: dict[Anchor, Anchor] = {}
    left_out = {index for span in spans for index in range(span.body, span.end)}
    for index, (kind, _) in enumerate(marks):
        if kind == "name":
            continue
        if index not in left_out:
            old = Anchor(kind, before[kind])  # type: ignore[arg-type]
            found[old] = Anchor(kind, after[kind])  # type: ignore[arg-type]
            after[kind] += 1
        before[kind] += 1
    return found


def anchors_of(edit: Edit) -> list[Anchor]:
    """Return the anchors that an edit of any kind holds."""
    values = (getattr(edit, field.name) for field in fields(edit))
    return [value for value in values if isinstance(value, Anchor)]


def _moved(edit: Edit, anchors: Mapping[Anchor, Anchor]) -> Edit:
    changes: dict[str, Any] = {
        field.name: anchors.get(value, value)
        for field in fields(edit)
        if isinstance(value := getattr(edit, field.name), Anchor)
    }
    return replace(edit, **changes)
