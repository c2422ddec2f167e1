"""The whole way: from a project to a plan of hoists, with everything a report needs."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeVar

from codemod import __version__
from codemod.hoist.case import project_imports
from codemod.hoist.explained import (
    cycle_decision,
    heavy_decision,
    kept,
    moved,
    rolled_back,
)
from codemod.hoist.facts import FileImports, LocalImport
from codemod.hoist.fixpoint import Search
from codemod.hoist.graph import closure, direct_imports
from codemod.hoist.loads import Growth, Loads
from codemod.hoist.model import (
    Disagreement,
    HoistChange,
    HoistDecision,
    HoistPlan,
    HoistSummary,
)
from codemod.hoist.options import HoistOptions
from codemod.hoist.present import modules_on_disk, source_roots
from codemod.hoist.progress import Progress, silent
from codemod.hoist.reading import Sources, doubled_modules, read_sources
from codemod.hoist.real import RealImporter
from codemod.hoist.realcheck import REAL, RealCheck, RealFindings
from codemod.hoist.reasons import heavy
from codemod.hoist.source_texts import SourceTexts
from codemod.hoist.store import Modules, Programs
from codemod.hoist.texts import Texts, units_by_module
from codemod.hoist.trials import Trials, deep_recursion
from codemod.hoist.units import Candidate, Planned, plan_units
from codemod.hoist.verifying import verify
from codemod.model import Problem
from codemod.project import Project
from codemod.rewrite import Rewritten, style_for

Result = TypeVar("Result")


def plan_hoists(
    project: Project,
    options: HoistOptions | None = None,
    progress: Progress = silent,
    given: Mapping[str, bytes] | None = None,
) -> HoistPlan:
    """Decide on every local import of ``project`` that ``options`` ask for.

    ``given`` are bytes that files, by path, are to be taken to have. A real interpreter
    would not see them, so they go with ``trust="simulation"``.

    Nothing is written. What cannot be read or rewritten is in ``errors`` and left as
    it is. Raises RealImportError when the interpreter that ``options`` name cannot be
    used.
    """
    options = options or HoistOptions()
    if given and options.trust != "simulation":
        raise ValueError("given texts can only be simulated")
    texts = SourceTexts(project.root, given or {})
    return _Planning(project, options, progress, texts).plan()


@dataclass
class _Planning:
    project: Project
    options: HoistOptions
    progress: Progress
    given: SourceTexts
    seconds: dict[str, float] = field(default_factory=dict)
    errors: list[Problem] = field(default_factory=list)
    rolled_back: list[Problem] = field(default_factory=list)

    def plan(self) -> HoistPlan:
        sources = self._timed("read", self._read)
        planned, modules = self._timed("group", lambda: self._group(sources))
        edges = self._timed("edges", lambda: _edges(modules))
        loads = Loads(edges, closure(edges), modules.by_name)
        growths = {
            u.index: loads.growth(
                u.module,
                [i.imported for i in planned.inserts[u.index]],
                self.options.allow_packages,
            )
            for u in planned.units
        }
        too_heavy = {
            index: growth for index, growth in growths.items() if self._heavy(growth)
        }
        light = [unit for unit in planned.units if unit.index not in too_heavy]
        texts = Texts(
            self.given,
            planned,
            style_for(self.project.root),
            self.options.jobs,
        )
        jobs, trust = self.options.jobs, self.options.trust
        with Trials(modules, light, jobs) as trials:
            search = Search(modules, light, edges, trials, self.progress)
            findings = self._search(search, texts, sources)
        self._timed("rewrite", lambda: self._rewrite(search, texts))
        self.progress("checking the new texts")
        self.rolled_back += self._timed(
            "verify", lambda: verify(search, texts, sources, jobs, trust != "real")
        )
        return self._result(
            sources, planned, search, texts, too_heavy, growths, findings
        )

    # -- stages ----------------------------------------------------------------

    def _read(self) -> Sources:
        self.progress("reading")
        given = self.given.given
        sources = read_sources(self.project, self.options.jobs, given)
        self.errors += sources.errors
        return sources

    def _group(self, sources: Sources) -> tuple[Planned, Modules]:
        wanted = {s.imported.module for f in sources.files for s in f.sites}
        wanted |= {
            f"{s.imported.module}.{s.imported.name}"
            for f in sources.files
            for s in f.sites
            if s.imported.name
        }
        present = modules_on_disk(self.project, wanted)
        project = project_imports(sources.files, present)
        doubled = doubled_modules(self.project)

        def selected(file: FileImports, site: LocalImport) -> bool:
            return file.module not in doubled and self.options.selects(
                file, site, sources.roots
            )

        planned = plan_units(
            sources.files, project, selected, conditions=self.options.conditions
        )
        units = (file.top for file in sources.files)
        modules = Modules(units, self.given.text, sources.roots, present)
        return planned, modules

    def _heavy(self, growth: Growth) -> bool:
        most = self.options.most_modules
        return heavy.why(growth.packages, growth.modules, most) is not None

    def _search(
        self, search: Search, texts: Texts, sources: Sources
    ) -> RealFindings | None:
        if self.options.trust == "real":
            search.hoisted.update(unit.index for unit in search.units)
        else:
            self._timed("simulate", search.run)
        if self.options.trust == "simulation" or not search.units:
            return None
        return self._timed("real", lambda: self._real(search, texts, sources))

    def _real(self, search: Search, texts: Texts, sources: Sources) -> RealFindings:
        self._rewrite(search, texts)
        root = self.project.root
        affected = affected_modules(search)
        paths = {str(root / file.path): file.module for file in sources.files}
        options = replace(self.options.real, jobs=self.options.jobs)
        with RealImporter(source_roots(self.project), sources.roots, options) as real:
            check = RealCheck(search, texts, real, paths, self.progress)
            return check.run(affected)

    def _rewrite(self, search: Search, texts: Texts) -> None:
        """Write the new texts; take back the hoists of files that cannot be written."""
        self.progress("rewriting")
        by_module = units_by_module(search.units, search.hoisted)
        texts.prepare(by_module)
        for module, units in by_module.items():
            written = texts.after(module, units)
            if isinstance(written, Problem):
                self.rolled_back.append(written)
                search.hoisted -= units
                search.failed.update(dict.fromkeys(units, written))

    def _timed(self, name: str, work: Callable[[], Result]) -> Result:
        started = time.perf_counter()
        result = work()
        spent = time.perf_counter() - started
        self.seconds[name] = round(self.seconds.get(name, 0.0) + spent, 3)
        return result

    # -- the result ------------------------------------------------------------

    def _result(
        self,
        sources: Sources,
        planned: Planned,
        search: Search,
        texts: Texts,
        too_heavy: Mapping[int, Growth],
        growths: Mapping[int, Growth],
        findings: RealFindings | None,
    ) -> HoistPlan:
        decide = _Decide(sources, planned, search, too_heavy, growths, self.options)
        imports = tuple(decide.of(candidate) for candidate in planned.candidates)
        changes = tuple(_changes(search, texts, sources))
        disagreements = _disagreements(findings, planned, search)
        summary = self._summary(sources, imports, changes, search, findings)
        return HoistPlan(
            schema=1,
            tool=f"nsroute {__version__}",
            root=str(self.project.root),
            summary=summary,
            imports=imports,
            changes=changes,
            disagreements=disagreements,
            errors=tuple(sorted(self.errors, key=lambda e: (e.file, e.line))),
            rolled_back=tuple(
                sorted(set(self.rolled_back), key=lambda e: (e.file, e.line))
            ),
            doubled=sources.doubled,
            unproven=dict(findings.unproven) if findings else {},
        )

    def _summary(
        self,
        sources: Sources,
        imports: tuple[HoistDecision, ...],
        changes: tuple[HoistChange, ...],
        search: Search,
        findings: RealFindings | None,
    ) -> HoistSummary:
        keep = Counter(d.reason for d in imports if d.reason is not None)
        going = [d for d in imports if d.decision == "hoist"]
        return HoistSummary(
            modules=len(sources.files),
            imports=len(imports),
            statements=len({(d.file, d.line, d.column) for d in imports}),
            hoist=len(going),
            hoist_statements=len({(d.file, d.line, d.column) for d in going}),
            keep=dict(sorted(keep.items())),
            files_changed=len(changes),
            simulated=search.count,
            real=findings.tried if findings else 0,
            unproven=len(findings.unproven) if findings else 0,
            largest_growth=_largest_growth(search),
            seconds=dict(self.seconds),
        )


@dataclass
class _Decide:
    """The decision for each candidate, once the units are settled."""

    sources: Sources
    planned: Planned
    search: Search
    too_heavy: Mapping[int, Growth]
    growths: Mapping[int, Growth]
    options: HoistOptions

    def __post_init__(self) -> None:
        self.files = {file.module: file for file in self.sources.files}
        self.sites: dict[int, tuple[str, int]] = {}
        for candidate in self.planned.candidates:
            place = (candidate.case.file.path, candidate.case.site.line)
            self.sites.setdefault(candidate.unit, place)

    def of(self, candidate: Candidate) -> HoistDecision:
        """The decision for one local import."""
        case, unit = candidate.case, candidate.unit
        if candidate.keep is not None:
            return kept(case, candidate.keep)
        if unit in self.too_heavy:
            growth = self.too_heavy[unit]
            return heavy_decision(case, growth, self.options.most_modules, self.files)
        if unit in self.search.hoisted:
            return moved(case, self.growths[unit])
        if unit in self.search.failed:
            return rolled_back(case, self.search.failed[unit])
        return cycle_decision(case, self.search.proofs[unit], self.files, self.sites)


def _changes(search: Search, texts: Texts, sources: Sources) -> Iterator[HoistChange]:
    by_module = units_by_module(search.units, search.hoisted)
    for file in sources.files:
        units = by_module.get(file.module)
        if not units:
            continue
        written = texts.after(file.module, units)
        assert isinstance(written, Rewritten)
        going = len(texts.sites(units))
        like = texts.decoded(file.path)
        yield HoistChange(
            file.path, like.text, written.text, going, like, written.notes
        )


def _disagreements(
    findings: RealFindings | None, planned: Planned, search: Search
) -> tuple[Disagreement, ...]:
    """Where simulation and real interpreter differ, in the order of the files."""
    if findings is None:
        return ()
    found: list[Disagreement] = []
    for candidate in planned.candidates:
        unit, case = candidate.unit, candidate.case
        proof = search.proofs.get(unit)
        if proof is None:
            continue
        said = f"{proof.kind}: {proof.message}"
        entry = proof.trial.entry
        place = (case.file.path, case.site.line, entry)
        if unit in findings.works:
            found.append(Disagreement(*place, simulation=said, real="works"))
        elif proof.trial.world == REAL:
            found.append(Disagreement(*place, simulation="works", real=said))
    return tuple(found)


def affected_modules(search: Search) -> list[str]:
    """The modules whose import runs something that a hoist changes.

    ``__main__`` modules are left out: importing one runs the program.
    """
    loads = closure(search.edges_now())
    changed = 0
    for unit in search.units:
        changed |= 1 << loads.number[unit.module]
    return sorted(
        module
        for module, bits in loads.bits.items()
        if bits & changed and not module.endswith("__main__")
    )


def _largest_growth(search: Search) -> tuple[str, int]:
    before, after = closure(search.edges), closure(search.edges_now())
    grown = (
        (after.bits[m].bit_count() - before.bits[m].bit_count(), m) for m in before.bits
    )
    count, module = max(grown, default=(0, ""))
    return (module, count) if count else ("", 0)


def _edges(modules: Modules) -> dict[str, dict[str, int]]:
    with deep_recursion():
        return direct_imports(Programs(modules), modules.by_name)
