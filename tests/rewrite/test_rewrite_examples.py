"""The examples in the docstrings' neighbourhood are true."""

from __future__ import annotations

import pytest

from codemod.rewrite import rewrite
from codemod.rewrite.add_import import EXAMPLES as ADD_IMPORT
from codemod.rewrite.examples import Example
from codemod.rewrite.read import EXAMPLES as READ
from codemod.rewrite.remove_import import EXAMPLES as REMOVE_IMPORT
from codemod.rewrite.remove_statement import EXAMPLES as REMOVE_STATEMENT


@pytest.mark.parametrize(
    "example", [*READ, *ADD_IMPORT, *REMOVE_IMPORT, *REMOVE_STATEMENT]
)
def test_before_becomes_after(example: Example) -> None:
    assert rewrite(example.before, example.plan()).text == example.after
