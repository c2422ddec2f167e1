"""One file to facts: pure, picklable, mapped over files by the index."""

from __future__ import annotations

import symtable
import sys
import warnings
from collections.abc import Callable
from typing import TypeVar

from codemod.analysis.collect import collect
from codemod.analysis.facts import FileFacts
from codemod.analysis.parsing import parse
from codemod.analysis.toplevel import class_facts, gather
from codemod.analysis.vocabulary import Vocabulary

#: Deep enough for generated code; ``ast`` itself refuses what nests deeper.
RECURSION_LIMIT = 6000


def check_syntax(text: str) -> FileFacts:
    """Whether a file is Python at all, and nothing more: the quickest look at it.

    For files that mention no word of the pack, whose module-level facts are made when
    something asks for them.
    """
    _, problem = _made(_symbols, text)
    return FileFacts(problem=problem, syntax_only=True)


def check_tree(text: str) -> FileFacts:
    """Whether the parser takes a file, for one that is parsed anyway."""
    _, problem = _made(parse, text)
    return FileFacts(problem=problem, syntax_only=True)


def _symbols(text: str) -> object:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return symtable.symtable(text, "<file>", "exec")


_T = TypeVar("_T")


def _made(
    make: Callable[[str], _T], text: str
) -> tuple[_T | None, tuple[int, str] | None]:
    """What ``make`` makes of a text, or the line and the message of what is wrong."""
    try:
        return make(text), None
    except SyntaxError as error:
        return None, (error.lineno or 1, f"syntax error: {error.msg}")
    except (ValueError, RecursionError, MemoryError) as error:
        reason = str(error) or "it nests too deep, or memory ran out"
        return None, (1, f"cannot be parsed: {reason}")


def summarise(
    text: str,
    module: str,
    is_package: bool,
    vocabulary: Vocabulary,
    close: bool,
    whole: bool = False,
) -> FileFacts:
    """The facts of one file.

    ``close`` asks for reads and bindings too, which only a file that mentions a word of
    the vocabulary can have. ``whole`` walks every definition, so that anchors name the
    nodes of the file (``codemod.model.Anchor``). A file that does not parse gives facts
    whose ``problem`` is the line and the message.
    """
    tree, problem = _made(parse, text)
    if tree is None:
        return FileFacts(problem=problem)
    level = gather(tree, module, is_package)
    exports = None if level.exports is None else tuple(level.exports)
    if not close:
        return FileFacts(
            imports=tuple(level.imports),
            definitions=frozenset(level.definitions),
            exports=exports,
            classes=class_facts(level),
        )
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, RECURSION_LIMIT))
    try:
        return collect(tree, text, level, vocabulary, whole)
    except RecursionError:
        return FileFacts(problem=(1, "cannot be analysed: expressions nest too deep"))
    finally:
        sys.setrecursionlimit(limit)
