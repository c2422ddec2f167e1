"""New names are imported: joined to the module's own import, or in a line of their own.

What: ``from module import name`` becomes bound before anything of the file reads it.
A ``from`` import of the same module in the leading block takes the name, however it
spells the module; otherwise a new line goes among its siblings. With a function, the
import goes to the top of that function.

Why: two imports of one module are what a reviewer (and isort) would ask to merge. An
import in ``try``, ``if`` or ``TYPE_CHECKING``, or below code that may already read the
name, does not bind it in time.

Before and after:

    from app.context import get_args        from app.context import get_args, get_exec
"""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from codemod.model import Anchor
from codemod.plan import AddImport, ReadEdit
from codemod.rewrite.comments import is_pragma
from codemod.rewrite.examples import Example
from codemod.rewrite.import_names import imported_names
from codemod.rewrite.import_place import (
    ImportLine,
    absolute_module,
    import_line,
    is_docstring,
    new_index,
    section_of,
    start_index,
    unsorted_indices,
)
from codemod.rewrite.leading import leading_length
from codemod.rewrite.operations import (
    EditNames,
    ImportedName,
    InsertImport,
    Ledger,
    Operation,
    Source,
    StepError,
)

EXAMPLES = (
    Example(
        "from app.context import get_args\n",
        "from app.context import get_args, get_exec\n",
        (AddImport("app.context", "get_exec"),),
    ),
    Example(
        "from .context import (\n    get_args,  # the record\n)\n",
        "from .context import (\n    get_args,  # the record\n    get_exec,\n)\n",
        (AddImport("app.context", "get_exec"),),
    ),
    Example(
        '"""Doc."""\n\nimport os\n\nx = 1\n',
        '"""Doc."""\n\nimport os\n\nfrom app.context import get_exec\n\nx = 1\n',
        (AddImport("app.context", "get_exec"),),
    ),
    Example(
        "def f():\n    return 1\n",
        "def f():\n    from app.context import get_exec\n\n    return 1\n",
        (AddImport("app.context", "get_exec", function=Anchor("function", 0)),),
    ),
)


def operations(
    edits: Sequence[AddImport], source: Source, ledger: Ledger
) -> list[Operation]:
    """Return the changes that bind every name, those of one module in one statement."""
    groups: dict[tuple[str, Anchor | None], list[ImportedName]] = {}
    for edit in edits:
        names = groups.setdefault((edit.module, edit.function), [])
        name = ImportedName(edit.name, edit.asname)
        if name not in names:
            names.append(name)
    found: list[Operation] = []
    for (module, function), wanted in groups.items():
        if function is None:
            found += _in_module(module, wanted, source)
        else:
            found += _in_function(module, wanted, function, source)
    return found


def _in_module(
    module: str, wanted: list[ImportedName], source: Source
) -> list[Operation]:
    body = source.module.body
    reads = [
        source.nodes[edit.anchor]
        for edit in source.plan.edits
        if isinstance(edit, ReadEdit) and edit.anchor in source.nodes
    ]
    length = leading_length(body, reads)
    untouched = unsorted_indices(source.module)
    statements = [
        part
        for index, line in enumerate(body[:length])
        if isinstance(line, cst.SimpleStatementLine)
        for part in _with_pragma_last(line, index in untouched)
    ]
    apart = _renames_apart(body[:length], source)
    found, missing = _joined(module, wanted, statements, source, apart)
    if not missing:
        return found
    start = start_index(body)
    while start < length and start in untouched:
        start += 1
    found += _inserted(
        source.module, body[:length], start, untouched, module, missing, source
    )
    return found


def _inserted(
    block: cst.CSTNode,
    body: Sequence[cst.CSTNode],
    start: int,
    untouched: set[int],
    module: str,
    names: Sequence[ImportedName],
    source: Source,
) -> list[Operation]:
    """Return the new line among the imports of ``body``, at ``start`` without any.

    There are several where the file gives each name with ``as`` a line of its own.
    """
    own_top = source.plan.module.partition(".")[0]
    siblings = [
        line
        for index, statement in enumerate(body)
        if index not in untouched
        and (line := import_line(statement, index, own_top)) is not None
    ]
    groups = [tuple(names)]
    if _renames_apart(body, source):
        groups = [(name,) for name in names if name.asname]
        if plain := tuple(name for name in names if not name.asname):
            groups.append(plain)
    found: list[Operation] = []
    for group in groups:
        renaming = all(name.asname for name in group)
        section = section_of(module, False, own_top)
        new = ImportLine(-1, section, True, module, renaming)
        index = max(new_index(new, siblings, start), min(start_index(body), len(body)))
        found.append(InsertImport(block, index, module, group))
    return found


def _renames_apart(body: Sequence[cst.CSTNode], source: Source) -> bool:
    """Tell whether ``from m import a as b`` stands apart from other names of ``m``.

    isort's default does so; a file shows it where one module has both kinds of lines
    and no line mixes them.
    """
    kinds: dict[str | None, set[bool]] = {}
    for line in body:
        if not isinstance(line, cst.SimpleStatementLine):
            continue
        for part in line.body:
            if isinstance(part, cst.ImportFrom):
                own = {name.asname is not None for name in imported_names(part)}
                if len(own) == 2:
                    return False
                kinds.setdefault(_module_of(part, source), set()).update(own)
    return any(len(own) == 2 for own in kinds.values())


_Candidate = tuple[cst.BaseSmallStatement, bool, bool]


def _with_pragma_last(
    line: cst.SimpleStatementLine, untouched: bool
) -> list[_Candidate]:
    comment = line.trailing_whitespace.comment
    pragma = comment is not None and is_pragma(comment.value)
    return [(part, pragma, untouched) for part in line.body]


def _joined(
    module: str,
    wanted: list[ImportedName],
    statements: Sequence[_Candidate],
    source: Source,
    apart: bool,
) -> tuple[list[Operation], list[ImportedName]]:
    """Return the changes of imports that are there, and the names still missing.

    An import with a pragma (``# noqa``) is joined only when there is no other: the
    pragma would speak of the new name too. One that isort is told to leave alone is
    not joined. A name with ``as`` prefers a statement that has such names; in a file
    that keeps them ``apart`` it stays missing.
    """
    candidates = [
        (statement, pragma)
        for statement, pragma, untouched in statements
        if isinstance(statement, cst.ImportFrom)
        and not isinstance(statement.names, cst.ImportStar)
        and _module_of(statement, source) == module
        and not untouched
    ]
    bound = {
        (name.name, name.bound)
        for statement, _, _ in statements
        if isinstance(statement, cst.ImportFrom)
        and _module_of(statement, source) == module
        for name in imported_names(statement)
    }
    missing = [name for name in wanted if (name.name, name.bound) not in bound]
    alone = [name for name in missing if apart and name.asname]
    missing = [name for name in missing if name not in alone]
    if apart:
        candidates = [
            pair
            for pair in candidates
            if not all(name.asname for name in imported_names(pair[0]))
        ]
    if not candidates or not missing:
        return [], [*missing, *alone]
    changes: dict[int, tuple[cst.CSTNode, list[ImportedName]]] = {}
    for name in missing:
        best = min(candidates, key=lambda pair: _distance(name, *pair))[0]
        changes.setdefault(id(best), (best, []))[1].append(name)
    return [
        EditNames(node, add=tuple(names)) for node, names in changes.values()
    ], alone


def _distance(
    name: ImportedName, statement: cst.ImportFrom, pragma: bool
) -> tuple[bool, bool]:
    present = imported_names(statement)
    if name.asname is not None:
        unlike = not any(other.asname for other in present)
    else:
        unlike = all(other.asname for other in present)
    return pragma, unlike


def _module_of(statement: cst.ImportFrom, source: Source) -> str | None:
    plan = source.plan
    return absolute_module(statement, plan.module, plan.is_package)


def _in_function(
    module: str, wanted: list[ImportedName], function: Anchor, source: Source
) -> list[Operation]:
    node = source.node(function)
    if not isinstance(node, cst.FunctionDef):
        raise StepError(function, "an import can only go into a function")
    suite = node.body
    if isinstance(suite, cst.SimpleStatementSuite):
        return [InsertImport(suite, 0, module, tuple(wanted))]
    start = 1 if suite.body and is_docstring(suite.body[0]) else 0
    lines = []
    for line in suite.body[start:]:
        if import_line(line, 0, "") is None:
            break
        assert isinstance(line, cst.SimpleStatementLine)
        lines.append(line)
    top = [part for line in lines for part in _with_pragma_last(line, False)]
    found, missing = _joined(module, wanted, top, source, False)
    if missing:
        imports = suite.body[: start + len(lines)]
        found += _inserted(suite, imports, start, set(), module, missing, source)
    return found
