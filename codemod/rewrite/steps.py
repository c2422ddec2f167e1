"""Every kind of edit, and the module that does it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from codemod.plan import (
    AddImport,
    Edit,
    ReadEdit,
    RemoveArguments,
    RemoveImportName,
    RemoveParameters,
    RemoveStatement,
    ReplaceExpression,
    SplitCall,
    UnwrapStatement,
    UnwrapWalrus,
    WrapRest,
)
from codemod.rewrite import (
    add_import,
    read,
    remove_arguments,
    remove_import,
    remove_parameters,
    remove_statement,
    replace_expression,
    split_call,
    unwrap,
    wrap_rest,
)
from codemod.rewrite.operations import Ledger, Operation, Source

#: All edits of one kind in a plan, as operations on the tree.
Step = Callable[[Sequence[Any], Source, Ledger], list[Operation]]

STEPS: Mapping[type[Edit], Step] = {
    ReadEdit: read.operations,
    AddImport: add_import.operations,
    RemoveStatement: remove_statement.operations,
    RemoveImportName: remove_import.operations,
    ReplaceExpression: replace_expression.operations,
    SplitCall: split_call.operations,
    RemoveArguments: remove_arguments.operations,
    RemoveParameters: remove_parameters.operations,
    WrapRest: wrap_rest.operations,
    UnwrapStatement: unwrap.statements,
    UnwrapWalrus: unwrap.walruses,
}
