"""A whole check: the guards, then the baseline or another revision, then the shard."""

from __future__ import annotations

import fnmatch
import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from codemod.guards import GUARDS
from codemod.guards.baseline import Compared, Stale, compare, updated
from codemod.guards.baseline_file import (
    FILE,
    Baseline,
    BaselineError,
    Entry,
    read_baseline,
)
from codemod.guards.bodies import Bodies
from codemod.guards.model import Finding, Key
from codemod.guards.running import run_guards
from codemod.model import Problem

if TYPE_CHECKING:
    from codemod.api import Analysis, Options


@dataclass(frozen=True)
class Shard:
    """Part ``index`` (from 1) of ``of``: the modules whose name hashes to it."""

    index: int
    of: int

    def has(self, module: str) -> bool:
        """Whether a module is in this part."""
        digest = hashlib.sha256(module.encode("utf-8", "surrogatepass")).digest()
        return int.from_bytes(digest[:8], "big") % self.of == self.index - 1


@dataclass(frozen=True)
class Request:
    """What to check, beyond what the pack says.

    ``only`` are guards, ``narrow`` paths or module globs that results are narrowed to.
    ``baseline`` is a path, None for none at all.
    """

    only: tuple[str, ...] = ()
    narrow: tuple[str, ...] = ()
    baseline: Path | None = None
    shard: Shard | None = None
    jobs: int | None = None
    cache: bool = True


@dataclass(frozen=True)
class Report:
    """The outcome of a check.

    ``findings`` are those that fail it, ``stale`` the baseline's entries that promise
    more than there is; ``known`` counts what the baseline has, ``moved`` the entries
    found at another place. ``problems`` are files that could not be checked.
    """

    findings: tuple[Finding, ...]
    stale: tuple[Stale, ...]
    known: int = 0
    moved: int = 0
    problems: tuple[Problem, ...] = ()
    has_baseline: bool = False


def check_tree(analysis: Analysis, request: Request) -> Report:
    """Check a project against its baseline; raises BaselineError."""
    checked = run_guards(analysis, request.only, request.jobs, request.cache)
    baseline = _baseline(analysis, request)
    covers = _covers(analysis, request, checked.ran)
    wanted = [f for f in checked.findings if _wanted(f.file, f.module, request.narrow)]
    digest = Bodies(analysis.index).digest
    compared = compare(wanted, baseline, digest, covers)
    return _report(compared, checked.problems, request.shard, baseline is not None)


def check_against(analysis: Analysis, base: Analysis, request: Request) -> Report:
    """Check only what a project adds to another state of it."""
    before = run_guards(base, request.only, request.jobs, request.cache)
    after = run_guards(analysis, request.only, request.jobs, request.cache)
    bodies, old = Bodies(analysis.index), Bodies(base.index)
    since, _ = updated(
        before.findings, None, "", old.digest, lambda entry: True, "unchanged"
    )
    compared = compare(after.findings, since, bodies.digest, lambda entry: True)
    counts = {entry.key: entry.count for entry in since.entries}
    new = tuple(f for f in compared.new if _wanted(f.file, f.module, request.narrow))
    new = _added(new, before.findings, counts)
    kept = [f for f in new if request.shard is None or request.shard.has(f.module)]
    return Report(tuple(kept), (), problems=after.problems)


def _added(
    new: tuple[Finding, ...], before: tuple[Finding, ...], counts: Mapping[Key, int]
) -> tuple[Finding, ...]:
    """Of findings of a key that grew, those whose text was not found before."""
    texts: dict[tuple[object, str], int] = {}
    for finding in before:
        key = (finding.key, finding.text)
        texts[key] = texts.get(key, 0) + 1
    kept: list[Finding] = []
    for finding in new:
        key = (finding.key, finding.text)
        if finding.key in counts and texts.get(key, 0):
            texts[key] -= 1
        else:
            kept.append(finding)
    return tuple(kept)


@dataclass(frozen=True)
class Updated:
    """A baseline to write, and its entries that want a reason first."""

    baseline: Baseline
    without_reason: tuple[Entry, ...]
    before: int
    problems: tuple[Problem, ...]


def new_baseline(analysis: Analysis, request: Request, reason: str = "") -> Updated:
    """The baseline that says what is so now.

    An old baseline that cannot be read is not taken over, its reasons neither.
    """
    checked = run_guards(analysis, request.only, request.jobs, request.cache)
    try:
        old = _baseline(analysis, request)
    except BaselineError:
        old = None
    covers = _covers(analysis, request, checked.ran)
    wanted = [f for f in checked.findings if _wanted(f.file, f.module, request.narrow)]
    digest = Bodies(analysis.index).digest
    baseline, without = updated(wanted, old, analysis.pack.name, digest, covers, reason)
    before = len(old.entries) if old is not None else 0
    return Updated(baseline, without, before, checked.problems)


def baseline_path(root: Path, given: str | None) -> Path:
    """The baseline's path: as given, else at the root."""
    return Path(given) if given else root / FILE


def _baseline(analysis: Analysis, request: Request) -> Baseline | None:
    if request.baseline is None:
        return None
    found = read_baseline(request.baseline, GUARDS)
    if found is not None and found.pack != analysis.pack.name:
        raise BaselineError(
            str(request.baseline),
            found.line,
            f"was written with the pack {found.pack!r}, and this is "
            f"{analysis.pack.name!r}",
            "give each pack a baseline of its own with --baseline",
        )
    return found


def _covers(
    analysis: Analysis, request: Request, ran: tuple[str, ...]
) -> Callable[[Entry], bool]:
    """Whether this run would have found an entry's findings."""
    modules = analysis.index.project.by_module

    def covers(entry: Entry) -> bool:
        if entry.guard not in ran and (request.only or entry.guard in GUARDS):
            return False
        file = modules.get(entry.module)
        path = file.path if file is not None else ""
        return _wanted(path, entry.module, request.narrow)

    return covers


def _report(
    compared: Compared,
    problems: tuple[Problem, ...],
    shard: Shard | None,
    has_baseline: bool,
) -> Report:
    new, stale = compared.new, compared.stale
    if shard is not None:
        new = tuple(f for f in new if shard.has(f.module))
        stale = tuple(s for s in stale if shard.has(s.key.partition(":")[0].split()[0]))
    return Report(
        new, stale, compared.known, len(compared.moved), problems, has_baseline
    )


def _wanted(path: str, module: str, narrow: tuple[str, ...]) -> bool:
    """Whether a file is one of the paths or module globs of the command line."""
    from codemod.api import is_wanted

    if not path:
        return not narrow or any(fnmatch.fnmatchcase(module, p) for p in narrow)
    return is_wanted(path, module, narrow)


def base_analysis(analysis: Analysis, revision: str, options: Options) -> Analysis:
    """The project as it was where this branch left ``revision``; raises GitError."""
    from dataclasses import replace

    from codemod.api import analyse
    from codemod.guards.revision import base_texts

    project = analysis.index.project
    overlay = base_texts(project.root, revision, project.by_path)
    return analyse(
        project.root, analysis.pack, replace(options, only=(), progress=None), overlay
    )
