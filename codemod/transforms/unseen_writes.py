"""Writes to the record that no step turns into writes of namespaces: findings.

A writer method that is taken and not called by its name, and fields that are set by
their names. Whoever reads a namespace does not see what they write.
"""

from __future__ import annotations

from collections.abc import Iterator

from codemod.decisions.engine import sets_by_name
from codemod.packs import module_matches
from codemod.transforms.model import KeptSite, StepContext
from codemod.transforms.planning import kept_site

#: Reasons of a member of the record, or of what only this record can be.
_MEMBER = frozenset({"derived", "unrouted", "import-time", "guarded"})


def unseen_writes(context: StepContext) -> Iterator[KeptSite]:
    """Every such place that the step selects, with what is to be done about it."""
    if not context.pack.writers:
        return
    for each in context.decided:
        read, candidate = each.read, each.candidate
        if (
            read.field in context.pack.writers
            and read.reason in _MEMBER
            and not (candidate.called and candidate.via == "attribute")
            and context.selects(read.module, "")
        ):
            why = (
                f"The writer {read.field} is taken and not called here by its name; "
                "readers of a namespace do not see what it writes. Call the context's."
            )
            source = context.index.sources[read.file]
            reason = ("bound-method", why)
            yield kept_site(source, candidate, "writers", read.text, reason)
    yield from _set_by_name(context)


def _set_by_name(context: StepContext) -> Iterator[KeptSite]:
    """``setattr`` and ``delattr`` on the record."""
    index = context.index
    for source, use in sets_by_name(index):
        module, path = source.file.module, source.file.path
        if (
            context.selects(module, "")
            and not module_matches(context.pack.record.owners, module)
            and not index.before_publish(module, use.function, use.line)
        ):
            yield KeptSite(
                path,
                use.line,
                use.column,
                use.function,
                "writers",
                use.text,
                "plain-write",
                "This sets a field of the record by its name; whoever reads it from a "
                "namespace does not see it. Write it with the context.",
            )
