"""The module builds, resolves or publishes the record, so it reads the record itself.

The pack names such modules under ``[record] owners``. A namespace may not exist yet
when their code runs, and they are where its values come from.
"""

from __future__ import annotations

from codemod.decisions.case import Case
from codemod.packs import module_matches

CODE = "owner"
SUMMARY = "The module owns the record."
EXAMPLE = """\
# in app/context.py, with owners = ["app.context"]
def publish():
    return Bag(get_config().pool_size)  # <- owner
"""


def why(case: Case) -> str | None:
    """The sentence that explains the keep, or None."""
    if module_matches(case.pack.record.owners, case.module):
        return f"{case.module} is one of the modules that own the record."
    return None
