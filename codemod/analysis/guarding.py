"""One file to the facts of the guards: pure, picklable, mapped over files."""

from __future__ import annotations

import ast
import sys

from codemod.analysis.blocks import Blocks, blocks_of
from codemod.analysis.comments import suppressions
from codemod.analysis.guard_facts import (
    Comment,
    GuardFacts,
    LocalImport,
    Shadow,
    Watched,
)
from codemod.analysis.mentions import mentions
from codemod.analysis.parsing import parse
from codemod.analysis.positions import SourceLines, source_lines
from codemod.analysis.shadows import shadows
from codemod.analysis.summarise import RECURSION_LIMIT
from codemod.analysis.toplevel import import_bindings
from codemod.analysis.unread import record_parameters


def guard_facts(
    text: str, module: str, is_package: bool, watched: Watched
) -> GuardFacts:
    """The facts of one file; one that does not parse gives its ``problem``."""
    try:
        tree = parse(text)
    except SyntaxError as error:
        return GuardFacts(problem=(error.lineno or 1, f"syntax error: {error.msg}"))
    except (ValueError, RecursionError, MemoryError) as error:
        return GuardFacts(problem=(1, f"cannot be parsed: {error}"))
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, RECURSION_LIMIT))
    try:
        return _facts(tree, text, module, is_package, watched)
    except RecursionError:
        return GuardFacts(problem=(1, "cannot be analysed: expressions nest too deep"))
    finally:
        sys.setrecursionlimit(limit)


def _facts(
    tree: ast.Module, text: str, module: str, is_package: bool, watched: Watched
) -> GuardFacts:
    lines = source_lines(text)
    kept, bad = suppressions(text)
    blocks = blocks_of(tree)
    named = mentions(tree, blocks, text, lines, module, is_package, watched)
    hidden: tuple[Shadow, ...] = ()
    if named.may_be_hidden or watched.all_imports:
        hidden = shadows(tree, text, lines, module, is_package, watched)
    return GuardFacts(
        mentions=named.found,
        method_calls=named.calls,
        shadows=hidden,
        local_imports=_local_imports(blocks, lines, module, is_package, watched),
        parameters=record_parameters(
            tree, blocks, text, lines, module, is_package, watched
        ),
        comments=tuple(
            Comment(c.first_line, c.last_line, c.line, c.reason) for c in kept
        ),
        bad_comments=bad,
    )


def _local_imports(
    blocks: Blocks,
    lines: SourceLines,
    module: str,
    is_package: bool,
    watched: Watched,
) -> tuple[LocalImport, ...]:
    """The imports inside of functions whose target has a watched part."""
    found: list[LocalImport] = []
    for node, path in blocks.local_imports:
        targets: set[str] = set()
        for _, target, source in import_bindings(node, module, is_package):
            targets |= {target, source}
        wanted = {
            target
            for target in targets
            if "" in watched.modules or watched.modules & {*target.split(".")}
        }
        if wanted:
            column = lines.column(node.lineno, node.col_offset)
            text = lines.segment(node)  # type: ignore[arg-type]
            found.append(
                LocalImport(node.lineno, column, path, tuple(sorted(wanted)), text)
            )
    return tuple(found)
