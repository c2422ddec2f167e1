"""What ``nsroute explain`` says of an import inside a function."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from codemod.cli.screen import Screen, count, safe

if TYPE_CHECKING:
    from types import ModuleType

    from codemod.cli.commands.explain import Place
    from codemod.cli.options import Source
    from codemod.hoist import HoistDecision, HoistPlan
    from codemod.hoist.facts import LocalImport
    from codemod.project import Project

_ALONE = (
    "by simulation, with this file's imports of the same module only; nsroute hoist "
    "tries those of all files together, where one more may have to stay"
)


def explained_imports(root: Path, asked: Place, source: Source) -> HoistPlan | None:
    """The decisions on the local imports that stand on a line; None if none does.

    Nothing is imported: the import system is simulated.
    """
    from codemod.hoist import HoistOptions, plan_hoists
    from codemod.index.pool import default_jobs
    from codemod.project import open_project

    if not _may_hold_one(root, asked):
        return None
    project = open_project(root, source.include or (), source.exclude or ())
    sites = _sites(project, asked)
    if not sites:
        return None
    options = HoistOptions(
        modules=tuple(dict.fromkeys(site.imported.module for site in sites)),
        paths=(asked.file,),
        trust="simulation",
        jobs=source.jobs or default_jobs(),
    )
    return plan_hoists(project, options)


def decisions_at(plan: HoistPlan, asked: Place) -> list[HoistDecision]:
    """The decisions on the imports whose statement spans the asked line."""
    return [
        decision
        for decision in plan.imports
        if decision.line <= asked.line <= decision.line + decision.text.count("\n")
    ]


def _may_hold_one(root: Path, asked: Place) -> bool:
    """Whether an import statement spans the line; quick, since most lines have none."""
    import ast
    import warnings

    from codemod.model import Problem
    from codemod.project import read_text

    text = read_text(root, asked.file)
    if isinstance(text, Problem):
        return False
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text.text)
    except (SyntaxError, ValueError, RecursionError):
        return False
    return any(
        isinstance(node, (ast.Import, ast.ImportFrom))
        and node.col_offset > 0
        and node.lineno <= asked.line <= (node.end_lineno or node.lineno)
        for node in ast.walk(tree)
    )


def _sites(project: Project, asked: Place) -> list[LocalImport]:
    from codemod.hoist.reading import summary_of
    from codemod.model import Problem
    from codemod.project import read_text

    file = project.by_path.get(asked.file)
    text = read_text(project.root, asked.file)
    if file is None or isinstance(text, Problem):
        return []
    roots = {name.partition(".")[0] for name in project.by_module}
    found = summary_of(text.text, file, roots)
    if isinstance(found, Problem):
        return []
    return [s for s in found.sites if s.line <= asked.line <= s.end_line]


def import_lines(
    screen: Screen, root: Path, decisions: list[HoistDecision]
) -> Iterator[str]:
    """Each decision with its proof, then the pages of their reasons."""
    from codemod.cli.commands.explain import fact_lines, page_lines
    from codemod.cli.excerpts import SourceView

    view = SourceView(root)
    for number, decision in enumerate(decisions):
        if number:
            yield ""
        place = f"{safe(decision.file)}:{decision.line}:{decision.column}:"
        if decision.decision == "hoist":
            outcome = screen.paint("moves to module level", "green", "bold")
        else:
            outcome = screen.paint(f"stays ({decision.reason})", "yellow", "bold")
        yield f"{screen.paint(place, 'bold')} {outcome}"
        yield from view.excerpt(
            screen, decision.file, decision.line, decision.column, decision.text
        )
        yield ""
        yield from fact_lines(screen, _facts(decision))
    for module in _reasons(decisions):
        yield ""
        yield from page_lines(screen, module, _example(module))


def _facts(decision: HoistDecision) -> Iterator[tuple[str, str]]:
    from codemod.hoist.explained import chain_text

    yield "in", f"{decision.function} of {decision.module}"
    yield "import", decision.imports
    if decision.why is not None:
        yield "why", decision.why
    if decision.chain:
        yield "chain", chain_text(decision.chain)
    if decision.offer:
        yield "instead", decision.offer
    if decision.fixes:
        yield "fixes", f"line {decision.fixes} uses the name before it is bound there"
    if decision.decision == "hoist" and decision.added_modules:
        more = count(decision.added_modules, "module")
        yield "loads", f"{more} of the project more than today"
    if decision.reason in (None, "cycle", "heavy"):
        yield "tried", _ALONE


def _reasons(decisions: list[HoistDecision]) -> list[ModuleType]:
    from codemod.hoist.reasons import ALL

    codes = {decision.reason for decision in decisions}
    return [module for module in ALL if module.CODE in codes]


def _example(module: ModuleType) -> str:
    """The example's files one below the other, each under its name."""
    parts = [f"# {path}\n{text}" for path, text in module.EXAMPLE.items()]
    return "\n".join(parts)
