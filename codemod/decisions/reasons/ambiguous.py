"""Some ways to reach this line make the object the record and others do not.

A name is the record only if every binding of it in its scope binds the record, and an
instance attribute only if every assignment to it in the class, its bases and its
subclasses does. A getter that is called with arguments is ambiguous too, and so is an
attribute of the pack on an object whose class puts, or is annotated to put, another
object of the project there, or which is imported from another project.
"""

from __future__ import annotations

from codemod.decisions.case import Case

CODE = "ambiguous"
SUMMARY = "It may be another object."
EXAMPLE = """\
def size(fast):
    c = get_config()
    if fast:
        c = FastConfig()
    return c.pool_size  # <- ambiguous
"""


def why(case: Case) -> str | None:
    """The sentence that explains the keep, or None."""
    if case.statuses == {"yes"}:
        return None
    return "Not every binding that can reach this read binds the record."
