"""A person may accept any of the planned conversions: each choice has to work."""

from __future__ import annotations

from codemod import api
from codemod.rewrite import style_for
from codemod.series.bound import bound_together
from codemod.series.migrate import migrate
from codemod.series.reads import read_tasks
from tests.proof.checking import OPTIONS, compiles, same_behaviour, write
from tests.proof.fuzzing import Bench
from tests.proof.programs.build import Project


def check_subset(tools: Bench, project: Project, keep: int) -> list[str]:
    """Convert every ``keep``-th read only; what is wrong with the outcome."""
    before, after = tools.folder / "before", tools.folder / "after"
    write(project, before)
    write(project, after)
    analysis = api.analyse(after, options=OPTIONS)
    chosen = [d for d in analysis.decided if d.read.decision == "convert"][::keep]
    chosen, _ = bound_together(analysis.index, chosen, chosen)
    tasks = read_tasks(analysis.index, chosen)
    style = style_for(after)
    changes, failed = migrate(tasks, style.line_length, 1)
    wrong = [f"rolled back: {problem.file}: {problem.message}" for problem in failed]
    for change in changes:
        (after / change.path).write_bytes(change.after)
        wrong += compiles(change.path, change.after.decode())
    ran = tools.runner.run(before, project)
    wrong += same_behaviour(ran, tools.runner.run(after, project))
    left = [
        read
        for read in api.scan(after, options=OPTIONS).reads
        if read.decision == "convert"
    ]
    planned = sum(r.decision == "convert" for r in analysis.result.reads)
    if len(left) != planned - len(chosen) and not failed:
        wrong.append(f"left over: {len(left)} reads, not {planned - len(chosen)}")
    return wrong
