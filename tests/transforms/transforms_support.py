"""Run one transform on small files, as a step of a series would."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from codemod.api import Options, analyse
from codemod.packs import Step
from codemod.series.migrate import migrate
from codemod.series.task import combined
from codemod.transforms import TRANSFORMS, StepContext, StepPlan


@dataclass(frozen=True)
class Done:
    """The files that changed, what was planned, and what was rolled back."""

    after: dict[str, str]
    plan: StepPlan
    failed: list[str]

    @property
    def kept(self) -> list[str]:
        """The reasons of what was left, in order of place."""
        return [site.reason for site in self.plan.kept]

    @property
    def findings(self) -> list[str]:
        """The reasons of what a person has to see to, in order of place."""
        return [site.reason for site in self.plan.findings]


def write(root: Path, files: Mapping[str, str]) -> None:
    """Put files below a folder."""
    for path, text in files.items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")


def run(
    root: Path,
    files: Mapping[str, str],
    pack: str,
    step: Step | str,
    overlay: Mapping[str, bytes] | None = None,
    withheld: frozenset[str] = frozenset(),
) -> Done:
    """Write the files, plan the step on them and rewrite what it changes."""
    if isinstance(step, str):
        step = Step(step, (step,))
    write(root, files)
    rules = root.parent / f"{root.name}.toml"
    rules.write_text(pack, encoding="utf-8")
    analysis = analyse(root, str(rules), Options(cache=False, jobs=1), overlay)
    assert not analysis.result.errors
    context = StepContext(
        analysis.index,
        analysis.pack,
        analysis.routes,
        analysis.decided,
        step,
        withheld=withheld,
    )
    plans = [TRANSFORMS[name].tasks(context) for name in step.transforms]
    plan = StepPlan(
        tuple(task for each in plans for task in each.tasks),
        tuple(site for each in plans for site in each.kept),
        tuple(site for each in plans for site in each.findings),
        tuple(paths for each in plans for paths in each.together),
    )
    changes, failed = migrate(combined(plan.tasks), 88, 1)
    after = {change.path: change.after.decode() for change in changes}
    return Done(after, plan, [problem.message for problem in failed])
