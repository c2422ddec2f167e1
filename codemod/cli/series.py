"""A series on the screen: running it with a bar, showing its commits, its JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from codemod.cli.options import Source
from codemod.cli.places import Places
from codemod.cli.screen import Screen, count, safe

if TYPE_CHECKING:
    from codemod.api import Analysis
    from codemod.packs import Pack, Step
    from codemod.packs.errors import Where
    from codemod.series.commit import Change, Commit, Skipped
    from codemod.series.draft import Draft
    from codemod.series.run import Review, SeriesOptions
    from codemod.transforms.model import KeptSite

_TITLE = ("diff --git ", "index ", "--- ", "+++ ", "new file ", "deleted file ")


@dataclass(frozen=True)
class Series:
    """What there is to run: the tree as analysed, and the steps that were asked for.

    ``names`` are those steps, or parts of steps, as the person wrote them; empty for
    all.
    """

    analysis: Analysis
    steps: tuple[Step, ...]
    names: tuple[str, ...] = ()

    @property
    def pack(self) -> Pack:
        """The pack that names the steps."""
        return self.analysis.pack

    @property
    def root(self) -> Path:
        """The root of the project."""
        return self.analysis.index.project.root

    @property
    def has_external(self) -> bool:
        """Whether a step runs a tool of the pack's."""
        return any(step.external is not None for step in self.steps)


def prepared(
    work: Source, places: Places, screen: Screen, names: Sequence[str]
) -> Series:
    """Analyse the tree and look up the steps; PackError for one that is not there."""
    from codemod.packs import load_pack
    from codemod.series.steps import chosen, series_of

    pack = load_pack(work.rules, Path(places.root))
    steps = chosen(series_of(pack), names)
    return Series(work.analyse(places, screen), steps, tuple(names))


def run(
    series: Series, work: Source, places: Places, screen: Screen, how: SeriesOptions
) -> Iterator[Commit | Skipped]:
    """The commits of the series as they come, with a bar for the work on each."""
    from dataclasses import replace

    from codemod.cli.progress import Bar
    from codemod.series.run import run_series

    label = "rewriting"
    with Bar(screen, label) as bar:
        options = replace(work.options(places.only), progress=bar)
        how = replace(how, parts=series.names)
        found = run_series(
            series.root, series.pack, options, series.steps, how, series.analysis
        )
        for item in found:
            bar.pause()
            yield item


def show(screen: Screen, commit: Commit) -> None:
    """Print a commit: its message as comment lines, which git skips, then its diff."""
    lines = [f"# {commit.name}: {commit.title}", "#"]
    lines += [f"# {line}".rstrip() for line in commit.message.split("\n")[2:]]
    screen.lines(screen.paint(safe(line), "yellow", "bold") for line in lines)
    show_changes(screen, commit.changes)
    for change in commit.changes:
        for note in change.notes:
            screen.note(f"note: {safe(change.path)}: {safe(note)}")


def show_changes(screen: Screen, changes: Iterable[Change]) -> None:
    """Print the diff of each file: exact where a program reads it, else made safe."""
    for change in changes:
        data = patch_of(change)
        if screen.terminal or screen.color:
            screen.lines(shown_diff(screen, data))
        else:
            screen.data(data)


def patch_of(change: Change) -> bytes:
    """The git-style diff of a change."""
    from codemod.delivery.diff import diff_of_file

    return diff_of_file(change.before, change.after, change.path, change.executable)


def shown_diff(screen: Screen, data: bytes) -> Iterator[str]:
    """The lines of a diff in colour, made safe for a terminal."""
    title = True
    for line in data.decode("utf-8", "backslashreplace").removesuffix("\n").split("\n"):
        # A removed line of source can look like a title: only those before @@ are.
        title = line.startswith("diff --git ") or (title and line.startswith(_TITLE))
        yield screen.paint(safe(line.removesuffix("\r")), *_styles(line, title))


def _styles(line: str, title: bool) -> tuple[str, ...]:
    if title:
        return ("bold",)
    return {"@": ("cyan",), "+": ("green",), "-": ("red",)}.get(line[:1], ())


def say_what_stayed(screen: Screen, items: Sequence[Commit | Skipped]) -> None:
    """Name rolled back files, findings, files that were left, and empty steps."""
    from codemod.series.commit import Skipped

    said: Counter[tuple[str, ...]] = Counter()
    for item in items:
        for problem in item.problems:
            place = f"{problem.file}:{problem.line}: " if problem.file else ""
            screen.warn(f"{place}{problem.message}")
        for site in _not_said(item.findings, said):
            place = f"{site.file}:{site.line}:{site.column}"
            screen.warn(f"{place}: {site.why} ({site.transform}, {site.reason})")
        for site in whole_files(item.kept):
            why, *output = site.why.split("\n")
            screen.warn(f"{site.file}: left as it was ({site.reason}): {why}")
            for line in output:
                screen.note(f"  {safe(line)}")
    empty = [item.name for item in items if isinstance(item, Skipped)]
    if empty:
        screen.note(f"skipped, nothing to do: {', '.join(empty)}")


def _not_said(
    findings: Iterable[KeptSite], said: Counter[tuple[str, ...]]
) -> Iterator[KeptSite]:
    """What no commit before has said; its line may be another one by now."""
    here: Counter[tuple[str, ...]] = Counter()
    for site in findings:
        key = (site.file, site.function, site.text, site.transform, site.why)
        here[key] += 1
        if here[key] > said[key]:
            said[key] += 1
            yield site


def whole_files(kept: Iterable[KeptSite]) -> list[KeptSite]:
    """Files that a commit leaves alone as a whole: not tracked, or verify failed."""
    return [site for site in kept if not site.transform]


def went_wrong(items: Sequence[Commit | Skipped]) -> bool:
    """Whether something that should have changed did not."""
    return any(item.problems or whole_files(item.kept) for item in items)


def amount(commits: Sequence[Commit]) -> str:
    """``35 edits in 13 files, 4 commits``."""
    from codemod.series.commit import merged

    edits = sum(change.edits for commit in commits for change in commit.changes)
    files = count(len(merged(commits)), "file")
    return f"{count(edits, 'edit')} in {files}, {count(len(commits), 'commit')}"


def as_json(series: Series, items: Sequence[Commit | Skipped]) -> dict[str, Any]:
    """What every command says of a series in JSON: whole, and commit by commit."""
    from codemod.series.commit import Commit, merged

    commits = [item for item in items if isinstance(item, Commit)]
    result = series.analysis.result
    return {
        "schema": 1,
        "tool": result.tool,
        "root": result.root,
        "pack": result.pack,
        "changes": [_change_json(change) for change in merged(commits)],
        "commits": [
            {
                "step": commit.step,
                "part": commit.part,
                "message": commit.message,
                "changes": [_change_json(change) for change in commit.changes],
                "kept": commit.kept,
                "findings": commit.findings,
                "rolled_back": commit.problems,
            }
            for commit in commits
        ],
        "skipped": [
            {"step": s.step, "part": s.part, "why": s.why, "kept": s.kept}
            for s in items
            if not isinstance(s, Commit)
        ],
        "rolled_back": [problem for item in items for problem in item.problems],
    }


def _change_json(change: Change) -> dict[str, Any]:
    counts = dict(change.counts)
    return {
        "file": change.path,
        "reads": counts.get("reads", 0),
        "edits": counts,
        "notes": change.notes,
        "diff": patch_of(change).decode("utf-8", "surrogateescape"),
    }


def missing_reviewer(screen: Screen, pack: Pack, refuse: bool) -> Review:
    """A review that looks for imports of modules that are nowhere.

    A library may be installed: that is said. A module that the project's own package
    lacks is a slip, and every file with the import would fail: PackError if ``refuse``,
    else it is said too.
    """
    from codemod.packs import PackError

    told: set[str] = set()

    def review(draft: Draft) -> Draft:
        for each in draft.missing:
            module, _, name = each.name.rpartition(".")
            what = f"{each.file} would import {name} from {module}, which is not there"
            if refuse and not each.installed:
                raise PackError.at(
                    _named_in(pack, module, name),
                    f"{what}: neither in the project nor beside the routes; write the "
                    "module first, or mend the name",
                )
            if module not in told:
                hint = ": is it installed?" if each.installed else ""
                screen.warn(f"{safe(what)}{hint}")
            told.add(module)
        return draft

    return review


def _named_in(pack: Pack, module: str, name: str) -> Where:
    """The place in the pack where a name of a module is given."""
    for accessor in pack.accessors:
        if (accessor.module, accessor.name) == (module, name):
            return pack.where("accessors", accessor.root)
    call = f"{module}:{name}"
    for table in ("derived", "configured", "writers"):
        for key, entry in getattr(pack, table).items():
            if entry.call == call:
                return pack.where(table, key, "call")
    return pack.where("probes")
