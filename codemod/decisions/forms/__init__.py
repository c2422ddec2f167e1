"""How a read gets at the record: one file for each form.

Each module has ``CODE`` (what ``scan`` prints as the form), ``SUMMARY`` (one line), a
docstring that is its page in the docs, and ``BEFORE`` and ``AFTER``: a module's text
that shows it, with what becomes of each read in a comment, and what the rewrite makes
of it. The examples are run as tests.
"""

from __future__ import annotations

from types import ModuleType

from codemod.decisions.forms import (
    alias,
    attribute,
    call,
    parameter,
    self,
    stash,
)
from codemod.decisions.forms import object as object_

#: In the order of the contract.
FORMS: tuple[ModuleType, ...] = (
    call,
    object_,
    alias,
    self,
    attribute,
    stash,
    parameter,
)
