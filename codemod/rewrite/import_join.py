"""Which import statement that is there takes a new name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import libcst as cst

from codemod.rewrite.comments import is_pragma
from codemod.rewrite.import_names import imported_names
from codemod.rewrite.import_place import absolute_module
from codemod.rewrite.operations import EditNames, ImportedName, Operation, Source


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A ``from`` import of the module; ``has_pragma`` speaks of its line."""

    statement: cst.ImportFrom
    names: Sequence[ImportedName]
    has_pragma: bool

    def distance(self, name: ImportedName) -> tuple[bool, bool]:
        """Return how ill ``name`` fits: a pragma would speak of it, or it is unlike."""
        renames = [bool(other.asname) for other in self.names]
        unlike = not any(renames) if name.asname else all(renames)
        return self.has_pragma, unlike


def joined(
    module: str,
    wanted: Sequence[ImportedName],
    lines: Sequence[cst.CSTNode],
    source: Source,
    apart: bool,
) -> tuple[list[Operation], list[ImportedName]]:
    """Return the changes of the import ``lines``, and the names no line could take.

    An import with a pragma (``# noqa``) is joined only when there is no other: the
    pragma would speak of the new name too. A name with ``as`` prefers a statement that
    has such names; in a file that keeps them ``apart`` it stays missing.
    """
    # A star is no place for a name, and neither are renamed ones that stand apart.
    candidates = [
        each
        for each in _candidates(module, lines, source)
        if each.names and not (apart and all(name.asname for name in each.names))
    ]
    alone = [name for name in wanted if not candidates or (apart and name.asname)]
    changes: dict[int, tuple[cst.CSTNode, list[ImportedName]]] = {}
    for name in wanted:
        if name not in alone:
            best = min(candidates, key=lambda each: each.distance(name)).statement
            changes.setdefault(id(best), (best, []))[1].append(name)
    edits: list[Operation] = [
        EditNames(node, add=tuple(names)) for node, names in changes.values()
    ]
    return edits, alone


def not_yet_bound(
    module: str,
    wanted: Sequence[ImportedName],
    lines: Sequence[cst.CSTNode],
    source: Source,
) -> list[ImportedName]:
    """Return the names that no import of ``module`` in ``lines`` binds already."""
    found = _candidates(module, lines, source)
    bound = {(name.name, name.bound) for each in found for name in each.names}
    return [name for name in wanted if (name.name, name.bound) not in bound]


def renames_apart(body: Sequence[cst.CSTNode], source: Source) -> bool:
    """Tell whether ``from m import a as b`` stands apart from other names of ``m``.

    isort's default does so; a file shows it where one module has both kinds of lines
    and no line mixes them.
    """
    kinds: dict[str | None, set[bool]] = {}
    for statement, _ in _from_imports(body):
        own = {bool(name.asname) for name in imported_names(statement)}
        if len(own) == 2:
            return False
        kinds.setdefault(_module_of(statement, source), set()).update(own)
    return any(len(own) == 2 for own in kinds.values())


def _candidates(
    module: str, lines: Sequence[cst.CSTNode], source: Source
) -> list[_Candidate]:
    return [
        _Candidate(
            statement,
            imported_names(statement),
            comment is not None and is_pragma(comment.value),
        )
        for statement, comment in _from_imports(lines)
        if _module_of(statement, source) == module
    ]


def _from_imports(
    body: Sequence[cst.CSTNode],
) -> list[tuple[cst.ImportFrom, cst.Comment | None]]:
    """Return the ``from`` imports right in ``body``, with the comment of their line."""
    return [
        (part, line.trailing_whitespace.comment)
        for line in body
        if isinstance(line, cst.SimpleStatementLine)
        for part in line.body
        if isinstance(part, cst.ImportFrom)
    ]


def _module_of(statement: cst.ImportFrom, source: Source) -> str | None:
    plan = source.plan
    return absolute_module(statement, plan.module, plan.is_package)
