"""Figures of ``nsroute hoist``: SGLang, by simulation and for real, and two projects.

What each part shows is said where it is printed. Times are those of this machine.
"""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from bench.fetching import DATA, sources
from codemod.hoist import (
    HoistDecision,
    HoistOptions,
    HoistPlan,
    RealOptions,
    plan_hoists,
)
from codemod.hoist.explained import chain_text
from codemod.hoist.graph import closure, direct_imports
from codemod.hoist.reading import read_sources
from codemod.hoist.real import OverlayText, RealImporter, RealOutcome
from codemod.hoist.store import Modules, Programs
from codemod.hoist.toplevel import STANDARD_LIBRARY
from codemod.hoist.trials import deep_recursion
from codemod.project import Project, open_project

RELEASE = "0.5.18"
CONTEXT = "sglang.srt.runtime_context"

#: The sites that SGLang's maintainers left in functions and called import cycles.
SITES = (
    ("sglang/srt/eplb/expert_distribution.py", 306),
    ("sglang/srt/eplb/expert_distribution.py", 316),
    ("sglang/srt/hardware_backend/musa/attention/flashattention_backend.py", 86),
    ("sglang/srt/layers/moe/moe_runner/flashinfer_trtllm.py", 1048),
)

#: Packages of other machines than the one that the stand-ins play, a plain one.
OTHER_MACHINES = frozenset(
    [
        "deep_gemm",
        "habana_frameworks",
        "intel_extension_for_pytorch",
        "mlx",
        "sgl_kernel_npu",
        "torch_musa",
        "torch_npu",
        "torch_xmlir",
        "torchada",
    ]
)
#: What the stand-ins for torch have to say about the machine.
MACHINE = ("!torch.npu", "torch.version.hip=None", "torch.version.musa=None")
INSTALLED = ("pydantic", "pydantic_core", "typing_extensions", "annotated_types")

#: Name, extras and version, its own quick tests (paths below the package).
PROJECTS = (
    ("pip", "==23.2.1", ()),
    (
        "dask",
        "[array,dataframe]==2026.8.0",
        ("tests/test_core.py", "tests/test_delayed.py", "tests/test_order.py"),
    ),
    (
        "sympy",
        "==1.14.0",
        ("core/tests/test_basic.py", "core/tests/test_symbol.py", "sets/tests"),
    ),
)
JOBS = max(1, min(2, os.cpu_count() or 1))


def main() -> None:
    """Print every figure of the issue about hoisting."""
    run(DATA)


def run(data_dir: Path) -> None:
    """Print every figure; what is fetched goes to ``data_dir``."""
    root = sources("sglang", RELEASE)
    project = open_project(root)
    _context(project, data_dir)
    _whole(project)
    for name, version, tests in PROJECTS:
        _project(name, version, tests, data_dir)


# -- SGLang: the imports of one module -----------------------------------------


def _context(project: Project, data_dir: Path) -> None:
    print(f"== SGLang {RELEASE}, local imports of {CONTEXT}")
    print("(the maintainers: 86 before, 4 after)")
    everywhere = HoistOptions(modules=(CONTEXT,), trust="simulation", jobs=JOBS)
    print("in all of SGLang", end=": ")
    _print_summary(plan_hoists(project, everywhere))
    print("in sglang/srt alone:")
    plans = {}
    for conditions in (False, True):
        options = HoistOptions(
            modules=(CONTEXT,),
            paths=("sglang/srt",),
            conditions=conditions,
            trust="simulation",
            jobs=JOBS,
        )
        plans[conditions] = plan = plan_hoists(project, options)
        print("with --conditions" if conditions else "by default", end=": ")
        _print_summary(plan)
    _sites(project, plans[True], data_dir)


def _sites(project: Project, plan: HoistPlan, data_dir: Path) -> None:
    """Whether each of the sites is a cycle in this release, with the proof."""
    files = {file.path: file for file in project.files}
    modules = list(dict.fromkeys(files[path].module for path, _ in SITES))
    found = read_sources(project, JOBS)
    programs = Programs(
        Modules(
            (f.top for f in found.files),
            lambda path: (project.root / path).read_text(),
            found.roots,
        )
    )
    with deep_recursion():
        edges = direct_imports(programs, programs.modules.by_name)
    loads = closure(edges)
    loaded = set(loads.modules(loads.bits[CONTEXT]))
    print(f"importing {CONTEXT} loads {len(loaded)} modules of SGLang in all")
    packages = {name for f in found.files for name, _ in f.top.external}
    mock = packages - STANDARD_LIBRARY - found.roots - OTHER_MACHINES
    options = RealOptions(
        python=_environment("pydantic", ("pydantic",), data_dir),
        mock=(*sorted(mock - set(INSTALLED)), *MACHINE),
        timeout=300.0,
        jobs=JOBS,
    )
    overlay = {
        files[change.file].module: OverlayText(
            str(project.root / change.file),
            files[change.file].is_package,
            change.after,
        )
        for change in plan.changes
    }
    with RealImporter([str(project.root)], found.roots, options) as importer:
        before = importer.import_all(modules)
        importer.overlay(overlay)
        after = importer.import_all(modules)
    for path, line in SITES:
        module = files[path].module
        decision = next(d for d in plan.imports if (d.file, d.line) == (path, line))
        print(f"{path}:{line}: {_verdict(decision, module in loaded)}")
        print(f"    imported first for real, before: {_shown(before[module])}")
        print(f"    imported first for real, after:  {_shown(after[module])}")


def _verdict(decision: HoistDecision, loaded: bool) -> str:
    if decision.decision == "hoist":
        reach = "loads" if loaded else "does not load"
        return (
            f"no cycle in this release: {CONTEXT} {reach} this module, and hoisted, "
            "every module can be imported first that could be before"
        )
    return f"{decision.reason}: {decision.why} {chain_text(decision.chain)}"


def _shown(outcome: RealOutcome) -> str:
    if outcome.ok:
        return f"works ({outcome.seconds:.1f} s)"
    return f"{outcome.kind}: {outcome.message.splitlines()[0]}"


# -- SGLang whole --------------------------------------------------------------


def _whole(project: Project) -> None:
    print(f"== SGLang {RELEASE} whole, all modules of the project, by simulation")
    before = os.times()
    started = time.perf_counter()
    options = HoistOptions(trust="simulation", jobs=JOBS)
    plan = plan_hoists(project, options)
    wall, after = time.perf_counter() - started, os.times()
    _print_summary(plan)
    cpu = sum(after[:4]) - sum(before[:4])
    print(f"{wall:.0f} s on the clock, {cpu:.0f} s of all cores; steps: ", end="")
    print(
        ", ".join(f"{name} {spent:.0f}" for name, spent in plan.summary.seconds.items())
    )
    print(f"largest process: {_peak()} MB; imports simulated: {plan.summary.simulated}")
    _print_growth(plan)
    _print_chains(plan)


def _print_growth(plan: HoistPlan) -> None:
    module, count = plan.summary.largest_growth
    if count:
        print(f"importing {module} loads most in addition: {count} modules")


def _print_chains(plan: HoistPlan) -> None:
    print("cycles, the first ten:")
    cycles = [d for d in plan.imports if d.reason == "cycle"]
    for decision in cycles[:10]:
        print(f"  {decision.file}:{decision.line} {decision.imports}")
        print(f"    {decision.why}")
        print(f"    {chain_text(decision.chain)}")


def _peak() -> int:
    """The largest resident memory of this process and its children, in MB."""
    kinds = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    return max(resource.getrusage(kind).ru_maxrss for kind in kinds) // 1024


# -- Projects from the package index -------------------------------------------


def _project(name: str, version: str, tests: Sequence[str], data_dir: Path) -> None:
    print(f"== {name}{version}, installed, hoisted, every module imported for real")
    python = _environment(name, (f"{name}{version}", "pytest", "hypothesis"), data_dir)
    installed = _site_packages(python) / name
    root = data_dir / f"{name}-hoisted"
    shutil.rmtree(root, ignore_errors=True)
    shutil.copytree(
        installed, root / name, ignore=shutil.ignore_patterns("__pycache__")
    )
    project = open_project(root)
    started = time.perf_counter()
    real = RealOptions(python=python, timeout=120.0)
    plan = plan_hoists(project, HoistOptions(trust="both", real=real, jobs=JOBS))
    _print_summary(plan)
    print(f"{time.perf_counter() - started:.0f} s", end="; ")
    print(f"simulation and interpreter differ on {len(plan.disagreements)} imports")
    modules = [file.module for file in project.files if _importable(file.module)]
    with RealImporter([str(root)], (name,), real) as importer:
        before = importer.import_all(modules)
    tests_before = _tests(python, root, name, tests) if tests else ""
    for change in plan.changes:
        (root / change.file).write_text(change.after, encoding="utf-8")
    with RealImporter([str(root)], (name,), real) as importer:
        after = importer.import_all(modules)
    broken = [m for m in modules if before[m].ok and not after[m].ok]
    print(
        f"{len(modules)} modules, {sum(o.ok for o in before.values())} import before "
        f"and {sum(o.ok for o in after.values())} after; broken: {len(broken)}"
    )
    for module in broken:
        print(f"  {module}: {_shown(after[module])}")
    if tests:
        print(f"its own tests before: {tests_before}")
        print(f"its own tests after:  {_tests(python, root, name, tests)}")


def _importable(module: str) -> bool:
    return not module.endswith("__main__") and all(
        part.isidentifier() for part in module.split(".")
    )


def _tests(python: str, root: Path, name: str, tests: Sequence[str]) -> str:
    command = [python, "-m", "pytest", "-p", "no:cacheprovider", "--rootdir=."]
    command += [str(root / name / test) for test in tests]
    done = subprocess.run(
        command,
        cwd=root,
        env={**os.environ, "PYTHONPATH": str(root), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    lines = done.stdout.strip().splitlines()
    return lines[-1].strip("= ") if lines else f"exit {done.returncode}"


def _print_summary(plan: HoistPlan) -> None:
    summary = plan.summary
    print(
        f"{summary.modules} modules, {summary.statements} local import statements "
        f"({summary.imports} names), {summary.hoist_statements} hoisted "
        f"({summary.hoist} names) in {summary.files_changed} files"
    )
    kept = Counter[str]()
    seen = set()
    for decision in plan.imports:
        place = (decision.file, decision.line, decision.column, decision.reason)
        if decision.reason is not None and place not in seen:
            seen.add(place)
            kept[decision.reason] += 1
    shown = ", ".join(f"{reason} {count}" for reason, count in sorted(kept.items()))
    print(f"  kept statements by reason: {shown or 'none'}")
    for problem in (*plan.errors[:3], *plan.rolled_back[:3]):
        print(f"  problem: {problem}")


def _environment(name: str, requirements: Sequence[str], data_dir: Path) -> str:
    """A Python with ``requirements`` installed, in a virtual environment of its own."""
    home = data_dir / f"environment-{name}"
    python = home / "bin" / "python"
    if not (home / ".complete").exists():
        subprocess.run([sys.executable, "-m", "venv", str(home)], check=True)
        install = [str(python), "-m", "pip", "install", "-q", *requirements]
        subprocess.run([*install, "--disable-pip-version-check"], check=True)
        (home / ".complete").touch()
    return str(python)


def _site_packages(python: str) -> Path:
    code = "import sysconfig; print(sysconfig.get_path('purelib'))"
    done = subprocess.run(
        [python, "-c", code], capture_output=True, text=True, check=True
    )
    return Path(done.stdout.strip())


if __name__ == "__main__":
    main()
