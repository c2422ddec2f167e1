"""Reads of the record are taken off namespaces.

What: every read that ``codemod.decisions`` converts and the step selects.

Why: it is what a migration is for. Each read names the one namespace it depends on.

Before and after:

    get_server_args().attention_backend     get_exec().kernel.attention_backend

Fields that a writer of the pack's ``[writers]`` writes somewhere change with their
writers, in the step of that transform: a reader that went ahead would not see what is
still written to the record.
"""

from __future__ import annotations

from codemod.decisions.engine import Decided
from codemod.series.bound import bound_together
from codemod.series.reads import read_tasks
from codemod.transforms.coflip import coflip
from codemod.transforms.model import Example, KeptSite, StepContext, StepPlan
from codemod.transforms.planning import kept_site
from codemod.transforms.samples import PACK, RECORD

NAME = "reads"
NAME_OF_WRITERS = "writers"
SUMMARY = "Reads of the record are taken off namespaces."
EXAMPLES = (
    Example(
        PACK,
        {
            **RECORD,
            "app/use.py": "from app.config import get_config\n\n\n"
            "def f():\n    return get_config().size\n",
        },
        {
            "app/use.py": "from app.config import get_pool\n\n\n"
            "def f():\n    return get_pool().size\n",
        },
    ),
)


def tasks(context: StepContext) -> StepPlan:
    """A task for each file with a read to convert."""
    flips = coflip(context)
    wanted: list[Decided] = []
    possible: list[Decided] = []
    kept: list[KeptSite] = []

    def keep(each: Decided, reason: tuple[str, str]) -> None:
        source = context.index.sources[each.read.file]
        kept.append(kept_site(source, each.candidate, NAME, each.read.text, reason))

    for each in context.decided:
        read = each.read
        if read.decision != "convert":
            continue
        why = flips.keeps_read(read.field)
        if why is None:
            possible.append(each)
        if not context.selects(read.module, read.field):
            continue
        if why is None:
            wanted.append(each)
        elif (
            read.field in flips.stays or NAME_OF_WRITERS not in context.step.transforms
        ):
            keep(each, why)
    chosen, stuck = bound_together(context.index, wanted, possible)
    for each in stuck:
        keep(each, _STILL_READ)
    return StepPlan(tuple(read_tasks(context.index, chosen)), tuple(sorted(kept)))


_STILL_READ = (
    "ambiguous",
    "It binds a name that is still read, by a read that does not convert with it.",
)
