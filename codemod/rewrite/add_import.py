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

from collections.abc import Mapping, Sequence

import libcst as cst

from codemod.model import Anchor
from codemod.plan import AddImport, RemoveImportName, RemoveStatement
from codemod.rewrite.eliding import anchors_of
from codemod.rewrite.examples import Example
from codemod.rewrite.import_join import joined, not_yet_bound, renames_apart
from codemod.rewrite.import_place import (
    ImportLine,
    first_import,
    import_lines,
    is_docstring,
    new_index,
    section_of,
    start_index,
    unsorted_indices,
)
from codemod.rewrite.leading import leading_length
from codemod.rewrite.operations import (
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
    module: str, wanted: Sequence[ImportedName], source: Source
) -> list[Operation]:
    body = source.module.body
    leading = body[: leading_length(body, _edited_expressions(source))]
    wanted = not_yet_bound(module, wanted, leading, source)
    untouched = unsorted_indices(source.module)
    lines = {
        index: line
        for index, line in enumerate(leading)
        if isinstance(line, cst.SimpleStatementLine) and index not in untouched
    }
    apart = renames_apart(leading, source)
    found, missing = joined(module, wanted, list(lines.values()), source, apart)
    start = start_index(body)
    while start < len(leading) and start in untouched:
        start += 1
    block = source.module
    return [
        *found,
        *_inserted(block, leading, lines, start, apart, module, missing, source),
    ]


def _in_function(
    module: str, wanted: Sequence[ImportedName], function: Anchor, source: Source
) -> list[Operation]:
    node = source.node(function)
    if not isinstance(node, cst.FunctionDef):
        raise StepError(function, "an import can only go into a function")
    suite = node.body
    if isinstance(suite, cst.SimpleStatementSuite):
        return [InsertImport(suite, 0, module, tuple(wanted))]
    start = 1 if suite.body and is_docstring(suite.body[0]) else 0
    lines: dict[int, cst.CSTNode] = {}
    for index, line in enumerate(suite.body[start:], start):
        if first_import(line) is None:
            break
        lines[index] = line
    top = suite.body[: start + len(lines)]
    wanted = not_yet_bound(module, wanted, top, source)
    found, missing = joined(module, wanted, list(lines.values()), source, False)
    return [
        *found,
        *_inserted(suite, top, lines, start, False, module, missing, source),
    ]


def _edited_expressions(source: Source) -> list[cst.CSTNode]:
    """Return the expressions that will use a new name, if anything runs them."""
    kept = (AddImport, RemoveImportName, RemoveStatement)
    return [
        source.nodes[anchor]
        for edit in source.plan.edits
        if not isinstance(edit, kept)
        for anchor in anchors_of(edit)
        if anchor in source.nodes
    ]


def _inserted(
    block: cst.CSTNode,
    body: Sequence[cst.CSTNode],
    lines: Mapping[int, cst.CSTNode],
    start: int,
    apart: bool,
    module: str,
    names: Sequence[ImportedName],
    source: Source,
) -> list[Operation]:
    """Return the new line among the import ``lines`` of ``body``, else at ``start``.

    There are several where names with ``as`` are kept ``apart``.
    """
    if not names:
        return []
    own_top = source.plan.module.partition(".")[0]
    siblings = import_lines(lines, own_top)
    groups = [tuple(names)]
    if apart:
        groups = [(name,) for name in names if name.asname]
        if plain := tuple(name for name in names if not name.asname):
            groups.append(plain)
    inserts: list[Operation] = []
    for group in groups:
        renaming = all(name.asname for name in group)
        section = section_of(module, False, own_top)
        new = ImportLine(section, True, module, renaming)
        index = max(new_index(new, siblings, start), min(start_index(body), len(body)))
        inserts.append(InsertImport(block, index, module, group))
    return inserts
