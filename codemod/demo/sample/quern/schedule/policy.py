"""In which order requests are taken, and how full a batch may be."""

from __future__ import annotations

from collections.abc import Iterable

from quern.config import ServiceArgs
from quern.runtime_context import get_args
from quern.schedule.request import Request

TRIAL = ServiceArgs(max_batch_tokens=8, schedule_policy="fifo")


def ordered(waiting: Iterable[Request]) -> list[Request]:
    """The requests in the order the policy takes them."""
    sizes = {"shortest": lambda request: len(request.words), "fifo": lambda _: 0}
    return sorted(
        waiting,
        key=lambda request: (
            sizes[get_args().schedule_policy](request),
            request.number,
        ),
    )


def token_budget(trial: bool = False) -> int:
    """How many tokens a batch may hold, or a batch of a trial run."""
    config = get_args()
    if trial:
        config = TRIAL
    return config.max_batch_tokens


def policy_name(service_args: ServiceArgs | None = None) -> str:
    """The policy of these arguments, or of the process."""
    if service_args is None:
        service_args = get_args()
    return service_args.schedule_policy


def full_share(service_args: ServiceArgs | None = None) -> int:
    """The tokens each configured worker gets from a full batch."""
    service_args = service_args or get_args()
    return service_args.max_batch_tokens // service_args.workers


def is_small(request: Request, service_args: ServiceArgs) -> bool:
    """Whether a request takes less than half of what a text may have."""
    return len(request.words) * 2 < service_args.max_tokens
