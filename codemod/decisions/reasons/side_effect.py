"""Something happens on the way to the record, and the accessor does not go that way.

``queue.pop().config.size`` takes an engine off the queue; ``get_pool().size`` would
not. A name, an attribute or an item is looked up for its value alone, and the pack says
that its getters do nothing else; any other call, ``await``, ``yield`` or a name that is
bound on the way may do anything. Give what is called a name of its own, or call a
getter of the pack.
"""

from __future__ import annotations

from codemod.decisions.case import Case

CODE = "side-effect"
SUMMARY = "A call before it would no longer be made."
EXAMPLE = """\
def size(queue):
    return queue.pop().config.pool_size  # <- side-effect
"""


def why(case: Case) -> str | None:
    """The sentence that explains the keep, or None."""
    if not case.candidate.acts:
        return None
    named = case.candidate.field in {**case.pack.derived, **case.pack.configured}
    if case.namespace is None and case.member is None and not named:
        return None
    return "What it is taken from does something that would no longer be done."
