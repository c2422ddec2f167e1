"""Facts of every file of a project: from the cache, or from worker processes.

``summarise_batch`` is pure and picklable, mapped over batches of files by a
``concurrent.futures.Executor``: a process pool here, any other executor elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from codemod.analysis.facts import FileFacts
from codemod.analysis.summarise import summarise
from codemod.analysis.vocabulary import Vocabulary
from codemod.index.limits import too_large
from codemod.index.pool import each_alone, worker_pool
from codemod.index.source import Source
from codemod.index.store import (
    FactStore,
    analysis_digest,
    decode,
    digest,
    encode,
    has_problem,
)
from codemod.index.summary import (
    Job,
    Summary,
    Task,
    share,
    shared_batch,
    summarise_batch,
    summary,
)
from codemod.model import Problem
from codemod.project import SourceFile
from codemod.project.text import decode as decode_text

#: Bytes of source in one task: small enough to spread, large enough to be worth a trip.
_BATCH_BYTES = 600_000
#: Below this many bytes a process pool costs more than it saves.
POOL_BYTES = 1_500_000

#: What is said of a file that a worker did not survive.
WORKER_DIED = "a worker process died while it analysed this file"

#: Characters of source whose trees the workers, all together, need not free.
_HELD_CHARACTERS = 12_000_000

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Built:
    """Encoded facts by path, with how they were come by.

    ``close`` are the files that mention a word, ``parsed`` those that were not in the
    store. ``guards`` are the guards' facts of those that were parsed, if asked for, by
    path and whether the file was taken for close.
    ``problems`` are files that made a worker die; what does not parse has facts that
    say so.
    """

    encoded: dict[str, bytes]
    close: frozenset[str]
    parsed: frozenset[str]
    problems: tuple[Problem, ...]
    guards: dict[tuple[str, bool], bytes] = field(default_factory=dict)


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
            path = root / file.path
            large = too_large(path.stat().st_size)
            if large is None:
                found.append(Source(file, path.read_bytes()))
            else:
                problems.append(Problem(file.path, 1, large))
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
    job: Job,
    store: FactStore,
    jobs: int,
    progress: Progress | None = None,
    meanwhile: Callable[[], None] | None = None,
) -> Built:
    """Facts of every source, from the store or newly made.

    ``meanwhile`` is called once, while the workers are at it if there are any.
    """
    keys = _Keys(job.vocabulary)
    built = Built({}, frozenset(), frozenset(), ())
    near: list[str] = []
    todo: list[Task] = []
    for source in sources:
        close = job.vocabulary.may_mention(source.data)
        if close:
            near.append(source.file.path)
        known = store.get(keys.of(source, close))
        if known is None and job.watched is not None and not close:
            known = store.get(keys.of_tree(source))
        if known is None:
            todo.append(Task(source, close))
        else:
            built.encoded[source.file.path] = known
    problems: list[Problem] = []
    tasks = {task.source.file.path: task for task in todo}
    for made in _summaries(todo, job, jobs, progress, problems, meanwhile or _nothing):
        task = tasks[made.path]
        source = task.source
        key = keys.of_tree(source) if made.tree else keys.of(source, task.close)
        # What a file costs too much for today, it may not tomorrow.
        if not has_problem(made.facts):
            store.put(key, made.facts)
        built.encoded[made.path] = made.facts
        if made.guards is not None:
            built.guards[made.path, task.close] = made.guards
    return Built(
        built.encoded, frozenset(near), frozenset(tasks), tuple(problems), built.guards
    )


class _Keys:
    """What facts are kept by in the store."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._near = digest(analysis_digest(), vocabulary.key().encode())
        # A file that mentions no word has the same facts under every vocabulary.
        self._far = analysis_digest()
        self._tree = digest(analysis_digest(), b"tree")

    def of(self, source: Source, close: bool) -> bytes:
        """The key of a file's facts."""
        return digest(self._near if close else self._far, source.identity)

    def of_tree(self, source: Source) -> bytes:
        """The key of what was seen when a file was parsed for the guards only.

        Another one, since it does not say what only a symbol table finds.
        """
        return digest(self._tree, source.identity)


def _nothing() -> None:
    pass


def _summaries(
    todo: list[Task],
    job: Job,
    jobs: int,
    progress: Progress | None,
    problems: list[Problem],
    meanwhile: Callable[[], None],
) -> Iterator[Summary]:
    total = len(todo)
    size = sum(len(task.source.data) for task in todo)
    if jobs <= 1 or size < POOL_BYTES:
        meanwhile()
        for number, task in enumerate(todo, 1):
            yield summary(task, job)
            if progress is not None:
                progress(number, total)
        return
    done = 0
    for batch, result in _pooled(todo, job, jobs, problems, meanwhile):
        yield from result
        done += batch
        if progress is not None:
            progress(done, total)


def _pooled(
    todo: list[Task],
    job: Job,
    jobs: int,
    problems: list[Problem],
    meanwhile: Callable[[], None],
) -> Iterator[tuple[int, list[Summary]]]:
    parts = batches(todo)
    lost: list[int] = []
    hold = _HELD_CHARACTERS // jobs
    with worker_pool(jobs, share, (parts, job, hold)) as pool:
        futures = {pool.submit(shared_batch, n): n for n in range(len(parts))}
        for future in _completed(futures, meanwhile):
            try:
                yield len(parts[futures[future]]), future.result()
            except BrokenProcessPool:
                lost.append(futures[future])
    tasks = [task for number in sorted(lost) for task in parts[number]]
    for task, found in each_alone(tasks, partial(_one, job=job)):
        if found is None:
            problems.append(Problem(task.source.file.path, 1, WORKER_DIED))
        else:
            yield 1, found


def _one(task: Task, job: Job) -> list[Summary]:
    return summarise_batch([task], job)


def _completed(
    futures: Mapping[Future[list[Summary]], object],
    meanwhile: Callable[[], None],
) -> Iterator[Future[list[Summary]]]:
    try:
        meanwhile()
        yield from as_completed(futures)
    except BaseException:
        for future in futures:
            future.cancel()
        raise


def batches(todo: list[Task]) -> list[list[Task]]:
    """Batches of about equal work, the largest files first, so that none comes last."""
    weighed = sorted(
        todo, key=lambda task: (-len(task.source.data), task.source.file.path)
    )
    found: list[list[Task]] = []
    batch: list[Task] = []
    size = 0
    for task in weighed:
        batch.append(task)
        size += len(task.source.data)
        if size >= _BATCH_BYTES:
            found.append(batch)
            batch, size = [], 0
    if batch:
        found.append(batch)
    return found


def outer_facts(source: Source, store: FactStore) -> FileFacts:
    """The module-level facts of a file that mentions no word, from store or text."""
    file = source.file
    key = digest(analysis_digest(), b"outer", source.identity)
    known = store.get(key)
    if known is not None:
        return decode(known)
    text = decode_text(source.data, file.path)
    if isinstance(text, Problem):
        return FileFacts()
    facts = summarise(text.text, file.module, file.is_package, Vocabulary(), False)
    store.put(key, encode(facts))
    return facts
