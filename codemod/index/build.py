"""Facts of every file of a project: from the cache, or from worker processes.

``summarise_batch`` is pure and picklable, mapped over batches of files by a
``concurrent.futures.Executor``: a process pool here, any other executor elsewhere.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from pathlib import Path

from codemod.analysis.facts import FileFacts
from codemod.analysis.parsing import hold_trees
from codemod.analysis.summarise import check_syntax, summarise
from codemod.analysis.vocabulary import Vocabulary
from codemod.index.store import (
    FactStore,
    analysis_digest,
    decode,
    digest,
    encode,
)
from codemod.model import Problem
from codemod.project import SourceFile
from codemod.project.text import decode as decode_text

#: Bytes of source in one task: small enough to spread, large enough to be worth a trip.
_BATCH_BYTES = 600_000
#: Below this many bytes a process pool costs more than it saves.
_POOL_BYTES = 1_500_000

#: Characters of source whose trees the workers, all together, need not free.
_HELD_CHARACTERS = 12_000_000

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Source:
    """A file with its bytes as they were read once, for the whole run."""

    file: SourceFile
    data: bytes


@dataclass(frozen=True, slots=True)
class Built:
    """Encoded facts by path, with how they were come by.

    ``close`` are the files that mention a word, ``parsed`` those that were not in the
    store. ``problems`` are files that made a worker die; what does not parse has facts
    that say so.
    """

    encoded: dict[str, bytes]
    close: frozenset[str]
    parsed: frozenset[str]
    problems: tuple[Problem, ...]


def read_sources(
    root: Path, files: Sequence[SourceFile], overlay: Mapping[str, bytes]
) -> tuple[list[Source], list[Problem]]:
    """Read every file once; those that cannot be read are problems.

    ``overlay`` has the bytes that some files are to be taken to have, by path.
    """
    found: list[Source] = []
    problems: list[Problem] = []
    for file in files:
        if (changed := overlay.get(file.path)) is not None:
            found.append(Source(file, changed))
            continue
        try:
            found.append(Source(file, (root / file.path).read_bytes()))
        except FileNotFoundError:
            problems.append(
                Problem(file.path, 1, "the file is gone: it was there when listed")
            )
        except OSError as error:
            reason = error.strerror or str(error)
            problems.append(Problem(file.path, 1, f"cannot be read: {reason}"))
    return found, problems


def build_facts(
    sources: Sequence[Source],
    vocabulary: Vocabulary,
    store: FactStore,
    jobs: int,
    progress: Progress | None = None,
    meanwhile: Callable[[], None] | None = None,
) -> Built:
    """Facts of every source, from the store or newly made.

    ``meanwhile`` is called once, while the workers are at it if there are any.
    """
    base = digest(analysis_digest(), vocabulary.key().encode())
    encoded: dict[str, bytes] = {}
    near: list[str] = []
    missing: list[tuple[Source, bytes, bool]] = []
    for source in sources:
        file = source.file
        close = vocabulary.may_mention(source.data)
        if close:
            near.append(file.path)
        # A file that mentions no word has the same facts under every vocabulary.
        key = digest(base if close else analysis_digest(), *_identity(source))
        known = store.get(key)
        if known is None:
            missing.append((source, key, close))
        else:
            encoded[file.path] = known
    problems: list[Problem] = []
    keys = {source.file.path: key for source, key, _ in missing}
    todo = [(source, close) for source, _, close in missing]
    for path, data in _summaries(
        todo, vocabulary, jobs, progress, problems, meanwhile or _nothing
    ):
        encoded[path] = data
        store.put(keys[path], data)
    return Built(encoded, frozenset(near), frozenset(keys), tuple(problems))


def _nothing() -> None:
    pass


def _summaries(
    todo: list[tuple[Source, bool]],
    vocabulary: Vocabulary,
    jobs: int,
    progress: Progress | None,
    problems: list[Problem],
    meanwhile: Callable[[], None],
) -> Iterator[tuple[str, bytes]]:
    total = len(todo)
    size = sum(len(source.data) for source, _ in todo)
    if jobs <= 1 or size < _POOL_BYTES:
        meanwhile()
        for number, (source, close) in enumerate(todo, 1):
            yield source.file.path, _summary(source, close, vocabulary)
            if progress is not None:
                progress(number, total)
        return
    done = 0
    for batch, result in _pooled(todo, vocabulary, jobs, problems, meanwhile):
        yield from result
        done += batch
        if progress is not None:
            progress(done, total)


def _pooled(
    todo: list[tuple[Source, bool]],
    vocabulary: Vocabulary,
    jobs: int,
    problems: list[Problem],
    meanwhile: Callable[[], None],
) -> Iterator[tuple[int, list[tuple[str, bytes]]]]:
    batches = _batches(todo)
    lost: list[int] = []
    hold = _HELD_CHARACTERS // jobs
    with worker_pool(jobs, _share, (batches, vocabulary, hold)) as pool:
        futures = {pool.submit(_shared_batch, n): n for n in range(len(batches))}
        for future in _completed(futures, meanwhile):
            try:
                yield len(batches[futures[future]]), future.result()
            except BrokenProcessPool:
                lost.append(futures[future])
    # A worker died, killed or out of memory: each file alone, to find which one did it.
    for item in (item for number in sorted(lost) for item in batches[number]):
        with worker_pool(1) as single:
            try:
                yield 1, single.submit(summarise_batch, [item], vocabulary).result()
            except BrokenProcessPool:
                message = "a worker process died while it analysed this file"
                problems.append(Problem(item[0].file.path, 1, message))


#: What a worker was given when it started. A forked one has it without a copy, where
#: sending the text of a whole project with the tasks costs both sides.
_shared: tuple[list[list[tuple[Source, bool]]], Vocabulary] | None = None


def _share(
    batches: list[list[tuple[Source, bool]]], vocabulary: Vocabulary, hold: int
) -> None:
    global _shared
    _shared = batches, vocabulary
    hold_trees(hold)


def _shared_batch(number: int) -> list[tuple[str, bytes]]:
    assert _shared is not None
    batches, vocabulary = _shared
    return summarise_batch(batches[number], vocabulary)


def _completed(
    futures: Mapping[Future[list[tuple[str, bytes]]], object],
    meanwhile: Callable[[], None],
) -> Iterator[Future[list[tuple[str, bytes]]]]:
    try:
        meanwhile()
        yield from as_completed(futures)
    except BaseException:
        for future in futures:
            future.cancel()
        raise


def _batches(todo: list[tuple[Source, bool]]) -> list[list[tuple[Source, bool]]]:
    """Batches of about equal work, the largest files first, so that none comes last."""
    weighed = sorted(todo, key=lambda item: (-len(item[0].data), item[0].file.path))
    batches: list[list[tuple[Source, bool]]] = []
    batch: list[tuple[Source, bool]] = []
    size = 0
    for item in weighed:
        batch.append(item)
        size += len(item[0].data)
        if size >= _BATCH_BYTES:
            batches.append(batch)
            batch, size = [], 0
    if batch:
        batches.append(batch)
    return batches


def worker_pool(
    jobs: int,
    initializer: Callable[..., None] | None = None,
    arguments: tuple[object, ...] = (),
) -> Executor:
    """A pool of ``jobs`` processes that leave interrupts to the parent.

    Each calls ``initializer`` with ``arguments`` when it starts.
    """
    # Forked workers share what is loaded; where fork is unsafe, start afresh.
    method = "fork" if sys.platform.startswith("linux") else "spawn"
    context = multiprocessing.get_context(method)
    return ProcessPoolExecutor(
        jobs,
        mp_context=context,
        initializer=_start_worker,
        initargs=(initializer, arguments),
    )


def _start_worker(
    initializer: Callable[..., None] | None, arguments: tuple[object, ...]
) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    quiet_collector()
    if initializer is not None:
        initializer(*arguments)


def quiet_collector() -> None:
    """Stop the cycle collector: syntax trees have no cycles and are many objects."""
    gc.disable()
    gc.freeze()


def default_jobs() -> int:
    """The cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def summarise_batch(
    batch: list[tuple[Source, bool]], vocabulary: Vocabulary
) -> list[tuple[str, bytes]]:
    """Encoded facts of each file of a batch."""
    return [
        (source.file.path, _summary(source, close, vocabulary))
        for source, close in batch
    ]


def _summary(source: Source, close: bool, vocabulary: Vocabulary) -> bytes:
    file = source.file
    text = decode_text(source.data, file.path)
    if isinstance(text, Problem):
        return encode(FileFacts(problem=(max(text.line, 1), text.message)))
    if not close:
        return encode(check_syntax(text.text))
    return encode(summarise(text.text, file.module, file.is_package, vocabulary, True))


def outer_facts(source: Source, store: FactStore) -> FileFacts:
    """The module-level facts of a file that mentions no word, from store or text."""
    file = source.file
    key = digest(analysis_digest(), b"outer", *_identity(source))
    known = store.get(key)
    if known is not None:
        return decode(known)
    text = decode_text(source.data, file.path)
    if isinstance(text, Problem):
        return FileFacts()
    facts = summarise(text.text, file.module, file.is_package, Vocabulary(), False)
    store.put(key, encode(facts))
    return facts


def _identity(source: Source) -> tuple[bytes, bytes, bytes]:
    """What the facts of a file depend on besides nsroute itself and the pack."""
    file = source.file
    name = file.module.encode("utf-8", "surrogatepass")
    return source.data, name, b"p" if file.is_package else b"m"
