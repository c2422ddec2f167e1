"""Members of the record go to functions that answer for them.

What: a property or method of the record that the pack names under ``[derived]``.

Why: its value is computed from fields, so no namespace holds it; a function with a name
of its own is where it can be found, and where it can be computed from namespaces later.

Before and after:

    rec.mamba_cache_chunk_size          mamba_cache_chunk_size()
    rec.use_mla_backend()               uses_mla_backend()
    rec.fits(count, room=2)             fits(count, room=2)

Kept, with a reason:

- a method that is taken without calling it (``bound-method``): whoever has it calls it
  later, perhaps on a record of that time;
- ``getattr(rec, "member", default)`` (``default``), whose default has no counterpart.

A pack that calls a method a property, or a field either, is refused.
"""

from __future__ import annotations

from codemod.decisions.engine import Decided
from codemod.packs import PackError
from codemod.transforms.model import REFUSED, Example, KeptSite, StepContext, StepPlan
from codemod.transforms.naming_reads import NamedRead, named_tasks
from codemod.transforms.planning import kept_site
from codemod.transforms.samples import PACK, RECORD

NAME = "derived"
SUMMARY = "Members of the record go to functions that answer for them."
EXAMPLES = (
    Example(
        PACK,
        {
            **RECORD,
            "app/use.py": "from app.config import get_config\n\n\n"
            "def f(n):\n"
            "    rec = get_config()\n"
            "    if rec.is_large:\n"
            "        return rec.fits(n, room=1)\n"
            "    return [get_config().fits]\n",
        },
        {
            "app/use.py": "from app.config import fits, get_config, is_large\n\n\n"
            "def f(n):\n"
            "    if is_large():\n"
            "        return fits(n, room=1)\n"
            "    return [get_config().fits]\n",
        },
        ("bound-method",),
    ),
)


def tasks(context: StepContext) -> StepPlan:
    """A task for each file with a member to replace; raises PackError, see above."""
    _check_kinds(context)
    reads: list[NamedRead] = []
    kept: list[KeptSite] = []
    for each in context.decided:
        entry = context.pack.derived.get(each.read.field)
        if (
            entry is None
            or each.read.reason != "derived"
            or not context.selects(each.read.module, each.read.field)
        ):
            continue
        why = _keeps(each, entry.kind)
        if (each.read.file, each.read.line, each.read.column) in context.refused:
            why = REFUSED
        if why is None:
            reads.append(NamedRead(each, entry.call, entry.kind == "property"))
        else:
            source = context.index.sources[each.read.file]
            kept.append(kept_site(source, each.candidate, NAME, each.read.text, why))
    found, unnamed = named_tasks(context, reads, NAME)
    return StepPlan(tuple(found), tuple(sorted([*kept, *unnamed])))


def _keeps(each: Decided, kind: str) -> tuple[str, str] | None:
    """Why a read of a member stays, None when it does not."""
    candidate = each.candidate
    if candidate.walrus >= 0:
        return "ambiguous", "The read binds a name to the record."
    if candidate.default:
        return "default", "The default has no counterpart; leave it out first."
    if kind == "method" and not (candidate.called and candidate.via == "attribute"):
        return (
            "bound-method",
            f"The method {candidate.field} is taken and not called here; whoever calls "
            "it later would have to be told the function instead.",
        )
    return None


def _check_kinds(context: StepContext) -> None:
    """The pack's word on each member against the class; raises PackError."""
    for member, entry in context.pack.derived.items():
        there = context.routes.members.get(member)
        where = context.pack.where("derived", member, "kind")
        if member in context.routes.fields:
            file, line = context.routes.lines.get(member, ("", 0))
            place = f" ({file}:{line})" if file else ""
            problem = f"{member} is a field of the record{place}, no property or method"
            raise PackError.at(where, problem)
        if there is not None and there != entry.kind:
            problem = f"{member} is a {there} of the record, not a {entry.kind}"
            raise PackError.at(where, problem)
