"""Writes to the record become writes to namespaces, together with the reads.

What: a call of a writer method of the pack, ``<record>.override(source, f=v, …)``,
becomes ``<context>().override(source, f=v, …)``, and every read of the fields it writes
that ``codemod.decisions`` converts is converted in the same commit, wherever it is.

Why: a read that went ahead would not see what is still written to the record, and a
write that went ahead would not be seen by what still reads the record.

Before and after:

    rec.override("op", size=n)      get_context().override("op", size=n)

A call that also writes fields that stay is split in two, in the order of the writes;
what may not be evaluated later is bound to a local name first. Kept, with a reason:

- a field with no route, or one that a read here would keep (``codemod.decisions``);
- ``**fields``, which nobody can read off the source (``dynamic``);
- a call that would have to be split and cannot be (``not-split``);
- a field that some other call has to go on writing to the record
  (``written-elsewhere``); its reads stay too, as ``written``.

``<record>.f = v`` is never rewritten: it is reported, because a reader of the namespace
does not see it. So are ``setattr(<record>, name, v)`` and a writer method that is taken
and not called where it stands.
"""

from __future__ import annotations

from codemod.decisions.engine import Decided
from codemod.model import Anchor
from codemod.plan import Edit, ReplaceExpression, SplitCall
from codemod.series.bound import bound_together
from codemod.series.reads import Visibility, read_tasks
from codemod.series.task import FileTask, combined
from codemod.series.units import components
from codemod.transforms.coflip import Coflip, coflip
from codemod.transforms.model import Example, KeptSite, StepContext, StepPlan
from codemod.transforms.planning import FilePlanner, kept_site, target_of
from codemod.transforms.samples import PACK, RECORD
from codemod.transforms.unseen_writes import unseen_writes
from codemod.transforms.written import Write

NAME = "writers"
SUMMARY = "Writes to the record become writes to namespaces, with the reads."
_READER = (
    "from app.config import get_config\n\n\ndef f():\n    return get_config().size\n"
)
EXAMPLES = (
    Example(
        PACK,
        {
            **RECORD,
            "app/read.py": _READER,
            "app/write.py": "from app.config import get_config\n\n\n"
            "def grow(n):\n    get_config().override('grow', size=n)\n",
        },
        {
            "app/read.py": _READER.replace("get_config", "get_pool"),
            "app/write.py": "from app.config import get_context\n\n\n"
            "def grow(n):\n    get_context().override('grow', size=n)\n",
        },
    ),
    Example(
        PACK,
        {
            **RECORD,
            "app/write.py": "from app.config import get_config\n\n\n"
            "def grow(n):\n"
            "    get_config().override('grow', other=count(), size=n)\n",
        },
        {
            "app/write.py": "from app.config import get_config, get_context\n\n\n"
            "def grow(n):\n"
            "    other = count()\n"
            "    get_config().override('grow', other=other)\n"
            "    get_context().override('grow', size=n)\n",
        },
        ("unrouted",),
    ),
)


def tasks(context: StepContext) -> StepPlan:
    """The writes that the step selects, and the reads that change with them."""
    flips = coflip(context)
    flipping = flips.selected(context)
    kept: list[KeptSite] = []
    by_file: dict[str, list[Write]] = {}
    for write in flips.writes:
        by_file.setdefault(write.source.file.path, []).append(write)
    visibility = Visibility(context.index)
    found: list[FileTask] = []
    for path in sorted(by_file):
        writes = by_file[path]
        planner = FilePlanner(context.index, writes[0].source)
        for write in writes:
            kept += _plan(planner, write, flipping, flips)
        task = planner.task(visibility)
        if task is not None:
            found.append(task)
    reads = [
        each
        for each in context.decided
        if each.read.decision == "convert" and each.read.field in flipping
    ]
    possible = [
        each
        for each in context.decided
        if each.read.decision == "convert"
        and (each.read.field in flipping or flips.keeps_read(each.read.field) is None)
    ]
    chosen, stuck = bound_together(context.index, reads, possible)
    # One that is stuck fails the check of its file, which takes back what goes with it:
    # no writer may flip without its reader.
    found = combined([*read_tasks(context.index, [*chosen, *stuck]), *found])
    return StepPlan(
        tuple(found),
        tuple(sorted(kept)),
        tuple(
            sorted(
                [
                    *flips.plain_writes(context),
                    *flips.stale(context, flipping),
                    *unseen_writes(context),
                ]
            )
        ),
        _together(flips, flipping, reads),
    )


def _together(
    flips: Coflip, flipping: frozenset[str], reads: list[Decided]
) -> tuple[frozenset[str], ...]:
    """The sets of files that share a field that flips, directly or by way of others."""
    by_field: dict[str, set[str]] = {name: set() for name in flipping}
    for write in flips.writes:
        for name in flipping.intersection(write.fields):
            if write.whole is None and name not in write.keeps:
                by_field[name].add(write.source.file.path)
    for each in reads:
        by_field[each.read.field].add(each.read.file)
    return components(frozenset(by_field[name]) for name in sorted(by_field))


def _plan(
    planner: FilePlanner, write: Write, flipping: frozenset[str], flips: Coflip
) -> list[KeptSite]:
    """Plan the edit of one call; what of it stays, with the reasons."""
    candidate, call = write.call.candidate, write.call
    moved = tuple(
        name
        for name in write.fields
        if write.whole is None and name in flipping and name not in write.keeps
    )
    kept = [
        kept_site(write.source, candidate, NAME, call.text, reason)
        for reason in flips.reasons(write, flipping)
    ]
    if not moved:
        return kept
    accessor = target_of(write.writer.call)
    named = write.named
    assert named.name is not None
    callee = f"{named.name}().{write.writer.target}"
    edit: Edit
    if len(moved) == len(write.fields):
        edit = ReplaceExpression(Anchor(*candidate.anchor), callee)  # type: ignore[arg-type]
    else:
        edit = SplitCall(
            Anchor(*call.call),  # type: ignore[arg-type]
            callee,
            moved,
            write.fields[0] in moved,
            write.bindings(),
            write.writer.source,
        )
    planner.edit(NAME, edit, candidate)
    planner.use(accessor, named, candidate)
    return kept
