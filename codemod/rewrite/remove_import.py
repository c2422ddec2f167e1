"""Import names that nothing reads any more go away.

What: one bound name leaves its import statement; a statement that binds nothing else
goes as a whole.

Why: the getter of the record is imported for reads that are gone, and a linter would
report it. Other names keep their lines, comments and trailing comma.

Before and after:

    from app.args import Config, get_args       from app.args import Config
"""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from codemod.model import Anchor
from codemod.plan import RemoveImportName
from codemod.rewrite.examples import Example
from codemod.rewrite.import_names import imported_names
from codemod.rewrite.operations import EditNames, Ledger, Operation, Source, StepError

EXAMPLES = (
    Example(
        "from app.args import Config, get_args\n",
        "from app.args import Config\n",
        (RemoveImportName(Anchor("import", 0), "get_args"),),
    ),
    Example(
        "from app.args import (\n"
        "    Config,  # the class\n"
        "    get_args as g,  # noqa: F401\n"
        ")\n",
        "from app.args import (\n    Config,  # the class\n)\n",
        (RemoveImportName(Anchor("import", 0), "g"),),
    ),
    Example(
        "import app.args\nimport os\n",
        "import os\n",
        (RemoveImportName(Anchor("import", 0), "app"),),
    ),
)


def operations(
    edits: Sequence[RemoveImportName], source: Source, ledger: Ledger
) -> list[Operation]:
    """Return one change of names for each edit."""
    found: list[Operation] = []
    for edit in edits:
        node = source.node(edit.anchor)
        assert isinstance(node, (cst.Import, cst.ImportFrom))  # by the anchor's kind
        if edit.bound not in {name.bound for name in imported_names(node)}:
            raise StepError(
                edit.anchor, f"this statement does not import {edit.bound!r}"
            )
        found.append(EditNames(node, remove=frozenset({edit.bound})))
    return found
