"""Small projects in a folder, simulated and imported for real."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from codemod.hoist.ir import TopLevel
from codemod.hoist.real import RealImporter, RealOptions, RealOutcome
from codemod.hoist.simulate import Outcome, Simulation, World
from codemod.hoist.store import Modules, Programs
from codemod.hoist.toplevel import compile_module


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
