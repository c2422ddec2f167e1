"""The whole migration of a project, commit by commit, each one run."""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from codemod.packs import Pack, Step, load_pack
from codemod.series.commit import Change, Commit
from codemod.series.run import run_series
from codemod.series.steps import series_of
from tests.proof.checking import OPTIONS, compiles, same_behaviour, write
from tests.proof.fuzzing import Bench
from tests.proof.programs.build import Project


def strict(project: Project) -> Project:
    """The project in a world where record and namespaces do not share every write."""
    name = "app/context.py"
    text = project.files[name].replace("STRICT = False", "STRICT = True")
    return replace(project, files={**project.files, name: text})


def check_series(
    tools: Bench, project: Project, counts: Counter[str] | None = None
) -> list[str]:
    """What is wrong after any commit of the default series; empty is the proof."""
    project = strict(project)
    before, after = tools.folder / "before", tools.folder / "after"
    write(project, before)
    write(project, after)
    pack = load_pack(None, after)
    steps = series_of(pack)
    ran = tools.runner.run(before, project)
    # A run of the series works on content, so that the folder may follow behind it.
    found = list(run_series(after, pack, OPTIONS, steps))
    wrong: list[str] = []
    for commit in found:
        for problem in commit.problems:
            wrong.append(f"rolled back: {problem.file}: {problem.message}")
        if not isinstance(commit, Commit):
            continue
        for change in commit.changes:
            if counts is not None:
                counts.update(dict(change.counts))
            assert change.after is not None
            (after / change.path).write_bytes(change.after)
            wrong += compiles(change.path, change.after.decode())
        now = same_behaviour(ran, tools.runner.run(after, project))
        wrong += [f"{each} (after {commit.name})" for each in now]
        if now:
            break
    wrong += again(after, pack, steps)
    return wrong


def again(after: Path, pack: Pack, steps: Sequence[Step]) -> list[str]:
    """What a second run of the series would still do."""
    found = run_series(after, pack, OPTIONS, steps)
    return [
        f"changes again: {commit.name}: {change.path}: {_first_change(change)}"
        for commit in found
        if isinstance(commit, Commit)
        for change in commit.changes
        if change.before != change.after
    ]


def _first_change(change: Change) -> str:
    """The lines that differ, in short."""
    old, new = (change.before or b"").decode(), (change.after or b"").decode()
    lines = difflib.unified_diff(old.split("\n"), new.split("\n"), n=0, lineterm="")
    return " ".join(line for line in list(lines)[3:7])
