"""Evidence of every file of a project, by as many processes as there are cores."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import as_completed

from codemod.index.build import Progress, read_sources
from codemod.index.pool import default_jobs, worker_pool
from codemod.index.source import Source
from codemod.project import Project, Text
from codemod.project.text import decode
from codemod.starter.evidence import Evidence, evidence_of

#: Files in one task, and the least number of files for which a pool pays.
_BATCH = 40
_POOL_FILES = 150


def survey(
    project: Project, jobs: int | None = None, progress: Progress | None = None
) -> tuple[Evidence, ...]:
    """The evidence of each file, in order of module; a broken file's is empty."""
    sources, _ = read_sources(project.root, project.files, {})
    found: list[Evidence] = []
    for batch in _batches(sources, jobs or default_jobs()):
        found += batch
        if progress is not None:
            progress(len(found), len(sources))
    return tuple(sorted(found, key=lambda evidence: evidence.module))


def _batches(sources: Sequence[Source], jobs: int) -> Iterator[list[Evidence]]:
    batches = [sources[n : n + _BATCH] for n in range(0, len(sources), _BATCH)]
    if jobs <= 1 or len(sources) < _POOL_FILES:
        yield from map(evidence_batch, batches)
        return
    with worker_pool(jobs) as pool:
        for future in as_completed([pool.submit(evidence_batch, b) for b in batches]):
            yield future.result()


def evidence_batch(batch: Sequence[Source]) -> list[Evidence]:
    """The evidence of some files; a worker's task."""
    found = []
    for source in batch:
        text = decode(source.data, source.file.path)
        if isinstance(text, Text):
            file = source.file
            found.append(evidence_of(text.text, file.module, file.is_package))
        else:
            found.append(Evidence(source.file.module))
    return found
