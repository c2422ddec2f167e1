"""The new texts are read again: nothing is taken on trust from the plan.

Each hoisted name is bound at module level and gone from its function, nothing else has
changed there, and the project as it would be is simulated once more. What fails is
taken back and said.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from codemod.hoist.facts import FileImports
from codemod.hoist.fixpoint import Search
from codemod.hoist.graph import direct_imports
from codemod.hoist.placement import present
from codemod.hoist.reading import Sources, summary_of
from codemod.hoist.store import Modules, Programs
from codemod.hoist.texts import Texts, units_by_module
from codemod.hoist.trials import Broken, Trials, deep_recursion
from codemod.model import Problem
from codemod.project.model import SourceFile
from codemod.rewrite import Rewritten


def verify(
    search: Search, texts: Texts, sources: Sources, jobs: int, simulate: bool = True
) -> list[Problem]:
    """Take back from ``search`` what the new texts do not bear out; the problems found.

    Without ``simulate`` only the texts are read again.
    """
    files = {file.module: file for file in sources.files}
    problems: list[Problem] = []
    while True:
        by_module = units_by_module(search.units, search.hoisted)
        read: dict[str, FileImports] = {}
        for module, units in by_module.items():
            found = _read_again(files[module], texts, units, sources)
            if isinstance(found, Problem):
                problems.append(found)
                search.hoisted -= units
                search.failed.update(dict.fromkeys(units, found))
            else:
                read[module] = found
        if not simulate or not read:
            return problems
        broken = _broken(search, texts, files, read, jobs)
        if not broken:
            return problems
        if not _take_back(search, texts, by_module, broken):
            entries = ", ".join(sorted({item.trial.entry for item in broken})[:5])
            problems.append(Problem("", 0, f"importing {entries} breaks unexplained"))
            return problems


def _read_again(
    file: FileImports, texts: Texts, units: frozenset[int], sources: Sources
) -> FileImports | Problem:
    written = texts.after(file.module, units)
    if not isinstance(written, Rewritten):
        return written
    source = SourceFile(file.path, file.module, file.is_package)
    again = summary_of(written.text, source, sources.roots)
    if isinstance(again, Problem):
        return again
    if again.problem:
        return Problem(file.path, 0, f"the new text does not compile: {again.problem}")
    going = texts.sites(units)
    for site in going:
        if present(site.imported, again) is None:
            return Problem(
                file.path,
                site.line,
                f"{site.bound!r} would not be bound at module level",
            )
    left = Counter((s.function, s.imported) for s in file.sites)
    left -= Counter((s.function, s.imported) for s in going)
    if left != Counter((s.function, s.imported) for s in again.sites):
        return Problem(file.path, 0, "other local imports would change with the hoist")
    return again


def _broken(
    search: Search,
    texts: Texts,
    files: Mapping[str, FileImports],
    read: Mapping[str, FileImports],
    jobs: int,
) -> list[Broken]:
    before = search.modules
    new = {module: read.get(module, file).top for module, file in files.items()}
    by_path = {file.path: file.module for file in read.values()}
    by_module = units_by_module(search.units, search.hoisted)

    def text(path: str) -> str:
        module = by_path.get(path)
        if module is not None:
            written = texts.after(module, by_module[module])
            if isinstance(written, Rewritten):
                return written.text
        return texts.before(path)

    after = Modules(new.values(), text, before.roots, before.present)
    with deep_recursion():
        edges = direct_imports(Programs(after), after.by_name)
    with Trials(before, (), jobs, after=after) as trials:
        again = Search(
            after, (), edges, trials, today=search.edges, touched=frozenset(read)
        )
        broken = again.everything_broken()
        search.count += again.count
    return broken


def _take_back(
    search: Search,
    texts: Texts,
    by_module: Mapping[str, frozenset[int]],
    broken: Sequence[Broken],
) -> bool:
    """Take back what stands on the chains; whether anything did."""
    taken = False
    for item in broken:
        found: list[int] = []
        near: list[int] = []
        for frame in item.chain:
            units = by_module.get(frame.module, frozenset()) & search.hoisted
            near += sorted(units)
            unit = (
                texts.unit_at(frame.module, by_module[frame.module], frame.line)
                if units
                else None
            )
            if unit is not None:
                found.append(unit)
        chosen = found[-1:] or near[-1:]
        search.without(chosen, item)
        taken = taken or bool(chosen)
    return taken
