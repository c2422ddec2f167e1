"""Probes of the machine are asked through one object, and tests override that object.

What: a call of a free function that the pack names under ``[probes]``, by whatever
spelling it is imported, becomes an attribute of the one object that answers all facts.

Why: a test that pretends to be on another machine has to say so once, not to every
module that imported a function.

Before and after:

    is_sm100_supported()        get_platform().is_sm100
    utils.get_device_sm()       get_platform().device_sm

A patch of a probe in a test becomes the pack's scoped override, where its value is
written out and its scope is one that an override can have too:

    @patch("app.use.is_fast", return_value=True)        @override_platform(is_fast=True)
    with patch.object(use, "is_fast", lambda: False):   with override_platform(…):
    monkeypatch.setattr(use, "is_fast", lambda: True)   with override_platform(…): …

Every other patch of a name that nothing reads any more is a finding: it would pass
silently. The import of a converted probe goes even where a test patches it, so that
such a test fails aloud.

Kept, with a reason: what runs when the module is imported, in every nesting
(``import-time``), for it would freeze the fact; a probe that is not called or called
with arguments; a name that may mean something else (``ambiguous``).
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field, replace

from codemod.analysis.patching import PatchSite
from codemod.analysis.probing import ProbeFacts, ProbeSite
from codemod.decisions.naming import Named
from codemod.index.source import Source
from codemod.model import Anchor
from codemod.packs import Accessor, Probes, module_matches
from codemod.plan import Edit, RemoveParameters, ReplaceExpression, WrapRest
from codemod.series.task import FileTask
from codemod.series.units import components
from codemod.transforms.model import REFUSED, Example, KeptSite, StepContext, StepPlan
from codemod.transforms.planning import FilePlanner, kept_site, target_of
from codemod.transforms.probe_facts import all_probe_facts
from codemod.transforms.samples import RECORD

NAME = "probes"
SUMMARY = "Probes of the machine are asked through one object."
_PACK = """\
[record]
class = "app.config:Config"
calls = ["app.config:get_config"]

[probes]
call = "app.machine:get_platform"
override = "app.machine:override_platform"

[probes.facts]
is_fast = "app.machine:is_fast"
lanes = "app.machine:count_lanes"
"""
_MACHINE = {
    **RECORD,
    "app/machine.py": """\
from contextlib import contextmanager


class Platform:
    is_fast = False
    lanes = 4


_platform = Platform()


def get_platform():
    return _platform


@contextmanager
def override_platform(**facts):
    before = {name: getattr(_platform, name) for name in facts}
    vars(_platform).update(facts)
    try:
        yield _platform
    finally:
        vars(_platform).update(before)


def is_fast():
    return get_platform().is_fast


def count_lanes():
    return get_platform().lanes
""",
}
EXAMPLES = (
    Example(
        _PACK,
        {
            **_MACHINE,
            "app/use.py": "from app import machine\n"
            "from app.machine import is_fast as fast\n\n"
            "WIDE = machine.count_lanes() > 8\n\n\n"
            "def step():\n    return machine.count_lanes() if fast() else 1\n",
            "tests/test_use.py": "from unittest.mock import patch\n\n"
            "from app.use import step\n\n\n"
            '@patch("app.use.fast", return_value=True)\n'
            "def test_step(fast):\n    assert step() == 4\n",
        },
        {
            "app/use.py": "from app import machine\n"
            "from app.machine import get_platform\n\n"
            "WIDE = machine.count_lanes() > 8\n\n\n"
            "def step():\n"
            "    return get_platform().lanes if get_platform().is_fast else 1\n",
            "tests/test_use.py": "from app.machine import override_platform\n"
            "from app.use import step\n\n\n"
            "@override_platform(is_fast=True)\n"
            "def test_step():\n    assert step() == 4\n",
        },
        ("import-time",),
    ),
)
_CODES = {
    "value": ("not-called", "The function itself is taken; whoever has it calls it."),
    "arguments": ("arguments", "It is called with arguments; the object takes none."),
}


@dataclass(slots=True)
class _Key:
    """What becomes of the places that look a probe up by one name.

    ``paths`` are the files of those that are converted.
    """

    converted: int = 0
    kept: int = 0
    import_time: int = 0
    paths: set[str] = field(default_factory=set)


def tasks(context: StepContext) -> StepPlan:
    """A task for each file with a probe or a patch of one to convert."""
    probes = context.pack.probes
    if probes is None:
        return StepPlan()
    facts = all_probe_facts(context, probes)
    plan = _Plan(context, probes, facts)
    plan.hold_back()
    for path in sorted(facts):
        plan.sites(context.index.sources[path], facts[path])
    for path in sorted(facts):
        plan.patches(context.index.sources[path], facts[path])
    return StepPlan(
        tuple(plan.tasks()),
        tuple(sorted(plan.kept)),
        tuple(sorted(plan.findings)),
        components(plan.together),
    )


class _Plan:
    def __init__(
        self, context: StepContext, probes: Probes, facts: dict[str, ProbeFacts]
    ) -> None:
        self.context = context
        self.probes = probes
        self.facts = facts
        self.kept: list[KeptSite] = []
        self.findings: list[KeptSite] = []
        self.fact_of: dict[str, str] = {}
        self.keys: dict[str, _Key] = defaultdict(_Key)
        self.together: list[frozenset[str]] = []
        #: Names that are patched in files that have to stay, with the file.
        self._held: dict[str, str] = {}
        self._planners: dict[str, FilePlanner] = {}
        for probe, fact in probes.facts.items():
            dotted = probe.replace(":", ".")
            self.fact_of[dotted] = fact
            for name in context.index.names.resolve(dotted):
                self.fact_of[name] = fact
        self._owners = {probe.partition(":")[0] for probe in probes.facts}
        self._owners.add(probes.call.partition(":")[0])

    def _planner(self, source: Source) -> FilePlanner:
        path = source.file.path
        if path not in self._planners:
            index = self.context.index
            facts = replace(
                index.facts(path), module_names=self.facts[path].module_names
            )
            self._planners[path] = FilePlanner(index, source, facts)
        return self._planners[path]

    def facts_of(self, ref: str) -> set[str | None]:
        """The facts that a dotted name answers; None among them: or something else."""
        names = self.context.index.names.resolve(ref)
        return {self.fact_of.get(name) for name in names}

    # -- the probes -------------------------------------------------------------

    def hold_back(self) -> None:
        """Note which names patches need that stay: those go on to be called."""
        for path, facts in sorted(self.facts.items()):
            stays = self.context.stays(path) is not None
            for patch in facts.patches:
                anchors = (patch.place.anchor, ("function", patch.function))
                if stays or self.context.refuses(path, *anchors):
                    self._held.update(dict.fromkeys(patch.targets, path))

    def sites(self, source: Source, facts: ProbeFacts) -> None:
        """Plan the places of one file, and note by which names they look it up."""
        wanted: list[tuple[ProbeSite, str]] = []
        for site in facts.sites:
            answers = {a for ref in site.refs for a in self.facts_of(ref)}
            if answers == {None}:
                continue
            fact = next(iter(answers)) if len(answers) == 1 else None
            if not site.certain:
                fact = None
            why = self._keeps(source, site, fact)
            if why is None and fact is not None:
                wanted.append((site, fact))
            elif why is not None:
                self._keep(source, site, why)
        accessor = target_of(self.probes.call)
        planner = self._planner(source)
        chosen = planner.choose(accessor, [site.candidate for site, _ in wanted])
        for site, fact in wanted:
            named = chosen[site.candidate]
            if named.name is None:
                self._keep(source, site, ("name-taken", named.problem))
                continue
            text = f"{named.name}().{fact}"
            anchor = Anchor(*site.candidate.anchor)  # type: ignore[arg-type]
            planner.edit(NAME, ReplaceExpression(anchor, text), site.candidate)
            planner.use(accessor, named, site.candidate)
            self.keys[site.key].converted += 1
            self.keys[site.key].paths.add(source.file.path)

    def _keep(self, source: Source, site: ProbeSite, why: tuple[str, str]) -> None:
        key = self.keys[site.key]
        if why[0] == "import-time":
            key.import_time += 1
        else:
            key.kept += 1
        self.kept.append(
            kept_site(source, site.candidate, NAME, site.candidate.text, why)
        )

    def _keeps(
        self, source: Source, site: ProbeSite, fact: str | None
    ) -> tuple[str, str] | None:
        """Why a place stays, None when it does not."""
        module = source.file.module
        candidate = site.candidate
        if candidate.suppression is not None:
            return "suppressed", candidate.suppression
        for keep in self.probes.keeps:
            if module_matches(keep.modules, module):
                return keep.reason, keep.why
        if self.context.refuses(source.file.path, candidate.anchor):
            return REFUSED
        left = self.context.stays(source.file.path)
        if left is not None:
            return left
        where = self._held.get(site.key)
        if where is not None:
            return "patched", f"{where} patches it, and has to stay as it is."
        if module in self._owners:
            return "definition", "The object's own module asks the functions."
        if not self.context.selects(module, fact or ""):
            return "not-selected", "The step leaves it out."
        if site.use in _CODES:
            return _CODES[site.use]
        if fact is None:
            return "ambiguous", "The name may mean something that is no probe."
        if candidate.import_time:
            return (
                "import-time",
                "This runs when the module is imported and would freeze the fact then.",
            )
        return None

    # -- the patches ------------------------------------------------------------

    def patches(self, source: Source, facts: ProbeFacts) -> None:
        """Plan the patches of one file, and report those that hold nothing any more."""
        wanted: list[tuple[PatchSite, str]] = []
        for patch in facts.patches:
            fact, problem = self._judged(source, patch)
            if problem:
                why = ("patch", problem)
                self.findings.append(
                    kept_site(source, patch.place, NAME, patch.place.text, why)
                )
            elif fact is not None:
                wanted.append((patch, fact))
        if not wanted or self.probes.override is None:
            return
        accessor = target_of(self.probes.override)
        planner = self._planner(source)
        chosen = planner.choose(accessor, [patch.place for patch, _ in wanted])
        for patch, fact in wanted:
            self._override(planner, accessor, chosen[patch.place], patch, fact)
            readers = (self.keys[target].paths for target in patch.targets)
            self.together.append(frozenset({source.file.path}.union(*readers)))

    def _judged(self, source: Source, patch: PatchSite) -> tuple[str | None, str]:
        """The fact to override, or what a person has to see to, or neither."""
        targets = [t for t in patch.targets if self.facts_of(t) != {None}]
        if not patch.targets:
            return None, "It may patch a probe by a name that nobody can tell."
        if not targets:
            return None, ""
        keys = [self.keys[target] for target in targets]
        if any(key.kept for key in keys) and not any(key.converted for key in keys):
            return None, ""  # what it patches is read as before
        if patch.how == "string" and not any(key.converted for key in keys):
            return None, ""  # nobody can tell what the string is for
        what = f"This {'spells' if patch.how == 'string' else 'patches'} {targets[0]}"
        if any(key.kept for key in keys):
            return None, f"{what}, which some places read and others do not any more."
        if not any(key.converted for key in keys):
            return None, f"{what}, which nothing reads when it is patched."
        if self.probes.override is None:
            return None, f"{what}, which nothing reads any more."
        if patch.problem:
            return None, f"{what}, which nothing reads any more, and {patch.problem}."
        if not self.context.selects(source.file.module, ""):
            return (
                None,
                f"{what}, which nothing reads any more; the step leaves it out.",
            )
        answers = {a for target in targets for a in self.facts_of(target)}
        fact = next(iter(answers)) if len(answers) == 1 else None
        if fact is None:
            return None, f"{what}, which may be something else than a probe."
        return fact, ""

    def _override(
        self,
        planner: FilePlanner,
        accessor: Accessor,
        named: Named,
        patch: PatchSite,
        fact: str,
    ) -> None:
        if named.name is None:
            return
        text = f"{named.name}({fact}={patch.value})"
        anchor = Anchor(*patch.place.anchor)  # type: ignore[arg-type]
        edit: Edit = ReplaceExpression(anchor, text)
        if patch.how == "rest":
            edit = WrapRest(anchor, text)
        planner.edit(NAME, edit, patch.place)
        if patch.parameter:
            gone = RemoveParameters(
                Anchor("function", patch.function), (patch.parameter,)
            )
            planner.edit(NAME, gone, patch.place, 0)
        planner.use(accessor, named, patch.place)

    # -- what others see --------------------------------------------------------

    def tasks(self) -> list[FileTask]:
        """The tasks of all files."""
        seen: set[str] = set()
        starred: set[str] = set()
        for facts in self.facts.values():
            seen |= facts.imported
            starred.update(facts.stars)
        found = []
        for path in sorted(self._planners):
            planner = self._planners[path]
            file = self.context.index.sources[path].file
            visible: frozenset[str] | None = None
            if not (file.is_package or file.module in starred):
                prefix = f"{file.module}."
                own = {s.removeprefix(prefix) for s in seen if s.startswith(prefix)}
                own |= self._asked_of(file.module)
                visible = frozenset({*own, *self.facts[path].exports})
            task = planner.task_with(visible)
            if task is not None:
                found.append(task)
        return found

    def _asked_of(self, module: str) -> set[str]:
        """Names that files which mention the module ask some object for."""
        tail = module.rpartition(".")[2].encode()
        return {
            name
            for path, facts in self.facts.items()
            if facts.asked and tail in self.context.index.sources[path].data
            for name in facts.asked
        }
