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

from codemod.series.reads import read_tasks
from codemod.transforms.model import Example, StepContext, StepPlan
from codemod.transforms.samples import PACK, RECORD

NAME = "reads"
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
    wanted = [
        each
        for each in context.decided
        if context.selects(each.read.module, each.read.field)
    ]
    return StepPlan(tuple(read_tasks(context.index, wanted)))
