"""Calls of the record's writer methods, with their arguments, in one whole file."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator
from dataclasses import dataclass

from codemod.analysis.arguments import Argument, arguments_of
from codemod.analysis.candidates import CandidateReads
from codemod.analysis.comments import suppressions
from codemod.analysis.facts import Candidate
from codemod.analysis.flowing import FileFlow
from codemod.analysis.positions import SourceLines
from codemod.analysis.scopes import Scope
from codemod.analysis.vocabulary import Vocabulary
from codemod.analysis.walk import Walker


@dataclass(frozen=True, slots=True)
class WriterCall:
    """One call ``record.method(…)``.

    ``candidate`` is the attribute that is called and ``call`` the call, both with
    anchors of the whole file. ``statement`` says that the call is a statement of its
    own, in a block where names are local. ``bound`` are all names that the function
    around knows or reads.
    """

    candidate: Candidate
    call: tuple[str, int]
    text: str
    arguments: tuple[Argument, ...]
    statement: bool
    bound: frozenset[str]


def writer_calls(
    text: str,
    module: str,
    is_package: bool,
    vocabulary: Vocabulary,
    methods: frozenset[str],
) -> tuple[WriterCall, ...]:
    """The calls of the methods on what may be the record, in source order."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tree = ast.parse(text)
    lines = SourceLines(text)
    walker = Walker(vocabulary, module, is_package)
    walker.walk(tree)
    reads = CandidateReads(
        FileFlow(walker, vocabulary, module), lines, suppressions(text)[0]
    )
    reads.collect()
    wanted = {c.anchor: c for c in reads.found if c.called and c.field in methods}
    by_node = {id(spot.node): ("attribute", spot.ordinal) for spot in walker.attributes}
    statements = {
        id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)
    }
    found: list[WriterCall] = []
    for spot in walker.calls:
        candidate = wanted.get(by_node.get(id(spot.node.func), ("", -1)))
        if candidate is None:
            continue
        local = spot.scope.kind == "function"
        found.append(
            WriterCall(
                candidate,
                ("call", spot.ordinal),
                lines.segment(spot.node),
                arguments_of(
                    spot.node, lines, spot.scope.bindings.keys() - walker.declared
                ),
                local and id(spot.node) in statements,
                frozenset(_known(spot.scope)) | walker.names.keys(),
            )
        )
    return tuple(found)


def _known(scope: Scope | None) -> Iterator[str]:
    while scope is not None:
        yield from scope.bindings
        yield from scope.globals
        yield from scope.nonlocals
        scope = scope.parent
