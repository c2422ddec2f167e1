"""The guards' facts of all files: from their own cache, or made where they are missing.

A file is looked at only when it mentions a word that the guards watch.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from codemod.analysis.guard_facts import GuardFacts, Watched
from codemod.analysis.guarding import guard_facts
from codemod.index.build import Source, default_jobs, worker_pool
from codemod.index.index import Index
from codemod.index.store import FOLDER, FactStore, analysis_digest, digest
from codemod.model import Problem
from codemod.project.text import decode as decode_text

STORE = "guards"

#: Bytes of source in one task, and below which a pool costs more than it saves.
_BATCH_BYTES = 600_000
_POOL_BYTES = 1_500_000

_Item = tuple[str, str, bool, str]


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
    words = tuple(sorted(word.encode() for word in watched.words))
    methods = tuple(sorted(f".{method}".encode() for method in watched.methods))
    base = digest(analysis_digest(), watched.key().encode())
    wanted: list[tuple[Source, bytes]] = []
    for path in sorted(index.sources):
        source = index.sources[path]
        wanted_words = (*words, *methods) if path in index.close else words
        if watched.all_imports or any(word in source.data for word in wanted_words):
            wanted.append((source, _key(base, source)))
    encoded: dict[str, bytes] = {}
    todo: list[_Item] = []
    keys: dict[str, bytes] = {}
    for source, key in wanted:
        known = store.get(key)
        if known is not None:
            encoded[source.file.path] = known
            continue
        text = decode_text(source.data, source.file.path)
        if not isinstance(text, Problem):  # else the scan has said so
            file = source.file
            keys[file.path] = key
            todo.append((file.path, file.module, file.is_package, text.text))
    problems: list[Problem] = []
    for path, data in _made(todo, watched, jobs or default_jobs(), problems):
        encoded[path] = data
        store.put(keys[path], data)
    store.save()
    files: list[FileGuards] = []
    for source, _ in wanted:
        path = source.file.path
        if path not in encoded:
            continue
        facts = _decode(encoded[path])
        if facts.problem is not None and not index.facts(path).problem:
            problems.append(Problem(path, *facts.problem))
        files.append(FileGuards(source, facts))
    return GuardIndex(tuple(files), tuple(problems), len(todo))


def _key(base: bytes, source: Source) -> bytes:
    file = source.file
    name = file.module.encode("utf-8", "surrogatepass")
    return digest(base, source.data, name, b"p" if file.is_package else b"m")


def _made(
    todo: list[_Item], watched: Watched, jobs: int, problems: list[Problem]
) -> Iterator[tuple[str, bytes]]:
    if jobs <= 1 or sum(len(item[3]) for item in todo) < _POOL_BYTES:
        yield from guard_batch(todo, watched)
        return
    lost: list[_Item] = []
    with worker_pool(jobs) as pool:
        tasks = [
            (batch, pool.submit(guard_batch, batch, watched))
            for batch in _batches(todo)
        ]
        for batch, future in tasks:
            try:
                yield from future.result()
            except BrokenProcessPool:
                lost += batch
    for item in lost:  # each alone, to find the one that kills its worker
        with worker_pool(1) as single:
            try:
                yield from single.submit(guard_batch, [item], watched).result()
            except BrokenProcessPool:
                message = "a worker process died while it analysed this file"
                problems.append(Problem(item[0], 1, message))


def _batches(todo: list[_Item]) -> Iterator[list[_Item]]:
    batch: list[_Item] = []
    size = 0
    for item in sorted(todo, key=lambda item: (-len(item[3]), item[0])):
        batch.append(item)
        size += len(item[3])
        if size >= _BATCH_BYTES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def guard_batch(batch: Sequence[_Item], watched: Watched) -> list[tuple[str, bytes]]:
    """Encoded facts of each file of a batch."""
    import msgspec

    return [
        (
            path,
            msgspec.msgpack.encode(guard_facts(text, module, is_package, watched)),
        )
        for path, module, is_package, text in batch
    ]


@lru_cache(maxsize=1)
def _decoder() -> Any:
    import msgspec

    return msgspec.msgpack.Decoder(GuardFacts)


def _decode(data: bytes) -> GuardFacts:
    facts: GuardFacts = _decoder().decode(data)
    return facts
