"""New texts of files, for any set of hoisted units, each written once."""

from __future__ import annotations

import ast
import multiprocessing
from collections import defaultdict
from collections.abc import Collection, Iterable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field

from codemod.hoist.case import Case
from codemod.hoist.facts import LocalImport
from codemod.hoist.real import OverlayText
from codemod.hoist.rewriting import FileHoists, hoisted
from codemod.hoist.source_texts import SourceTexts
from codemod.hoist.store import Unit
from codemod.hoist.units import Planned
from codemod.model import Problem
from codemod.project import Text
from codemod.rewrite import RewriteError, Rewritten, Style

_WORTH_A_POOL = 24


@dataclass
class Texts:
    """The texts of a project's files before and after."""

    sources: SourceTexts
    planned: Planned
    style: Style
    jobs: int = 1
    _after: dict[tuple[str, frozenset[int]], Rewritten | Problem] = field(
        default_factory=dict
    )

    _lines: dict[tuple[str, frozenset[int]], dict[int, set[tuple[str, str]]]] = field(
        default_factory=dict
    )

    def __post_init__(self) -> None:
        self._cases: defaultdict[int, list[Case]] = defaultdict(list)
        for candidate in self.planned.candidates:
            if candidate.unit >= 0:
                self._cases[candidate.unit].append(candidate.case)

    def before(self, path: str) -> str:
        """The text of a file as it is; OSError when it is gone."""
        return self.decoded(path).text

    def decoded(self, path: str) -> Text:
        """The text of a file with its encoding; OSError when it is gone."""
        text = self.sources.read(path)
        if isinstance(text, Problem):
            raise OSError(text.message)
        return text

    def after(self, module: str, units: Collection[int]) -> Rewritten | Problem:
        """The new text of ``module`` with those of its ``units`` hoisted."""
        key = (module, frozenset(units))
        if key not in self._after:
            self._after[key] = self._written(key)
        return self._after[key]

    def prepare(self, by_module: dict[str, frozenset[int]]) -> None:
        """Write many files at once, in parallel."""
        missing = [key for key in by_module.items() if key not in self._after]
        if self.jobs == 1 or len(missing) < _WORTH_A_POOL:
            return
        work = [
            (self.before(h.file.path), h, self.style)
            for h in map(self._hoists, missing)
        ]
        context = multiprocessing.get_context()
        with ProcessPoolExecutor(self.jobs, mp_context=context) as pool:
            for key, result in zip(missing, pool.map(_rewritten, work, chunksize=4)):
                self._after[key] = result

    def _written(self, key: tuple[str, frozenset[int]]) -> Rewritten | Problem:
        hoists = self._hoists(key)
        try:
            text = self.before(hoists.file.path)
        except OSError as error:
            return Problem(hoists.file.path, 0, str(error))
        return _rewritten((text, hoists, self.style))

    def _hoists(self, key: tuple[str, frozenset[int]]) -> FileHoists:
        _, units = key
        cases = [case for unit in sorted(units) for case in self._cases[unit]]
        inserts = [i for unit in sorted(units) for i in self.planned.inserts[unit]]
        return FileHoists(
            cases[0].file, tuple(case.site for case in cases), tuple(inserts)
        )

    def sites(self, units: Collection[int]) -> list[LocalImport]:
        """The local imports that ``units`` hoist."""
        return [case.site for unit in sorted(units) for case in self._cases[unit]]

    def unit_at(self, module: str, units: Collection[int], line: int) -> int | None:
        """The unit whose import stands in ``line`` of the new text of ``module``."""
        names = self._imports_by_line(module, units).get(line, ())
        for unit in sorted(units):
            for insert in self.planned.inserts[unit]:
                imported = insert.imported
                kind = "from" if imported.name else ""
                if (kind, imported.name or imported.module) in names:
                    return unit
        return None

    def _imports_by_line(
        self, module: str, units: Collection[int]
    ) -> dict[int, set[tuple[str, str]]]:
        """What the imports at module level of the new text name, by line."""
        key = (module, frozenset(units))
        found = self._lines.get(key)
        if found is not None:
            return found
        found = self._lines[key] = {}
        written = self.after(module, units)
        if isinstance(written, Problem):
            return found
        for node in ast.parse(written.text).body:
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                kind = "from" if isinstance(node, ast.ImportFrom) else ""
                names = {(kind, alias.name) for alias in node.names}
                for line in range(node.lineno, (node.end_lineno or node.lineno) + 1):
                    found.setdefault(line, set()).update(names)
        return found

    def overlay(
        self, by_module: Iterable[tuple[str, frozenset[int]]]
    ) -> dict[str, OverlayText]:
        """The new texts by module, as a real interpreter is to see them."""
        found = {}
        for key in by_module:
            written = self.after(*key)
            if isinstance(written, Rewritten):
                file = self._hoists(key).file
                path = str(self.sources.root / file.path)
                found[key[0]] = OverlayText(path, file.is_package, written.text)
        return found


def units_by_module(
    units: Iterable[Unit], hoisted_units: Collection[int]
) -> dict[str, frozenset[int]]:
    """The hoisted units of each module that has some."""
    found: defaultdict[str, set[int]] = defaultdict(set)
    for unit in units:
        if unit.index in hoisted_units:
            found[unit.module].add(unit.index)
    return {module: frozenset(indices) for module, indices in found.items()}


def _rewritten(work: tuple[str, FileHoists, Style]) -> Rewritten | Problem:
    text, hoists, style = work
    try:
        return hoisted(text, hoists, style)
    except RewriteError as error:
        return Problem(error.file, error.line, error.message)
