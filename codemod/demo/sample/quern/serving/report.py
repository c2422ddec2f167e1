"""What the program prints."""

from __future__ import annotations

import zlib
from dataclasses import asdict

from quern.compute.devices import qualified_name, spare
from quern.runtime_context import get_args, get_parallel
from quern.schedule import Scheduler
from quern.schedule.policy import full_share, policy_name
from quern.serving.engine import Answer


def banner() -> str:
    """Who is there, as the command line asked for it."""
    level = get_args().log_level  # nsroute: keep[banner] shows what was asked for
    source = get_args().config_path or "command line"
    return f"{get_args().served_name} ({source}, log level {level})"


def fingerprint(service_args: object) -> str:
    """A short word for a whole set of arguments."""
    return f"{zlib.crc32(repr(service_args).encode()):08x}"


def arguments() -> list[str]:
    """The arguments the process was given, for a bug report."""
    named = {name: getattr(get_args(), name) for name in ("kernel", "weighting")}
    known = hasattr(get_args(), "drain_after")
    return [
        f"arguments {fingerprint(get_args())}, {len(asdict(get_args()))} fields",
        f"set {len(vars(get_args()))}, {named}, drains: {known}",
    ]


def shape(scheduler: Scheduler) -> list[str]:
    """How the service is laid out right now."""
    dense = get_args().uses_dense_kernel
    config, live = get_args(), get_parallel().workers
    return [
        f"workers {get_args().workers} configured, {live} live",
        f"{'dense' if get_args().uses_dense_kernel() else 'sparse'} kernel"
        f" ({dense()}), blocks of {config.kernel_block}",
        f"policy {policy_name()}, {get_args().tokens_per_worker} tokens a worker"
        f" of {full_share()}",
        f"batches up to {scheduler.service_args.max_batch_size} texts,"
        f" {get_args().batches_for(200)} for 200 tokens",
        f"first device {qualified_name(0)}, spare {qualified_name(spare(9).index)}",
    ]


def digest(answers: list[Answer]) -> str:
    """A short word for the answers, equal when all digits are equal."""
    import json

    text = json.dumps([[answer.name, answer.vector] for answer in answers])
    return f"{zlib.crc32(text.encode()):08x}"
