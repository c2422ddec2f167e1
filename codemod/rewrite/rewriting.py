"""One file: parse twice, compare, edit once, check the result."""

from __future__ import annotations

import ast
import gc
import re
import sys
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from tokenize import TokenError

import libcst as cst

from codemod.model import Anchor
from codemod.plan import FilePlan
from codemod.rewrite.anchors import Mark, MarkedTree, locate, marked_tree
from codemod.rewrite.comments import lost_comments
from codemod.rewrite.debug_strings import spell_out
from codemod.rewrite.eliding import Elided, Misplaced, anchors_of, elided, whole
from codemod.rewrite.operations import (
    Ledger,
    Operation,
    Replace,
    Source,
    StepError,
)
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

# One `and` of many is flat for `ast` and a level for each in LibCST, whose parser does
# not look where its stack ends: 8 MB hold about 7,000, the deep stack 450,000.
_SHALLOW = 1_000
_DEEPEST = 100_000
_AND_OR = re.compile(r"\b(?:and|or)\b")


def rewrite_text(text: str, plan: FilePlan, style: Style) -> Rewritten:
    """Do what ``codemod.rewrite.rewrite`` promises."""
    if not plan.edits:
        return Rewritten(text)
    operands = _operands(text)
    if any(number > _DEEPEST for number in operands):
        most = max(operands)
        message = f"an expression in the file has {most:,} operands; edit it by hand"
        raise _refusal(plan, message)
    if any(number > _SHALLOW for number in operands):
        return _on_a_deep_stack(text, plan, style)
    try:
        return _rewritten(text, plan, style)
    except RecursionError:
        return _on_a_deep_stack(text, plan, style)


def _operands(text: str) -> list[int]:
    """How many operands each ``and`` and ``or`` has; empty where none has many."""
    if len(_AND_OR.findall(text)) < _SHALLOW:
        return []
    with _quietly():
        try:
            nodes = ast.walk(ast.parse(text))
        except (SyntaxError, ValueError):
            return []  # which is said where it is edited
        return [len(node.values) for node in nodes if isinstance(node, ast.BoolOp)]


def _refusal(plan: FilePlan, message: str, line: int | None = None) -> RewriteError:
    """The error for a file that stays as it is, at a line when one can be named."""
    return RewriteError(plan.path, line or 0, message)


def _rewritten(text: str, plan: FilePlan, style: Style) -> Rewritten:
    bom = _BOM if text.startswith(_BOM) else ""
    body = text[len(bom) :]
    with _quietly():
        tree = _marked(body, plan)
        short = elided(body, tree, plan)
        try:
            after, ledger = _edited(short, style)
        except RewriteError:
            if not short.bodies:
                raise
            # Perhaps for the shortened text only; if not, the line is right this time.
            after, ledger = _edited(whole(body, tree, plan), style)
    return Rewritten(bom + after, tuple(ledger.notes))


def _edited(file: Elided, style: Style) -> tuple[str, Ledger]:
    """Return the whole text after the edits, checked, and what is to be said of it."""
    text, plan = file.text, file.plan
    module = _parsed(text, plan)
    located = locate(
        module, [anchor for edit in plan.edits for anchor in anchors_of(edit)]
    )
    _compare(file.tree, located.marks, plan)
    source = Source(module, plan, style, located.nodes, located.parents)
    ledger = Ledger()
    try:
        operations = _operations(source, ledger)
        changed = rebuilt(source, operations, ledger)
    except StepError as error:
        line = _line_of(error.anchor, file.tree)
        raise _refusal(plan, error.message, line) from error
    except cst.CSTValidationError as error:
        message = f"the edited code would not be valid: {error}; edit it by hand"
        raise _refusal(plan, message) from error
    after = _code(changed, module, text, plan)
    _check_comments(text, after, plan, ledger)
    _check_result(after, locate(changed, ()).marks, plan)
    try:
        return file.restored(after), ledger
    except Misplaced as error:
        message = "a function's body could not be put back; edit the file by hand"
        raise _refusal(plan, message) from error


def _code(changed: cst.Module, module: cst.Module, text: str, plan: FilePlan) -> str:
    """Return the text of the changed module, with what LibCST drops carried over."""
    if not text:
        changed = changed.with_changes(has_trailing_newline=True)
    # LibCST ends a module of nothing with a newline.
    is_empty = not (changed.body or changed.header or changed.footer)
    after = "" if is_empty else changed.code
    before = module.code
    if before != text:
        try:
            return carried_over(text, before, after)
        except NotMapped as error:
            message = (
                "LibCST does not give this line back as it is, and an edit stands "
                "beside it; edit it by hand"
            )
            raise _refusal(plan, message, error.line) from error
    return after


def _operations(source: Source, ledger: Ledger) -> list[Operation]:
    operations: list[Operation] = []
    for kind, step in STEPS.items():
        edits = [edit for edit in source.plan.edits if type(edit) is kind]
        if edits:
            operations += step(edits, source, ledger)
    edited = [each.node for each in operations if isinstance(each, Replace)]
    return [*operations, *spell_out(edited, source, ledger)]


def _marked(text: str, plan: FilePlan) -> MarkedTree:
    try:
        return marked_tree(ast.parse(text))
    except (SyntaxError, ValueError) as error:
        message = f"this Python cannot parse the file: {error}"
        raise _refusal(plan, message, getattr(error, "lineno", None)) from error


def _parsed(text: str, plan: FilePlan) -> cst.Module:
    try:
        return cst.parse_module(text)
    except cst.ParserSyntaxError as error:
        message = f"LibCST cannot parse the file: {error.message}; edit it by hand"
        raise _refusal(plan, message, error.raw_line) from error


def _compare(expected: MarkedTree, found: list[Mark], plan: FilePlan) -> None:
    if expected.marks == found:
        return
    lines = (
        node.lineno
        for mark, node, other in zip(expected.marks, expected.nodes, found)
        if mark != other
    )
    raise _refusal(
        plan,
        "ast and LibCST read this file differently from here on, so no edit can be "
        "placed with certainty; edit it by hand",
        next(lines, None),
    )


def _line_of(anchor: Anchor | None, tree: MarkedTree) -> int | None:
    if anchor is None:
        return None
    lines = (
        node.lineno
        for (kind, _), node in zip(tree.marks, tree.nodes)
        if kind == anchor.kind
    )
    return next(islice(lines, anchor.ordinal, None), None)


def _check_result(after: str, expected: list[Mark], plan: FilePlan) -> None:
    """Make sure the new text is read as the tree that was built.

    `return(x).y` without its parentheses would be the valid name `returnx`.
    """
    try:
        marks = marked_tree(ast.parse(after)).marks
    except SyntaxError as error:
        message = f"the edited code does not parse: {error}; edit it by hand"
        raise _refusal(plan, message, error.lineno) from error
    if marks != expected:
        message = (
            "the edited code would be read differently than meant; edit it by hand"
        )
        raise _refusal(plan, message)


def _check_comments(before: str, after: str, plan: FilePlan, ledger: Ledger) -> None:
    try:
        lost = lost_comments(before, after) - ledger.dropped
    except (SyntaxError, TokenError) as error:
        message = f"the comments of the file cannot be read: {error}"
        raise _refusal(plan, message) from error
    if lost:
        comment = min(lost)
        lines = before.split("\n")
        line = next((n for n, text in enumerate(lines, 1) if comment in text), None)
        message = f"the comment {comment!r} would be lost; move it first"
        raise _refusal(plan, message, line)


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
            outcome.append(_refusal(plan, message))
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
    (result,) = outcome
    if isinstance(result, Exception):
        raise result
    return result
