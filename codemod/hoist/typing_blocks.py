"""``if TYPE_CHECKING`` blocks that have been emptied go away.

A name that is imported for the type checker only, and in functions for real, is
imported for real once it is hoisted; then the first import is one too many. The
clean-up of a series empties such blocks too, when the last use of a name goes.
"""

from __future__ import annotations

import ast
import re

from codemod.hoist.conditions import is_type_checking
from codemod.hoist.leading import first_line
from codemod.hoist.textlines import lines_with_ends
from codemod.model import Anchor
from codemod.plan import FilePlan, RemoveImportName
from codemod.rewrite import Style, rewrite

_NAME = "TYPE_CHECKING"


def without_emptied_blocks(
    before: str, after: str, path: str, module: str, is_package: bool, style: Style
) -> str:
    """``after`` without the blocks that hold only ``pass`` there and more before.

    The import of ``TYPE_CHECKING`` goes too, once nothing else needs it.
    """
    if _empty_blocks(before):
        return after
    lines = lines_with_ends(after)
    for node in reversed(_empty_blocks(after)):
        first, last = first_line(node) - 1, node.end_lineno or node.lineno
        if any("#" in line for line in lines[first:last]):
            continue
        above = first
        while above and not lines[above - 1].strip():
            above -= 1
        below = last
        while below < len(lines) and not lines[below].strip():
            below += 1
        blanks = max(lines[above:first], lines[last:below], key=len)
        lines[above:below] = blanks if below < len(lines) else []
    text = "".join(lines)
    if text == after or len(re.findall(rf"\b{_NAME}\b", text)) != 1:
        return text
    found = _import_of_name(text)
    if found is None:
        return text
    plan = FilePlan(path, module, is_package, (RemoveImportName(found, _NAME),))
    return rewrite(text, plan, style).text


def _empty_blocks(text: str) -> list[ast.If]:
    return [
        node
        for node in ast.parse(text).body
        if isinstance(node, ast.If)
        and is_type_checking(node.test)
        and not node.orelse
        and all(isinstance(part, ast.Pass) for part in node.body)
    ]


def _import_of_name(text: str) -> Anchor | None:
    ordinal = -1
    for node in ast.parse(text).body:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            ordinal += 1
            if any(alias.name == _NAME and not alias.asname for alias in node.names):
                return Anchor("import", ordinal)
        elif any(isinstance(n, (ast.Import, ast.ImportFrom)) for n in ast.walk(node)):
            return None
    return None
