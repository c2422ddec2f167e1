"""All checks of a program, the dear ones in turn: a nightly run does these."""

from __future__ import annotations

import zlib

from codemod import api
from tests.proof.checking import OPTIONS, check, decisions, write
from tests.proof.fuzzing import Bench
from tests.proof.hoisting import check_hoists
from tests.proof.metamorphic import REWRITERS
from tests.proof.programs.build import Project
from tests.proof.series import check_series
from tests.proof.subsets import check_subset


def check_thoroughly(tools: Bench, project: Project) -> list[str]:
    """What is wrong about a program; what is checked besides the reads takes turns."""
    wrong = tools.try_program(project)
    if wrong:
        return wrong
    # By what the program says, not by a count: tried again, it is tried the same way.
    turn = zlib.crc32("".join(project.files.values()).encode())
    if turn % 4 == 0:
        return check_series(tools, project, tools.edits)
    if turn % 4 == 1:
        return check_hoists(tools, project, tools.hoists)
    if turn % 4 == 2:
        return check_subset(tools, project, 2 + turn // 4 % 3)
    rewriter = REWRITERS[turn // 4 % len(REWRITERS)]
    return check_rewritten(tools, rewriter(project), rewriter.__name__)


def check_rewritten(tools: Bench, project: Project, how: str) -> list[str]:
    """What is wrong about the decisions when a project is written in another way."""
    root = tools.folder / "project"
    write(project, root)
    result = api.scan(root, options=OPTIONS)
    wrong = [f"error: {problem}" for problem in result.errors]
    wrong += decisions(project, result.reads)
    if how in ("tabs", "crlf", "narrow") and not wrong:
        wrong = check(project, tools.folder, tools.runner)
    return [f"{each} ({how})" for each in wrong]
