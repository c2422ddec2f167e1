"""nsroute as a library: the commands do this and add only the screen.

>>> import codemod
>>> result = codemod.scan(".", "sglang")  # doctest: +SKIP
>>> result.summary.convert  # doctest: +SKIP
628
"""

from __future__ import annotations

import fnmatch
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from codemod import __version__
from codemod.model import Problem, Read, ScanResult, Summary

if TYPE_CHECKING:
    from codemod.decisions.engine import Decided
    from codemod.index.build import Progress
    from codemod.index.index import Index
    from codemod.packs import Pack
    from codemod.project import Project
    from codemod.routing import RouteTable
    from codemod.series.migrate import FileChange

SCHEMA = 1
TOOL = f"nsroute {__version__}"


@dataclass(frozen=True)
class Options:
    """How a run is narrowed and how it works.

    ``only`` are paths or module globs that results are narrowed to; the whole project
    is still read, since names are followed across files. ``jobs`` None means all cores.
    ``guards`` says that the guards are run next: files are looked at for them too.
    """

    routes_from: str | None = None
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    only: tuple[str, ...] = ()
    jobs: int | None = None
    cache: bool = True
    progress: Progress | None = None
    guards: bool = False


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
    overlay: Mapping[str, bytes] | None = None,
) -> Analysis:
    """Read the project at ``root`` and decide on every read of the record.

    ``pack`` is a built-in pack's name, a TOML path, a loaded pack, or None for what the
    project configures. Raises ``PackError`` for a pack or routes that cannot be used
    and ``ProjectError`` for a root that cannot; files that cannot be read or parsed
    are listed in ``result.errors``. ``overlay`` gives the bytes that files, by path,
    are to be taken to have: the tree after an earlier step.
    """
    from codemod.packs import load_pack
    from codemod.project import open_project
    from codemod.routing import remembered_routes

    options = options or Options()
    base = Path(root)
    loaded = load_pack(pack, base) if pack is None or isinstance(pack, str) else pack
    project = open_project(base, options.include, options.exclude)

    def routes() -> RouteTable:
        return remembered_routes(project, loaded, options.routes_from, options.cache)

    return _analysed(str(base), loaded, project, routes, options, overlay or {})


def analyse_again(
    analysis: Analysis, options: Options, changed: Mapping[str, bytes]
) -> Analysis:
    """The analysis of the same tree with other content in some of its files.

    Nothing is read from disk a second time, so that a series sees one state of the
    tree from its first step to its last. Routes stay as they were.
    """
    index = analysis.index
    overlay = {path: source.data for path, source in index.sources.items()}
    overlay |= changed
    return _analysed(
        analysis.result.root,
        analysis.pack,
        index.project,
        lambda: analysis.routes,
        options,
        overlay,
    )


def _analysed(
    root: str,
    loaded: Pack,
    project: Project,
    read_routes: Callable[[], RouteTable],
    options: Options,
    overlay: Mapping[str, bytes],
) -> Analysis:
    from codemod.index.index import build_index

    found: list[RouteTable] = []

    def meanwhile() -> None:
        found.append(read_routes())
        import codemod.decisions.engine  # noqa: F401, takes its time too

    watched = None
    if options.guards:
        from codemod.guards.targets import watched_of

        watched = watched_of(loaded)
    index = build_index(
        project,
        loaded,
        jobs=options.jobs,
        cache=options.cache,
        progress=options.progress,
        overlay=overlay,
        meanwhile=meanwhile,
        watched=watched,
    )
    from codemod.decisions.engine import decide, list_uses

    (routes,) = found
    decided = tuple(
        d for d in decide(index, loaded, routes) if _wanted(d.read, options.only)
    )
    uses = tuple(
        use
        for use in list_uses(index)
        if is_wanted(use.file, project.by_path[use.file].module, options.only)
    )
    index.store.save()
    reads = tuple(d.read for d in decided)
    result = ScanResult(
        schema=SCHEMA,
        tool=TOOL,
        root=root,
        pack=loaded.name,
        summary=Summary(
            files=len(project.files),
            files_parsed=len(index.parsed),
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


@dataclass(frozen=True)
class Plan:
    """A dry run: what every changed file becomes. Nothing is written.

    ``rolled_back`` are files whose rewrite did not pass its checks; they stay as they
    are, and the rest goes on.
    """

    analysis: Analysis
    changes: tuple[FileChange, ...]
    rolled_back: tuple[Problem, ...]


def plan(
    root: str | Path = ".",
    pack: str | Pack | None = None,
    options: Options | None = None,
) -> Plan:
    """Analyse the project and rewrite, in memory, every file with a read to convert.

    Raises as ``analyse`` does.
    """
    return plan_of(analyse(root, pack, options), options)


def plan_of(analysis: Analysis, options: Options | None = None) -> Plan:
    """The rewrite that an analysis calls for."""
    from codemod.index.pool import default_jobs
    from codemod.rewrite import style_for
    from codemod.series.migrate import migrate
    from codemod.series.reads import read_tasks

    options = options or Options()
    tasks = read_tasks(analysis.index, analysis.decided)
    style = style_for(analysis.index.project.root)
    changes, failed = migrate(
        tasks, style.line_length, options.jobs or default_jobs(), options.progress
    )
    return Plan(analysis, tuple(changes), tuple(failed))


class DirtyTreeError(Exception):
    """The git tree has changes that a person may want to keep apart."""


@dataclass(frozen=True)
class Applied:
    """What ``apply`` wrote, and what it could not or would not write."""

    written: tuple[str, ...]
    failed: tuple[Problem, ...]


def apply_in_place(plan: Plan, force: bool = False) -> Applied:
    """Write the plan's files, each whole or not at all.

    Raises ``DirtyTreeError`` when git has uncommitted changes below the root, unless
    ``force``. A file that changed since it was read is left and reported.
    """
    from codemod.delivery import git_state, write_file

    root = plan.analysis.index.project.root
    if not force and plan.changes and git_state(root) == "dirty":
        raise DirtyTreeError(
            f"{root} has uncommitted changes: commit or stash them, or use --force"
        )
    written: list[str] = []
    failed = list(plan.rolled_back)
    for change in plan.changes:
        problem = write_file(root, change.path, change.after, change.before)
        if problem is None:
            written.append(change.path)
        else:
            failed.append(problem)
    return Applied(tuple(written), tuple(failed))


def _wanted(read: Read, only: Sequence[str]) -> bool:
    return is_wanted(read.file, read.module, only)


def is_wanted(path: str, module: str, only: Sequence[str]) -> bool:
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
