"""Small projects in a folder, simulated and imported for real."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from codemod.hoist import HoistDecision, HoistOptions, HoistPlan, plan_hoists
from codemod.hoist.candidates import summarise
from codemod.hoist.ir import TopLevel
from codemod.hoist.outcomes import Outcome, World
from codemod.hoist.placement import place, present
from codemod.hoist.real import OverlayText, RealImporter, RealOptions, RealOutcome
from codemod.hoist.rewriting import FileHoists, hoisted
from codemod.hoist.simulate import Simulation
from codemod.hoist.store import Modules, Programs
from codemod.hoist.toplevel import compile_module
from codemod.hoist.units import Insert
from codemod.project import open_project


def module_of(path: str) -> tuple[str, bool]:
    """Module name and whether it is a package, for a path relative to the root."""
    parts = path.removesuffix(".py").split("/")
    if parts[-1] == "__init__":
        return ".".join(parts[:-1]), True
    return ".".join(parts), False


def write(root: Path, files: Mapping[str, str]) -> Path:
    """Write ``files``, by path, below ``root``."""
    for path, text in files.items():
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)
    return root


def programs(files: Mapping[str, str]) -> Programs:
    """``files`` as programs, nothing hoisted."""
    roots = {path.split("/")[0].removesuffix(".py") for path in files}
    units: list[TopLevel] = [
        compile_module(text, path, *module_of(path), roots)
        for path, text in files.items()
    ]
    return Programs(Modules(units, lambda path: files[path], roots))


def simulated(
    files: Mapping[str, str], entry: str, world: World = World.YES
) -> Outcome:
    """What importing ``entry`` first does, by simulation, every name accounted for."""
    return Simulation(programs(files), world, strict=True).run(entry)


def kind(outcome: Outcome) -> str:
    """The class of the exception, "" for none."""
    return outcome.failure.kind if outcome.failure else ""


@lru_cache(maxsize=1)
def interpreters() -> tuple[str, ...]:
    """One interpreter for each Python from 3.10 on that is found beside this one."""
    found = {sys.version_info[:2]: sys.executable}
    for folder in sorted(Path(sys.base_prefix).parent.glob("*")):
        python = folder / "bin" / "python3"
        parts = folder.name.split(".")
        if python.exists() and len(parts) == 3 and all(p.isdigit() for p in parts):
            version = (int(parts[0]), int(parts[1]))
            if version >= (3, 10):
                found.setdefault(version, str(python))
    return tuple(found[version] for version in sorted(found))


@lru_cache(maxsize=8)
def importer(python: str = sys.executable) -> RealImporter:
    """An importer for ``python``, started once; ``close_importers`` ends them all."""
    made = RealImporter([], (), RealOptions(python, jobs=1, timeout=20.0))
    _STARTED.append(made)
    return made.__enter__()


_STARTED: list[RealImporter] = []


def close_importers() -> None:
    """End every importer that ``importer`` started."""
    while _STARTED:
        _STARTED.pop().__exit__(None, None, None)
    importer.cache_clear()


def imported(
    root: Path, modules: list[str], python: str = sys.executable
) -> dict[str, RealOutcome]:
    """What importing each of ``modules`` first does, for real."""
    found = importer(python)
    found.move([str(root)])
    return found.import_all(modules)


def planned(root: Path, files: Mapping[str, str], **options: Any) -> HoistPlan:
    """The plan for ``files``, written below ``root``; by simulation unless told."""
    write(root, files)
    options.setdefault("trust", "simulation")
    return plan_hoists(open_project(root), HoistOptions(**options))


def after(plan: HoistPlan, files: Mapping[str, str]) -> dict[str, str]:
    """All files as they are once the plan is done."""
    changed = {change.file: change.after for change in plan.changes}
    return {path: changed.get(path, text) for path, text in files.items()}


def shown(plan: HoistPlan) -> dict[str, str]:
    """Each decision by ``file:line name``: ``hoist``, or the reason it is kept for."""
    return {f"{d.file}:{d.line} {d.name}": d.reason or d.decision for d in plan.imports}


def still_imports(root: Path, plan: HoistPlan, files: Mapping[str, str]) -> list[str]:
    """The modules that a real interpreter imports before the hoists and not after."""
    return breaks(root, files, after(plan, files))


def forced(files: Mapping[str, str], decision: HoistDecision) -> dict[str, str]:
    """``files`` with one kept import hoisted by hand: to the end of the first imports.

    Where it stands among them is that of the rule for new imports.
    """
    text = files[decision.file]
    module, is_package = module_of(decision.file)
    roots = {path.split("/")[0].removesuffix(".py") for path in files}
    facts = summarise(text, decision.file, module, is_package, roots)
    sites = tuple(
        site
        for site in facts.sites
        if (str(site.imported), site.bound) == (decision.imports, decision.name)
    )
    imported = sites[0].imported
    inserts = ()
    if present(imported, facts) is None:
        inserts = (Insert(imported, place(imported, facts)),)
    written = hoisted(text, FileHoists(facts, sites, inserts))
    return {**files, decision.file: written.text}


def breaks(root: Path, before: Mapping[str, str], now: Mapping[str, str]) -> list[str]:
    """The modules of ``before`` that import, and with the texts ``now`` do not."""
    modules = [module_of(path)[0] for path in before]
    good = [m for m, o in imported(root, modules).items() if o.ok]
    found = importer(sys.executable)
    found.overlay(
        {
            module_of(path)[0]: OverlayText(str(root / path), module_of(path)[1], text)
            for path, text in now.items()
            if text != before[path]
        }
    )
    try:
        outcomes = found.import_all(good)
    finally:
        found.overlay({})
    return [m for m in good if not outcomes[m].ok]


def check_maximal(root: Path, plan: HoistPlan, files: Mapping[str, str]) -> None:
    """Each import kept as a cycle breaks a real import when it is hoisted as well."""
    now = after(plan, files)
    for decision in plan.imports:
        if decision.reason == "cycle":
            one_more = forced(now, decision)
            assert one_more != now
            assert breaks(root, files, one_more), decision
