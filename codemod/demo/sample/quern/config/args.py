"""The arguments of the embedding service."""

from dataclasses import dataclass

from quern.config.base import BaseArgs
from quern.config.meta import NS, A, Help

CACHE = "exec.cache"


@dataclass(kw_only=True)
class ServiceArgs(BaseArgs):
    """Everything the service can be told; one object is published per process.

    An engine may hold an object of its own, and a runner rewrites a few fields on a
    copy of its own.
    """

    # Where the values came from; says nothing about how the service behaves.
    config_path: A[str | None, Help("file the values came from")] = None

    served_name: A[str, Help("name in answers"), NS("serving")] = "quern"
    lowercase: A[bool, Help("fold case first"), NS("serving")] = False
    answer_digits: A[int, Help("digits in answers"), NS("serving")] = 4
    metrics_window: A[int, Help("waits to remember"), NS("serving")] = 32
    slow_after: A[int, Help("ticks until a wait is slow"), NS("serving")] = 6

    dim: A[int, Help("length of a vector"), NS("model")] = 12
    max_tokens: A[int, Help("tokens kept of a text"), NS("model")] = 16
    min_length: A[int, Help("shortest word that counts"), NS("model")] = 2

    kernel: A[str, Help("auto, dense or sparse"), NS("exec.kernel")] = "auto"
    kernel_block: A[int, Help("values summed at once"), NS("exec.kernel")] = 5
    precision: A[int, Help("digits of a vector"), NS("exec.kernel")] = 6
    weighting: A[str, Help("count, log or binary"), NS("exec.kernel")] = "log"
    cache_entries: A[int, Help("vectors to keep"), NS(CACHE)] = 12
    cache_policy: A[str, Help("lru or fifo"), NS(CACHE)] = "lru"

    schedule_policy: A[str, Help("fifo or shortest"), NS("schedule")] = "shortest"
    max_batch_size: A[int, Help("texts in a batch"), NS("schedule")] = 6
    max_batch_tokens: "A[int, Help('tokens in a batch'), NS('schedule')]" = 48

    workers: A[int, Help("workers to start"), NS("parallel")] = 4
    shard_stride: A[int, Help("step between workers"), NS("parallel")] = 3

    @property
    def tokens_per_worker(self) -> int:
        """The share of a full batch that one worker gets."""
        return self.max_batch_tokens // self.workers

    def uses_dense_kernel(self) -> bool:
        """Whether vectors are built value by value."""
        return self.kernel == "dense"

    def batches_for(self, tokens: int) -> int:
        """How many full batches that many tokens make."""
        return -(-tokens // self.max_batch_tokens)
