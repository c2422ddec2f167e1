"""A ``try`` around the read, or around the call that binds its alias, may catch what an
unpublished record raises.

The accessor has to fail the same way for the handler to keep its meaning. It converts
when the pack says so: the same ``unpublished`` under ``[record]`` and, for all
accessors or for the field's own, ``[accessors]``. ``with suppress(...)`` is a handler
too.

A handler that names ``AttributeError``, or ``NameError``, around a read from an
attribute or a name waits for what the accessor never raises: that there is no such
attribute or name yet.
"""

from __future__ import annotations

from codemod.analysis.handlers import could_catch
from codemod.decisions.case import Case

CODE = "guarded"
SUMMARY = "A handler waits for the failure."
EXAMPLE = """\
def size():
    try:
        return get_config().pool_size  # <- guarded
    except LookupError:
        return 0
"""


#: What a name or an attribute that is not there raises (reference 4.2.2, 6.3.1).
_NOT_THERE = frozenset({"AttributeError", "NameError", "UnboundLocalError"})


def _caught(case: Case) -> list[str]:
    """The exceptions that handlers around a read of a stored record name."""
    if case.candidate.form in ("call", "object"):
        return []
    return [
        name.rpartition(".")[2]
        for guard in case.candidate.guards
        for name in guard.split("|")
    ]


def why(case: Case) -> str | None:
    """The sentence that explains the keep, or None."""
    if any(name in _NOT_THERE for name in _caught(case)):
        return (
            "A handler around it waits for the attribute or name that holds the record "
            "to be missing, and the accessor is never missing."
        )
    raised, instead = case.pack.record.unpublished, case.accessor_raises
    if raised is not None and raised == instead:
        return None
    guards = case.candidate.guards
    swallowed = instead is not None and could_catch(guards, instead)
    if swallowed or could_catch(guards, raised):
        return (
            "A handler around it may catch what an unpublished record raises, and the "
            "pack does not say that the accessor raises the same."
        )
    return None
