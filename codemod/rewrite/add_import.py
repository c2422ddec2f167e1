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
    found, missing = _joined(module, wanted, statements, source)
    if not missing:
        return found
    own_top = source.plan.module.partition(".")[0]
    siblings = [
        line
        for index, statement in enumerate(body[:length])
        if index not in untouched
        and (line := import_line(statement, index, own_top)) is not None
    ]
    new = ImportLine(-1, section_of(module, False, own_top), True, module)
    index = new_index(new, siblings, min(start_index(body), length))
    index = max(index, min(start_index(body), length))
    return [*found, InsertImport(source.module, index, module, tuple(missing))]


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
) -> tuple[list[Operation], list[ImportedName]]:
    """Return the changes of imports that are there, and the names still missing.

    An import with a pragma (``# noqa``) is joined only when there is no other: the
    pragma would speak of the new name too. One that isort is told to leave alone is
    not joined. A name with ``as`` prefers a statement that has such names.
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
        name
        for statement, _, _ in statements
        if isinstance(statement, cst.ImportFrom)
        and _module_of(statement, source) == module
        for name in imported_names(statement)
    }
    missing = [name for name in wanted if name not in bound]
    if not candidates or not missing:
        return [], missing
    changes: dict[int, tuple[cst.CSTNode, list[ImportedName]]] = {}
    for name in missing:
        best = min(candidates, key=lambda pair: _distance(name, *pair))[0]
        changes.setdefault(id(best), (best, []))[1].append(name)
    return [EditNames(node, add=tuple(names)) for node, names in changes.values()], []


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
    top = []
    for line in suite.body[start:]:
        if import_line(line, 0, "") is None:
            break
        assert isinstance(line, cst.SimpleStatementLine)
        top += _with_pragma_last(line, False)
    found, missing = _joined(module, wanted, top, source)
    if missing:
        found.append(InsertImport(suite, start, module, tuple(missing)))
    return found
