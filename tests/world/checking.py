"""What must hold of any tree of source, whoever wrote it."""

from __future__ import annotations

import ast
import gc
import traceback
import warnings
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import libcst as cst

from codemod import api
from codemod.model import Problem, Read
from codemod.plan import AddImport, FilePlan
from codemod.project.text import Text, decode, encode
from codemod.rewrite import RewriteError, rewrite
from tests.proof.checking import compiles, lines_changed
from tests.world.packs import FIRST, pack_for

_ADDED = "world_of_tests"


@dataclass
class Figures:
    """What was tried and what came of it."""

    trees: int = 0
    files: int = 0
    bytes: int = 0
    not_python: int = 0
    round_trips: int = 0
    reads: int = 0
    converted: int = 0
    rewritten: int = 0
    #: Files that were given back untouched, by why; of others, LibCST's failures.
    rolled_back: Counter[str] = field(default_factory=Counter)
    cannot_be_rewritten: Counter[str] = field(default_factory=Counter)
    wrong: int = 0

    def as_json(self) -> dict[str, object]:
        """The counts under their names."""
        return {
            "trees": self.trees,
            "files": self.files,
            "bytes": self.bytes,
            "files that are not Python here": self.not_python,
            "files given back byte for byte but for one added import": (
                self.round_trips
            ),
            "files that LibCST or we cannot rewrite": dict(
                self.cannot_be_rewritten.most_common()
            ),
            "reads": self.reads,
            "converted": self.converted,
            "files rewritten": self.rewritten,
            "files rolled back": dict(self.rolled_back.most_common()),
            "wrong": self.wrong,
        }


def check_tree(root: Path, figures: Figures, jobs: int = 1) -> list[str]:
    """What is wrong about one tree; it is migrated in place."""
    before = _contents(root)
    figures.trees += 1
    figures.files += len(before)
    figures.bytes += sum(map(len, before.values()))
    wrong: list[str] = []
    # Trees hold no cycles, and looking for some takes most of the time.
    collecting = gc.isenabled()
    gc.disable()
    try:
        files = {path: File.of(path, data) for path, data in before.items()}
        for path, file in files.items():
            wrong += _check_file(path, file, figures)
        wrong += _check_migration(root, files, figures, jobs)
    finally:
        if collecting:
            gc.enable()
    figures.wrong += len(wrong)
    return wrong


@dataclass(frozen=True, slots=True)
class File:
    """A file as it was: its bytes, its text, and what this Python says against it."""

    data: bytes
    text: Text | Problem
    error: str | None

    @classmethod
    def of(cls, path: str, data: bytes) -> File:
        """The file of some bytes."""
        return cls(data, decode(data, path), compile_error(data, path))


def _contents(root: Path) -> dict[str, bytes]:
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in sorted(root.rglob("*.py"))
        if path.is_file()
    }


def compile_error(data: bytes, path: str) -> str | None:
    """What this Python says against a file's bytes; None when it takes them."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(data, path, "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        return f"{type(error).__name__}: {error}"
    return None


def _parse_error(data: bytes) -> bool:
    """Whether this Python's parser does not take a file's bytes."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(data)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return True
    return False


# -- each file by itself ---------------------------------------------------------------


def _check_file(path: str, file: File, figures: Figures) -> list[str]:
    """Decoding, and the rewrite of a file whatever is in it."""
    if isinstance(file.text, Problem):
        return []
    if encode(file.text.text, file.text) != file.data:
        return [f"not the same bytes: {path}"]
    if file.error is not None:
        return []
    return _round_trip(path, file.text.text, figures)


def _round_trip(path: str, text: str, figures: Figures) -> list[str]:
    """Every other line of a file that gets an import comes back as it was."""
    plan = FilePlan(
        path=path,
        module=path.removesuffix(".py").replace("/", "."),
        is_package=path.endswith("__init__.py"),
        edits=(AddImport(_ADDED, "accessor"),),
    )
    try:
        after = rewrite(text, plan).text
    except RewriteError as error:
        figures.cannot_be_rewritten[_kind(error.message)] += 1
        # LibCST's failures are ours: they must be of LibCST's own making.
        if "LibCST" in error.message and _libcst_reads(text):
            return [f"refused: {path}:{error.line}: {error.message}"]
        return []
    except Exception:
        return [f"crash: {path}: {traceback.format_exc()}"]
    figures.round_trips += 1
    wrong = compiles(path, after)
    if not _only_added(text, after):
        wrong.append(f"more than an import changed: {path}")
    return wrong


def _kind(message: str) -> str:
    """A message without what stands in the file."""
    return message.partition(":")[0]


def _libcst_reads(text: str) -> bool:
    """Whether LibCST parses a text and gives it back."""
    try:
        return cst.parse_module(text).code == text
    except (cst.ParserSyntaxError, RecursionError):
        return False


def _only_added(before: str, after: str) -> bool:
    """Whether the old lines are all there, in order, with import lines between."""
    old = before.splitlines(keepends=True)
    position = 0
    for line in after.splitlines(keepends=True):
        if position < len(old) and _same(line, old[position]):
            position += 1
        elif line.strip() and _ADDED not in line:
            return False
    return position == len(old)


def _same(line: str, old: str) -> bool:
    # What was the last line may have got the line end that it lacked.
    return line == old or line.rstrip("\r\n") == old


# -- the tree as a whole ---------------------------------------------------------------


def _check_migration(
    root: Path,
    files: dict[str, File],
    figures: Figures,
    jobs: int,
) -> list[str]:
    """Scan, rewrite and scan again, with a pack whose words are everywhere."""
    options = api.Options(jobs=jobs, cache=False)
    look = api.scan(root, pack_for(root, FIRST), options)
    pack = pack_for(root, {*FIRST, *(read.field for read in look.reads)})
    analysis = api.analyse(root, pack, options)
    result = analysis.result
    wrong = _errors(result.errors, files, figures)
    plan = api.plan_of(analysis, options)
    for problem in plan.rolled_back:
        figures.rolled_back[_kind(problem.message)] += 1
        if not _is_excused(problem, files):
            wrong.append(f"rolled back: {_place(problem)}: {problem.message}")
    applied = api.apply_in_place(plan, force=True)
    wrong += [
        f"not written: {_place(p)}: {p.message}"
        for p in applied.failed
        if p not in plan.rolled_back
    ]
    reads: dict[str, list[Read]] = {}
    for read in result.reads:
        reads.setdefault(read.file, []).append(read)
    figures.reads += len(result.reads)
    figures.converted += result.summary.convert
    figures.rewritten += len(plan.changes)
    after = _contents(root)
    changed = {change.path for change in plan.changes}
    for path, file in files.items():
        if path not in changed:
            if after.get(path) != file.data:
                wrong.append(f"touched: {path}")
            continue
        new = File.of(path, after[path])
        if new.error is not None:
            wrong.append(f"does not compile: {path}: {new.error}")
            continue
        assert isinstance(new.text, Text)
        assert isinstance(file.text, Text)
        wrong += lines_changed(path, file.text.text, new.text.text, reads[path])
    return wrong + _again(root, pack, options, plan)


def _again(root: Path, pack: object, options: api.Options, plan: api.Plan) -> list[str]:
    """What a second run would still do, besides what was rolled back."""
    left = {problem.file for problem in plan.rolled_back}
    second = api.plan(root, pack, options)  # type: ignore[arg-type]
    return [
        f"changes again: {change.path}"
        for change in second.changes
        if change.path not in left
    ]


def _errors(
    errors: tuple[Problem, ...], files: dict[str, File], figures: Figures
) -> list[str]:
    """Files that we say are not Python and are, and the other way round."""
    ours = {problem.file: problem.message for problem in errors}
    figures.not_python += len(ours)
    wrong = []
    for path, file in files.items():
        mine = ours.get(path)
        # What only the compiler finds stops nobody from reading the file.
        if mine is None and file.error is not None and _parse_error(file.data):
            wrong.append(f"not reported: {path}: {file.error}")
        if mine is not None and file.error is None and not _is_stateful(mine):
            wrong.append(f"reported for nothing: {path}: {mine}")
    return wrong


def _is_stateful(message: str) -> bool:
    """Whether it is an encoding whose bytes we cannot promise to give back."""
    return "cannot be written back byte for byte" in message


def _is_excused(problem: Problem, files: dict[str, File]) -> bool:
    """Whether LibCST itself does not read the file."""
    text = files[problem.file].text
    return (
        "LibCST" in problem.message
        and isinstance(text, Text)
        and not _libcst_reads(text.text)
    )


def _place(problem: Problem) -> str:
    return f"{problem.file}:{problem.line}"
