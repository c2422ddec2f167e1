"""One file: parse twice, compare, edit once, check the result."""

from __future__ import annotations

import ast
import gc
import sys
import threading
import tokenize
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

import libcst as cst

from codemod.model import Anchor
from codemod.plan import FilePlan
from codemod.rewrite.anchors import Mark, locate, marks_of_tree
from codemod.rewrite.comments import lost_comments
from codemod.rewrite.operations import Ledger, Operation, Source, StepError
from codemod.rewrite.rebuild import rebuilt
from codemod.rewrite.result import RewriteError, Rewritten
from codemod.rewrite.steps import STEPS
from codemod.rewrite.style import Style
from codemod.rewrite.textual import NotMapped, carried_over

_BOM = "\ufeff"

# A sum of a thousand strings is a thousand levels deep, and LibCST walks it by
# recursion. Only such a file pays for the deep stack. Python 3.12 has a limit of its
# own beside this one (about 740 levels of LibCST), which no program can raise.
_DEEP_LIMIT = 200_000
_DEEP_STACK = 512 * 1024 * 1024


def rewrite_text(text: str, plan: FilePlan, style: Style) -> Rewritten:
    """Do what ``codemod.rewrite.rewrite`` promises."""
    if not plan.edits:
        return Rewritten(text)
    try:
        return _rewritten(text, plan, style)
    except RecursionError:
        return _on_a_deep_stack(text, plan, style)


def _rewritten(text: str, plan: FilePlan, style: Style) -> Rewritten:
    bom = _BOM if text.startswith(_BOM) else ""
    body = text[len(bom) :]
    with _quietly():
        after, ledger = _edited(body, plan, style)
        _check_comments(body, after, plan, ledger)
    return Rewritten(bom + after, tuple(ledger.notes))


def _edited(text: str, plan: FilePlan, style: Style) -> tuple[str, Ledger]:
    marks, nodes = _ast_marks(text, plan)
    module = _parsed(text, plan)
    located = locate(
        module, [anchor for edit in plan.edits for anchor in _anchors(edit)]
    )
    _compare(marks, nodes, located.marks, plan)
    source = Source(module, plan, style, located.nodes, located.parents)
    ledger = Ledger()
    try:
        operations = _operations(source, ledger)
        changed = rebuilt(source, operations, ledger)
    except StepError as error:
        line = _line_of(error.anchor, marks, nodes)
        raise RewriteError(plan.path, line, error.message) from error
    except cst.CSTValidationError as error:
        message = f"the edited code would not be valid: {error}; edit it by hand"
        raise RewriteError(plan.path, 0, message) from error
    if not text:
        changed = changed.with_changes(has_trailing_newline=True)
    # LibCST ends a module of nothing with a newline.
    is_empty = not (changed.body or changed.header or changed.footer)
    after = "" if is_empty else changed.code
    if module.code != text:
        try:
            after = carried_over(text, module.code, after)
        except NotMapped as error:
            _refuse_round_trip(text, module.code, plan, error)
    _check_result(after, changed, plan)
    return after, ledger


def _operations(source: Source, ledger: Ledger) -> list[Operation]:
    operations: list[Operation] = []
    for kind, step in STEPS.items():
        edits = [edit for edit in source.plan.edits if type(edit) is kind]
        if edits:
            operations += step(edits, source, ledger)
    return operations


def _anchors(edit: object) -> list[Anchor]:
    """Return the anchors an edit of any kind holds."""
    values = [getattr(edit, name) for name in getattr(edit, "__slots__", ())]
    return [value for value in values if isinstance(value, Anchor)]


def _ast_marks(text: str, plan: FilePlan) -> tuple[list[Mark], list[ast.AST]]:
    try:
        return marks_of_tree(ast.parse(text))
    except (SyntaxError, ValueError) as error:
        line = getattr(error, "lineno", None) or 0
        message = f"this Python cannot parse the file: {error}"
        raise RewriteError(plan.path, line, message) from error


def _parsed(text: str, plan: FilePlan) -> cst.Module:
    try:
        return cst.parse_module(text)
    except cst.ParserSyntaxError as error:
        message = f"LibCST cannot parse the file: {error.message}; edit it by hand"
        raise RewriteError(plan.path, error.raw_line, message) from error


def _compare(
    expected: list[Mark], nodes: list[ast.AST], found: list[Mark], plan: FilePlan
) -> None:
    if expected == found:
        return
    for mark, node, other in zip(expected, nodes, found):
        if mark != other:
            line = getattr(node, "lineno", 0)
            break
    else:
        line = 0
    raise RewriteError(
        plan.path,
        line,
        "ast and LibCST read this file differently from here on, so no edit can be "
        "placed with certainty; edit it by hand",
    )


def _line_of(anchor: Anchor | None, marks: list[Mark], nodes: list[ast.AST]) -> int:
    if anchor is None:
        return 0
    same = [node for (kind, _), node in zip(marks, nodes) if kind == anchor.kind]
    if anchor.ordinal >= len(same):
        return 0
    line: int = getattr(same[anchor.ordinal], "lineno", 0)
    return line


def _refuse_round_trip(
    text: str, code: str, plan: FilePlan, error: Exception
) -> NoReturn:
    pairs = zip(text.splitlines(), code.splitlines())
    line = next((number for number, (old, new) in enumerate(pairs, 1) if old != new), 0)
    raise RewriteError(
        plan.path,
        line,
        "LibCST does not give this line back as it is, and an edit stands beside it; "
        "edit it by hand",
    ) from error


def _check_result(after: str, changed: cst.Module, plan: FilePlan) -> None:
    """Make sure the new text is read as the tree that was built.

    `return(x).y` without its parentheses would be the valid name `returnx`.
    """
    try:
        marks, _ = marks_of_tree(ast.parse(after))
    except (SyntaxError, ValueError) as error:
        line = getattr(error, "lineno", None) or 0
        message = f"the edited code does not parse: {error}; edit it by hand"
        raise RewriteError(plan.path, line, message) from error
    if marks != locate(changed, ()).marks:
        message = (
            "the edited code would be read differently than meant; edit it by hand"
        )
        raise RewriteError(plan.path, 0, message)


def _check_comments(before: str, after: str, plan: FilePlan, ledger: Ledger) -> None:
    try:
        lost = lost_comments(before, after) - ledger.dropped
    except (SyntaxError, tokenize.TokenError) as error:
        raise RewriteError(
            plan.path, 0, f"the comments of the file cannot be read: {error}"
        ) from error
    if lost:
        comment = min(lost)
        lines = before.split("\n")
        line = next((n for n, text in enumerate(lines, 1) if comment in text), 0)
        raise RewriteError(
            plan.path, line, f"the comment {comment!r} would be lost; move it first"
        )


@contextmanager
def _quietly() -> Iterator[None]:
    """Parse without warnings about other people's code, and without the collector.

    A tree of small objects makes the garbage collector run all the time for nothing.
    """
    collecting = gc.isenabled()
    gc.disable()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        if collecting:
            gc.enable()


def _on_a_deep_stack(text: str, plan: FilePlan, style: Style) -> Rewritten:
    outcome: list[Rewritten | Exception] = []

    def run() -> None:
        try:
            outcome.append(_rewritten(text, plan, style))
        except RecursionError:
            message = "an expression in the file is nested too deeply for LibCST"
            outcome.append(RewriteError(plan.path, 0, message))
        except Exception as error:
            outcome.append(error)

    limit, size = sys.getrecursionlimit(), threading.stack_size(_DEEP_STACK)
    sys.setrecursionlimit(_DEEP_LIMIT)
    try:
        thread = threading.Thread(target=run, name="rewrite-deep")
        thread.start()
        thread.join()
    finally:
        sys.setrecursionlimit(limit)
        threading.stack_size(size)
    result = outcome[0]
    if isinstance(result, Exception):
        raise result
    return result
