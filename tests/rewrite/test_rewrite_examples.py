"""The examples in the docstrings' neighbourhood are true."""

from __future__ import annotations

from typing import get_args

import pytest

from codemod.plan import Edit
from codemod.rewrite import rewrite
from codemod.rewrite.add_import import EXAMPLES as ADD_IMPORT
from codemod.rewrite.examples import Example
from codemod.rewrite.read import EXAMPLES as READ
from codemod.rewrite.remove_arguments import EXAMPLES as REMOVE_ARGUMENTS
from codemod.rewrite.remove_import import EXAMPLES as REMOVE_IMPORT
from codemod.rewrite.remove_parameters import EXAMPLES as REMOVE_PARAMETERS
from codemod.rewrite.remove_statement import EXAMPLES as REMOVE_STATEMENT
from codemod.rewrite.replace_expression import EXAMPLES as REPLACE_EXPRESSION
from codemod.rewrite.split_call import EXAMPLES as SPLIT_CALL
from codemod.rewrite.steps import STEPS
from codemod.rewrite.unwrap import EXAMPLES as UNWRAP
from codemod.rewrite.wrap_rest import EXAMPLES as WRAP_REST

EXAMPLES = (
    *READ,
    *ADD_IMPORT,
    *REMOVE_IMPORT,
    *REMOVE_STATEMENT,
    *REPLACE_EXPRESSION,
    *SPLIT_CALL,
    *UNWRAP,
    *REMOVE_ARGUMENTS,
    *REMOVE_PARAMETERS,
    *WRAP_REST,
)


@pytest.mark.parametrize("example", EXAMPLES)
def test_before_becomes_after(example: Example) -> None:
    assert rewrite(example.before, example.plan()).text == example.after


def test_every_kind_of_edit_has_a_step() -> None:
    assert set(STEPS) == set(get_args(Edit))
