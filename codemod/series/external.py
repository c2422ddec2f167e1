"""Somebody's own codemod as a step: it runs on the tree, its result is the commit.

A LibCST command and a Bowler query are run by a small program of ours, in a process of
their own with the interpreter that has the tool, so that each file they could not do is
known by name. Bowler's parser is older than ``match``, ``except*``, type parameters
(PEP 634, 654, 695) and parenthesised ``with``; a file with those is reported.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from codemod.delivery.diff import without_hunks
from codemod.model import Problem
from codemod.packs import External, Step
from codemod.packs.globs import module_matches
from codemod.series.commit import Change, Commit
from codemod.series.draft import Draft
from codemod.series.messages import message_of
from codemod.series.running import Ran, run_command
from codemod.series.withheld import Withheld
from codemod.transforms.model import KeptSite

if TYPE_CHECKING:
    from codemod.series.run import Workspace

_RUNNERS = Path(__file__).parent.parent / "runners"


def external_draft(
    step: Step, workspace: Workspace, withheld: Withheld, only: tuple[str, ...] = ()
) -> Draft:
    """Run the step's tool in the workspace; the draft of what it changed.

    Of files that are not among the paths and globs ``only`` nothing is taken. When the
    tool fails as a whole nothing of it is taken. A file that it breaks, so
    that it no longer compiles, is left as it was.
    """
    tool = step.external
    assert tool is not None
    problems: list[Problem] = []

    def work() -> None:
        problems.extend(_ran(step, tool, workspace.root))

    changes = workspace.captured(work)
    if any(not problem.file for problem in problems):
        changes = ()
    sound: list[Change] = []
    for change in changes:
        if not _is_asked_for(change.path, withheld, only):
            continue
        broken = _broken(change)
        if broken is None:
            sound.append(change)
        else:
            problems.append(broken)
    return _draft(step, tuple(sound), tuple(problems), withheld)


def _draft(
    step: Step,
    changes: tuple[Change, ...],
    problems: tuple[Problem, ...],
    withheld: Withheld,
) -> Draft:
    kept: list[KeptSite] = []
    taken: list[Change] = []
    for change in changes:
        site = withheld.files.get(change.path)
        less = _without_refused(change, withheld)
        if site is not None:
            kept.append(site)
        elif less is None:
            why = "What is left of it without the refused hunks does not compile."
            kept.append(_refused(change.path, 1, why))
        elif less is not change:
            kept.append(_refused(change.path, 1, "A hunk of it was refused in review."))
            taken += [less] if less.is_one else []
        else:
            taken.append(change)
    message = message_of(step, "", taken, kept, ())
    commit = Commit(
        step.name, "", message, tuple(taken), tuple(kept), problems=problems
    )
    return Draft(
        commit,
        withheld,
        (),
        (),
        lambda more: _draft(step, changes, problems, more),
    )


def _without_refused(change: Change, withheld: Withheld) -> Change | None:
    """The change without the hunks that a person refused, None when it then breaks."""
    numbers = {number for path, number in withheld.hunks if path == change.path}
    if not numbers or change.before is None or change.after is None:
        return change
    less = replace(change, after=without_hunks(change.before, change.after, numbers))
    return less if _broken(less) is None else None


def _refused(path: str, line: int, why: str) -> KeptSite:
    return KeptSite(path, line, 1, "", "review", "a part of the file", "refused", why)


def _is_asked_for(path: str, withheld: Withheld, only: tuple[str, ...]) -> bool:
    from codemod.api import is_wanted

    if path in withheld.outside:
        return False
    module = path.removesuffix(".py").replace("/", ".")
    return is_wanted(path, module, only)


def _ran(step: Step, tool: External, root: Path) -> Iterable[Problem]:
    """Run the tool; files it could not do, or one problem of no file: it failed."""
    if tool.kind == "command":
        ran = run_command(tool.target, root, tool.timeout)
        return _failure(step, tool, ran)
    python = tool.python or sys.executable
    files = _python_files(root, step.modules)
    with tempfile.TemporaryDirectory(prefix="nsroute-") as folder:
        report = Path(folder) / "report.json"
        listed = Path(folder) / "files.json"
        listed.write_text(json.dumps(files), encoding="utf-8")
        command = [
            python,
            *("-P",) * (sys.version_info >= (3, 11) and python == sys.executable),
            str(_RUNNERS / f"{tool.kind}_runner.py"),
            tool.target,
            str(listed),
            str(report),
            *tool.arguments,
        ]
        ran = run_command(command, root, tool.timeout)
        found = _failure(step, tool, ran)
        try:
            said = json.loads(report.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            said = []
    return [*found, *(Problem(f, max(line, 1), text) for f, line, text in said)]


def _failure(step: Step, tool: External, ran: Ran) -> list[Problem]:
    if ran.ok:
        return []
    last = "; ".join(line.strip() for line in ran.tail[-3:] if line.strip())
    said = f": {last}" if last else ""
    return [Problem("", 0, f"step {step.name}: {tool.target} {ran.end}{said}")]


def _python_files(root: Path, modules: tuple[str, ...]) -> list[str]:
    from codemod.project import open_project

    return [
        file.path
        for file in open_project(root, (), ()).files
        if not modules or module_matches(modules, file.module)
    ]


def _broken(change: Change) -> Problem | None:
    """Why a file that compiled does not any more; None when all is well."""
    if change.after is None or not change.path.endswith((".py", ".pyi")):
        return None
    error = _compile_error(change.after, change.path)
    if error is None or (
        change.before is not None and _compile_error(change.before, change.path)
    ):
        return None
    return Problem(change.path, error[0], f"left as it was: {error[1]} after the step")


def _compile_error(data: bytes, path: str) -> tuple[int, str] | None:
    import warnings

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(data, path, "exec", dont_inherit=True)
    except (SyntaxError, ValueError) as error:
        said = getattr(error, "msg", None) or str(error)
        return getattr(error, "lineno", None) or 1, f"does not compile ({said})"
    return None
