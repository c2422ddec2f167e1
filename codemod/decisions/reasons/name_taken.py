"""The accessor's name and its alias both mean something else where the read stands.

The accessor is imported under the pack's alias, or ``<name>_namespace``, when its own
name is taken. When that is taken as well, or when the import would have to go into a
function and there is none, the read stays. So does one that a ``case`` compares with,
where the grammar has a dotted name and no call (reference 8.6.4.4), and so does
``settings["__size"]`` in a class, which as an attribute would be a private name of the
class (reference 6.2.1).
"""

from __future__ import annotations

from codemod.decisions.case import Case

CODE = "name-taken"
SUMMARY = "No name is free for the accessor."
EXAMPLE = """\
def size(get_pool, get_pool_namespace):
    return get_config().pool_size  # <- name-taken
"""


def why(case: Case) -> str | None:
    """The sentence that explains the keep, or None."""
    return None if case.name is not None else case.name_problem
