"""The places that a draft changes, so that a person can refuse one of them."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from codemod.analysis.handed import parse_quietly
from codemod.analysis.leaving import anchored_nodes
from codemod.model import Anchor
from codemod.plan import (
    AddImport,
    Edit,
    RemoveArguments,
    RemoveParameters,
    ReplaceExpression,
    SplitCall,
    WrapRest,
)
from codemod.project.text import decode

if TYPE_CHECKING:
    from codemod.decisions.engine import Decided
    from codemod.series.draft import Draft
    from codemod.series.task import FileTask
    from codemod.series.withheld import Place


@dataclass(frozen=True, slots=True)
class Site:
    """One place of a file that an edit is about, by its old lines, from 1.

    ``read`` or ``anchor`` is what to hold back to keep it; see ``Withheld``. ``text``
    is what stands there and ``becomes`` what is made of it, empty when it goes.
    ``decided`` is given for a read with a namespace.
    """

    path: str
    first: int
    last: int
    column: int
    text: str
    becomes: str
    read: Place | None = None
    anchor: Anchor | None = None
    decided: Decided | None = None


def sites_of(draft: Draft) -> dict[str, list[Site]]:
    """Every place that the tasks of a draft are about, by file."""
    decided = {
        (each.read.file, each.read.line, each.read.column): each for each in draft.reads
    }
    return {
        task.source.file.path: [*_reads(task, decided), *_edits(task)]
        for task in draft.tasks
    }


def _reads(task: FileTask, decided: dict[Place, Decided]) -> Iterator[Site]:
    path = task.source.file.path
    for read in task.reads:
        candidate = read.candidate
        place = (path, candidate.line, candidate.column)
        each = decided.get(place)
        becomes = read.text or (each.read.replacement if each else "") or ""
        yield Site(
            *(path, candidate.line, candidate.end_line, candidate.column),
            *(candidate.text, becomes),
            read=place,
            decided=each,
        )


def _edits(task: FileTask) -> Iterator[Site]:
    if not task.edits and not task.unread:
        return
    path = task.source.file.path
    text = decode(task.source.data, path)
    tree = parse_quietly(getattr(text, "text", ""))
    if tree is None:
        return
    nodes = anchored_nodes(tree)
    lines = getattr(text, "text", "").split("\n")
    for edit in task.edits:
        if not isinstance(edit, AddImport):
            yield from _of_edit(path, edit, nodes[edit.anchor], lines)
    for _, kind, ordinal in sorted(task.unread):
        anchor = Anchor(kind, ordinal)  # type: ignore[arg-type]
        yield _site(path, nodes[anchor], anchor, "", lines)


def _of_edit(path: str, edit: Edit, node: ast.AST, lines: list[str]) -> Iterator[Site]:
    assert not isinstance(edit, AddImport)
    if isinstance(edit, RemoveParameters):
        assert isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        parameters = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
        for each in parameters:
            if each.arg in edit.names:
                yield _site(path, each, edit.anchor, "", lines)
    elif isinstance(edit, RemoveArguments):
        assert isinstance(node, ast.Call)
        named = {k.arg: k.value for k in node.keywords if k.arg}
        for key in edit.keys:
            value = node.args[int(key)] if key.isdecimal() else named[key]
            yield _site(path, value, edit.anchor, "", lines)
    else:
        yield _site(path, node, edit.anchor, _becomes(edit), lines)


def _becomes(edit: Edit) -> str:
    if isinstance(edit, ReplaceExpression):
        return edit.text
    if isinstance(edit, SplitCall):
        return f"{edit.callee}(…) for {', '.join(edit.moved)}, and a call for the rest"
    return f"with {edit.text}: …" if isinstance(edit, WrapRest) else ""


def _site(
    path: str, node: ast.AST, anchor: Anchor, becomes: str, lines: list[str]
) -> Site:
    first = node.lineno  # type: ignore[attr-defined]
    column = len(_text(lines[first - 1])[: node.col_offset].decode()) + 1  # type: ignore[attr-defined]
    last = node.end_lineno or first  # type: ignore[attr-defined]
    return Site(path, first, last, column, ast.unparse(node), becomes, anchor=anchor)


@cache
def _text(line: str) -> bytes:
    return line.encode()


def refused(sites: Iterable[Site]) -> tuple[set[Place], set[tuple[str, Anchor]]]:
    """What to hold back so that these places stay."""
    reads: set[Place] = set()
    anchors: set[tuple[str, Anchor]] = set()
    for site in sites:
        if site.read is not None:
            reads.add(site.read)
        if site.anchor is not None:
            anchors.add((site.path, site.anchor))
    return reads, anchors
