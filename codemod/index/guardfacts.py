"""The guards' facts of all files: from their own cache, or made where they are missing.

A file is looked at only when it mentions a word that the guards watch.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any

from codemod.analysis.guard_facts import GuardFacts, Watched
from codemod.index.build import POOL_BYTES, WORKER_DIED, batches
from codemod.index.index import Index
from codemod.index.pool import default_jobs, each_alone, worker_pool
from codemod.index.source import Source
from codemod.index.store import FOLDER, FactStore, analysis_digest, digest
from codemod.index.summary import Task, encoded_guards, watched_words
from codemod.model import Problem
from codemod.project.text import decode as decode_text

STORE = "guards"

#: What is kept of a file without facts.
NOTHING = b""


@dataclass(frozen=True)
class FileGuards:
    """One file that mentions a watched word, with its facts."""

    source: Source
    facts: GuardFacts


@dataclass(frozen=True)
class GuardIndex:
    """The files that mention a watched word, in order of path, and what went wrong.

    ``made`` counts the files whose facts were not in the cache.
    """

    files: tuple[FileGuards, ...]
    problems: tuple[Problem, ...]
    made: int


def build_guard_index(
    index: Index, watched: Watched, jobs: int | None = None, cache: bool = True
) -> GuardIndex:
    """The guards' facts of every file of a project that has some."""
    store = FactStore(index.project.root / FOLDER if cache else None, STORE)
    base = digest(analysis_digest(), watched.key().encode())
    encoded: dict[str, bytes] = {}
    todo: list[Task] = []
    keys: dict[str, bytes] = {}
    made = 0
    for path in sorted(index.sources):
        source = index.sources[path]
        close = path in index.close
        key = digest(base, source.identity, b"c" if close else b"f")
        known = index.guards.get((path, close))
        if known is not None:
            made += bool(known)
        elif (known := store.get(key)) is None:
            if watched.all_imports or watched_words(source.data, close, watched):
                keys[path] = key
                todo.append(Task(source, close))
                continue
            known = NOTHING
        store.put(key, known)
        encoded[path] = known
    problems: list[Problem] = []
    for path, data in _made(todo, watched, jobs or default_jobs(), problems):
        encoded[path] = data
        store.put(keys[path], data)
    store.save()
    files: list[FileGuards] = []
    for path in sorted(encoded):
        if encoded[path] == NOTHING:
            continue
        facts = _decode(encoded[path])
        if facts.problem is not None and not index.facts(path).problem:
            problems.append(Problem(path, *facts.problem))
        files.append(FileGuards(index.sources[path], facts))
    return GuardIndex(tuple(files), tuple(problems), made + len(todo))


def _made(
    todo: list[Task], watched: Watched, jobs: int, problems: list[Problem]
) -> Iterator[tuple[str, bytes]]:
    if jobs <= 1 or sum(len(task.source.data) for task in todo) < POOL_BYTES:
        yield from guard_batch(todo, watched)
        return
    lost: list[Task] = []
    with worker_pool(jobs) as pool:
        tasks = [
            (batch, pool.submit(guard_batch, batch, watched)) for batch in batches(todo)
        ]
        for batch, future in tasks:
            try:
                yield from future.result()
            except BrokenProcessPool:
                lost += batch
    for task, found in each_alone(lost, partial(_guards_of, watched=watched)):
        if found is None:
            problems.append(Problem(task.source.file.path, 1, WORKER_DIED))
        else:
            yield found


def guard_batch(batch: Sequence[Task], watched: Watched) -> list[tuple[str, bytes]]:
    """Encoded facts of each file of a batch; none of what is no text."""
    return [_guards_of(task, watched) for task in batch]


def _guards_of(task: Task, watched: Watched) -> tuple[str, bytes]:
    path = task.source.file.path
    text = decode_text(task.source.data, path)
    if isinstance(text, Problem):
        return path, NOTHING  # the scan has said what is wrong with it
    words = watched_words(task.source.data, task.close, watched)
    return path, encoded_guards(task.source.file, text.text, watched.among(words))


@lru_cache(maxsize=1)
def _decoder() -> Any:
    import msgspec

    return msgspec.msgpack.Decoder(GuardFacts)


def _decode(data: bytes) -> GuardFacts:
    facts: GuardFacts = _decoder().decode(data)
    return facts
