"""Imports inside functions go to module level, as far as that is safe.

What: every import of a module of the project that stands in a function, or with the
step's ``imports`` those of the modules that these globs name.

Why: an accessor goes into a function where a cycle forbids it at module level; when
later steps have loosened the cycle, it can leave again. Linters forbid imports in
functions and none can tell which of them have to be there.

Before and after:

    def f():                                from app.config import get_pool
        from app.config import get_pool
        return get_pool().size              def f():
                                                return get_pool().size

All imports are tried together by a simulation of the import system, which runs nothing
of the project, and the fewest are taken back until no import breaks that works before.
What stays is kept with the reason of ``nsroute hoist``: ``cycle`` with its chain,
``conditional``, ``optional`` and so on. The step stands alone: what is safe is a matter
of the whole project's text, which no other edit may change at the same time.
"""

from __future__ import annotations

from collections.abc import Iterable

from codemod.hoist import HoistDecision, HoistOptions, HoistPlan, plan_hoists
from codemod.hoist.explained import chain_text
from codemod.index.pool import default_jobs
from codemod.packs import module_matches
from codemod.series.task import FileTask, WholeText
from codemod.transforms.model import Example, KeptSite, StepContext, StepPlan
from codemod.transforms.samples import PACK, RECORD

NAME = "hoist"
SUMMARY = "Imports inside functions go to module level where that is safe."
EXAMPLES = (
    Example(
        PACK,
        {
            **RECORD,
            "app/use.py": "def f():\n    from app.config import get_pool\n\n"
            "    return get_pool().size\n",
        },
        {
            "app/use.py": "from app.config import get_pool\n\n\n"
            "def f():\n    return get_pool().size\n",
        },
    ),
    Example(
        PACK,
        {
            **RECORD,
            "app/config.py": f"import app.use\n\n\n{RECORD['app/config.py']}",
            "app/use.py": "def f():\n    from app.config import get_pool\n\n"
            "    return get_pool().size\n",
        },
        {},
        ("cycle",),
    ),
)


def tasks(context: StepContext) -> StepPlan:
    """The new text of each file with an import that moves, and what stays."""
    index = context.index
    plan = plan_hoists(
        index.project,
        _options(context),
        given={path: source.data for path, source in index.sources.items()},
    )
    return StepPlan(tuple(_tasks(context, plan)), tuple(sorted(_kept(plan.imports))))


def _options(context: StepContext) -> HoistOptions:
    modules = context.step.modules
    fixed = {
        file.path
        for file in context.index.project.files
        if modules and not module_matches(modules, file.module)
    }
    return HoistOptions(
        modules=_imported(context),
        fixed=frozenset(fixed | context.withheld),
        trust="simulation",
        jobs=context.options.jobs or default_jobs(),
    )


def _imported(context: StepContext) -> tuple[str, ...]:
    """The modules that the step's ``imports`` name; of other packages as written."""
    globs = context.step.imports
    names = context.index.project.by_module
    return (*globs, *sorted(name for name in names if module_matches(globs, name)))


def _tasks(context: StepContext, plan: HoistPlan) -> Iterable[FileTask]:
    index = context.index
    for change in plan.changes:
        yield FileTask(
            source=index.sources[change.file],
            facts=index.facts(change.file),
            vocabulary=index.vocabulary,
            counts=((NAME, change.names),),
            whole=WholeText(change.bytes_after, change.notes),
        )


def _kept(decisions: Iterable[HoistDecision]) -> Iterable[KeptSite]:
    for decision in decisions:
        if decision.reason is None:
            continue
        why = " ".join(filter(None, [decision.why, chain_text(decision.chain)]))
        yield KeptSite(
            decision.file,
            decision.line,
            decision.column,
            decision.function,
            NAME,
            decision.imports,
            decision.reason,
            why,
        )
