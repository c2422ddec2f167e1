"""All files of a project, summarised in parallel."""

from __future__ import annotations

import gc
import multiprocessing
import sys
import warnings
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from codemod.hoist.candidates import summarise
from codemod.hoist.facts import FileImports
from codemod.model import Problem
from codemod.project import Project, decode, read_text
from codemod.project.model import SourceFile

_WORTH_A_POOL = 200


@dataclass(frozen=True, slots=True)
class Sources:
    """The files that could be read, one for each module name, and what was wrong.

    ``doubled`` are the module names that several files have, at the first of them.
    """

    files: tuple[FileImports, ...]
    errors: tuple[Problem, ...]
    roots: frozenset[str]
    doubled: tuple[Problem, ...] = ()


def read_sources(
    project: Project, jobs: int = 1, given: Mapping[str, bytes] | None = None
) -> Sources:
    """Summarise every file of ``project``; problems are reported and contained.

    Of two files with one module name, the one that Python would find is executed when
    it is imported; neither is changed. ``given`` are bytes of files, by path, that are
    not read from disk.
    """
    given = given or {}
    files = sorted(project.by_module.values(), key=lambda file: file.path)
    roots = frozenset(file.module.partition(".")[0] for file in files)
    work = partial(_summarised, project.root, roots)
    results = _mapped(work, [(file, given.get(file.path)) for file in files], jobs)
    errors = [*project.errors]
    found: list[FileImports] = []
    for result in results:
        if isinstance(result, Problem):
            errors.append(result)
        else:
            found.append(result)
    errors.sort(key=lambda error: (error.file, error.line))
    return Sources(tuple(found), tuple(errors), roots, tuple(_doubles(project)))


def _doubles(project: Project) -> list[Problem]:
    by_module: defaultdict[str, list[SourceFile]] = defaultdict(list)
    for file in project.files:
        by_module[file.module].append(file)
    found = []
    for module, files in by_module.items():
        if len(files) > 1:
            paths = ", ".join(file.path for file in files)
            message = f"several files are the module {module!r}: {paths}; none changed"
            found.append(Problem(files[0].path, 0, message))
    return found


def doubled_modules(project: Project) -> frozenset[str]:
    """Names that more than one file has."""
    seen: set[str] = set()
    doubled: set[str] = set()
    for file in project.files:
        (doubled if file.module in seen else seen).add(file.module)
    return frozenset(doubled)


def _mapped(
    work: partial[FileImports | Problem],
    files: Sequence[tuple[SourceFile, bytes | None]],
    jobs: int,
) -> list[FileImports | Problem]:
    if jobs > 1 and len(files) >= _WORTH_A_POOL:
        context = multiprocessing.get_context()
        with ProcessPoolExecutor(jobs, mp_context=context) as pool:
            return list(pool.map(work, files, chunksize=16))
    return [work(file) for file in files]


def _summarised(
    root: Path, roots: Collection[str], given: tuple[SourceFile, bytes | None]
) -> FileImports | Problem:
    file, data = given
    text = read_text(root, file.path) if data is None else decode(data, file.path)
    if isinstance(text, Problem):
        return text
    return summary_of(text.text, file, roots)


def summary_of(
    text: str, file: SourceFile, roots: Collection[str]
) -> FileImports | Problem:
    """The summary of one file's text, or why Python cannot parse it."""
    collecting = gc.isenabled()
    gc.disable()  # trees of small objects make it run all the time for nothing
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return summarise(text, file.path, file.module, file.is_package, roots)
    except (SyntaxError, ValueError) as error:
        line = getattr(error, "lineno", None) or 0
        message = f"Python {sys.version_info[0]}.{sys.version_info[1]} cannot parse it"
        return Problem(file.path, line, f"{message}: {error}")
    except RecursionError:
        return Problem(file.path, 0, "an expression in it is nested too deeply")
    finally:
        if collecting:
            gc.enable()
