"""Imports of a generated project moved to module level, and the project run again."""

from __future__ import annotations

from collections import Counter

from codemod.hoist.options import HoistOptions
from codemod.hoist.planning import plan_hoists
from codemod.project import open_project
from tests.proof.checking import compiles, same_behaviour, write
from tests.proof.fuzzing import Bench
from tests.proof.programs.build import Project


def check_hoists(
    tools: Bench, project: Project, counts: Counter[str] | None = None
) -> list[str]:
    """What is wrong after every import that may move has moved."""
    before, after = tools.folder / "before", tools.folder / "after"
    write(project, before)
    write(project, after)
    options = HoistOptions(trust="simulation")
    plan = plan_hoists(open_project(after), options)
    wrong = [f"error: {problem}" for problem in plan.errors]
    for change in plan.changes:
        path = after / change.file
        path.write_text(change.after, encoding="utf-8", newline="")
        wrong += compiles(change.file, change.after)
    if counts is not None:
        counts.update(f"{d.decision} {d.reason or ''}" for d in plan.imports)
    ran = tools.runner.run(before, project)
    wrong += same_behaviour(ran, tools.runner.run(after, project))
    again = plan_hoists(open_project(after), options)
    wrong += [f"changes again: {change.file}" for change in again.changes]
    return wrong
