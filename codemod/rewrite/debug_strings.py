"""f-strings that print their own source: ``f"{sa.x=}"``.

The text before ``=`` is output (Python reference 2.4.3), so nothing in it may just be
rewritten: the program would print another name. The text is written out instead, and
the value keeps the conversion that ``=`` implies:

    f"{sa.x=}"          f"sa.x={get_exec().x!r}"
    f"{sa.x = :>5}"     f"sa.x = {get_exec().x:>5}"
"""

from __future__ import annotations

from collections.abc import Iterable

import libcst as cst

from codemod.model import Anchor
from codemod.rewrite.operations import Ledger, Operation, Replace, Source, StepError


def spell_out(
    edited: Iterable[cst.CSTNode], source: Source, ledger: Ledger
) -> list[Operation]:
    """Return one operation for each f-string that outputs the text of an edited node.

    Raises StepError where the text cannot be written into that string: it holds a
    backslash, a comment or the quote that ends the string, or it is a template
    string, which keeps its source text as data.
    """
    affected: dict[int, tuple[cst.FormattedString, set[int]]] = {}
    anchors = {id(node): anchor for anchor, node in source.nodes.items()}
    for node in edited:
        anchor = anchors.get(id(node))
        child, parent = node, source.parent(node)
        while parent is not None and not isinstance(parent, cst.BaseSmallStatement):
            if _prints_source(parent, child):
                string = source.parent(parent)
                if not isinstance(string, cst.FormattedString) or not isinstance(
                    parent, cst.FormattedStringExpression
                ):
                    raise StepError(
                        anchor, "the `=` of this string would show another name"
                    )
                _check_text(anchor, _text(parent, source.module), string)
                affected.setdefault(id(string), (string, set()))[1].add(id(parent))
            child, parent = parent, source.parent(parent)
    if affected:
        ledger.note("an f-string with `=` was written out, so that it prints the same")
    return [_operation(string, parts, source) for string, parts in affected.values()]


def _prints_source(parent: cst.CSTNode, child: cst.CSTNode) -> bool:
    if isinstance(
        parent, (cst.FormattedStringExpression, cst.TemplatedStringExpression)
    ):
        return parent.equal is not None and parent.expression is child
    return False


def _text(part: cst.FormattedStringExpression, module: cst.Module) -> str:
    shown = (
        part.whitespace_before_expression,
        part.expression,
        part.whitespace_after_expression,
        part.equal,
    )
    return "".join(module.code_for_node(node) for node in shown if node is not None)


def _check_text(anchor: Anchor | None, text: str, string: cst.FormattedString) -> None:
    quote = string.end
    if (
        "\\" in text
        or "#" in text
        or quote in text
        or ("\n" in text and len(quote) == 1)
    ):
        raise StepError(
            anchor,
            "an f-string prints the source of this with `=`, and that text cannot "
            "be written into the string; spell the string out by hand first",
        )


def _operation(
    string: cst.FormattedString, parts: set[int], source: Source
) -> Operation:
    def make(updated: cst.CSTNode) -> cst.CSTNode:
        assert isinstance(updated, cst.FormattedString)
        spelled: list[cst.BaseFormattedStringContent] = []
        for before, after in zip(string.parts, updated.parts):
            if id(before) in parts:
                assert isinstance(before, cst.FormattedStringExpression)
                text = _text(before, source.module)
                text = text.replace("{", "{{").replace("}", "}}")
                spelled += [cst.FormattedStringText(text), _plain_field(after)]
            else:
                spelled.append(after)
        return updated.with_changes(parts=spelled)

    return Replace(string, make)


def _plain_field(
    part: cst.BaseFormattedStringContent,
) -> cst.FormattedStringExpression:
    assert isinstance(part, cst.FormattedStringExpression)
    conversion = part.conversion
    if conversion is None and part.format_spec is None:
        conversion = "r"
    return part.with_changes(equal=None, conversion=conversion)
