"""nsroute as a library: the commands do this and add only the screen.

>>> import codemod
>>> result = codemod.scan(".", "sglang")  # doctest: +SKIP
>>> result.summary.convert  # doctest: +SKIP
628
"""

from __future__ import annotations

import fnmatch
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from codemod import __version__
from codemod.model import Read, ScanResult, Summary

if TYPE_CHECKING:
    from codemod.decisions.engine import Decided
    from codemod.index.build import Progress
    from codemod.index.index import Index
    from codemod.packs import Pack
    from codemod.routing import RouteTable

SCHEMA = 1
TOOL = f"nsroute {__version__}"


@dataclass(frozen=True)
class Options:
    """How a run is narrowed and how it works.

    ``only`` are paths or module globs that results are narrowed to; the whole project
    is still read, since names are followed across files. ``jobs`` None means all cores.
    """

    routes_from: str | None = None
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    only: tuple[str, ...] = ()
    jobs: int | None = None
    cache: bool = True
    progress: Progress | None = None


@dataclass(frozen=True)
class Analysis:
    """A project read once, with every decision; plans and reports are made from it."""

    pack: Pack
    routes: RouteTable
    index: Index
    decided: tuple[Decided, ...]
    result: ScanResult


def analyse(
    root: str | Path = ".",
    pack: str | Pack | None = None,
    options: Options | None = None,
) -> Analysis:
    """Read the project at ``root`` and decide on every read of the record.

    ``pack`` is a built-in pack's name, a TOML path, a loaded pack, or None for what the
    project configures. Raises ``PackError`` for a pack or routes that cannot be used
    and ``ProjectError`` for a root that cannot; files that cannot be read or parsed
    are listed in ``result.errors``.
    """
    from codemod.decisions.engine import decide, list_uses
    from codemod.index.index import build_index
    from codemod.packs import load_pack
    from codemod.project import open_project
    from codemod.routing import build_routes

    options = options or Options()
    base = Path(root)
    loaded = load_pack(pack, base) if pack is None or isinstance(pack, str) else pack
    project = open_project(base, options.include, options.exclude)
    routes = build_routes(project, loaded, options.routes_from)
    index = build_index(
        project,
        loaded,
        jobs=options.jobs,
        cache=options.cache,
        progress=options.progress,
    )
    decided = tuple(
        d for d in decide(index, loaded, routes) if _wanted(d.read, options.only)
    )
    uses = tuple(
        use
        for use in list_uses(index)
        if _wanted_file(use.file, project.by_path[use.file].module, options.only)
    )
    reads = tuple(d.read for d in decided)
    result = ScanResult(
        schema=SCHEMA,
        tool=TOOL,
        root=str(base),
        pack=loaded.name,
        summary=Summary(
            files=len(project.files),
            files_parsed=index.parsed,
            reads=len(reads),
            convert=sum(r.decision == "convert" for r in reads),
            keep=dict(
                sorted(Counter(r.reason for r in reads if r.reason is not None).items())
            ),
            skipped=dict(sorted(project.skipped.items())),
        ),
        reads=reads,
        uses=uses,
        errors=tuple(index.problems),
    )
    return Analysis(loaded, routes, index, decided, result)


def scan(
    root: str | Path = ".",
    pack: str | Pack | None = None,
    options: Options | None = None,
) -> ScanResult:
    """Every read of the record below ``root`` with its decision; see ``analyse``."""
    return analyse(root, pack, options).result


def _wanted(read: Read, only: Sequence[str]) -> bool:
    return _wanted_file(read.file, read.module, only)


def _wanted_file(path: str, module: str, only: Sequence[str]) -> bool:
    """Whether a file is one of the positional paths or module globs."""
    if not only:
        return True
    for pattern in only:
        trimmed = pattern.removeprefix("./").rstrip("/")
        if path == trimmed or trimmed == "." or path.startswith(f"{trimmed}/"):
            return True
        if fnmatch.fnmatchcase(path, trimmed) or fnmatch.fnmatchcase(module, trimmed):
            return True
    return False
