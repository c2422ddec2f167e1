"""Takes requests in, makes batches, and hands them to the runners."""

from __future__ import annotations

from typing import TYPE_CHECKING

from quern import topology
from quern.common import settings
from quern.compute.cache import make_cache, remember
from quern.compute.runner import Runner
from quern.compute.tokens import fits, split
from quern.runtime_context import get_args
from quern.schedule.policy import is_small, ordered, token_budget
from quern.schedule.request import Request

if TYPE_CHECKING:
    from quern.config import ServiceArgs


class Scheduler:
    """The one queue of the process; time is counted in batches."""

    def __init__(self, service_args: ServiceArgs) -> None:
        self.service_args = service_args
        self.cache = make_cache(service_args)
        self.runners = {
            preview: Runner(service_args, preview) for preview in (False, True)
        }
        self.waiting: list[Request] = []
        self.batches: list[tuple[int, int]] = []
        self.small = 0
        self._split = remember(split)
        self._submitted = 0

    @property
    def now(self) -> int:
        """The number of batches so far."""
        return len(self.batches)

    def submit(self, engine: str, text: str, preview: bool = False) -> Request:
        """Put a text into the queue."""
        words = tuple(self._split(text))
        if not fits(list(words)):
            raise ValueError(f"no batch can hold a text of {len(words)} words")
        request = Request(self._submitted, engine, words, preview, self.now)
        self._submitted += 1
        self.small += is_small(request, self.service_args)
        self.waiting.append(request)
        return request

    def next_batch(self, trial: bool = False) -> list[Request]:
        """Take the next requests off the queue; at least one, if there is one."""
        budget = (
            get_args()  # of the process:
            # all workers together share one batch
            .max_batch_tokens
        )
        budget = min(budget, token_budget(trial))
        batch: list[Request] = []
        for request in ordered(self.waiting):
            tokens = sum(len(taken.words) for taken in batch) + len(request.words)
            if batch and tokens > budget or len(batch) >= settings.max_batch_size:
                break
            batch.append(request)
        self.waiting = [request for request in self.waiting if request not in batch]
        return batch

    def run_batch(self) -> list[Request]:
        """Run the next batch, with what the cache knows left out."""
        batch = self.next_batch()
        for preview, runner in self.runners.items():
            missing = []
            for request in batch:
                if request.preview is preview:
                    request.vector = self.cache.get((runner.label, *request.words))
                    if request.vector is None:
                        missing.append(request)
            vectors = runner.run([request.words for request in missing])
            for request, vector in zip(missing, vectors):
                request.vector = vector
                self.cache.put((runner.label, *request.words), vector)
        for position, request in enumerate(batch):
            request.worker = topology.worker_of(position)
            request.waited = self.now - request.arrived
        self.batches.append((len(batch), sum(len(r.words) for r in batch)))
        return batch

    def run(self) -> list[Request]:
        """Run until nothing waits."""
        done = []
        while self.waiting:
            done += self.run_batch()
        return done

    def worker_lost(self, worker: str) -> None:
        """Go on with one worker less, in smaller batches."""
        topology.lose(worker)
        smaller = max(1, self.service_args.max_batch_size - 2)
        self.service_args.override("worker lost", max_batch_size=smaller)
