"""Spread the texts of a batch over the workers."""

from __future__ import annotations


def place(position: int) -> int:
    """The index of the worker for a position in a batch."""
    from quern.runtime_context import get_args, get_parallel

    stride = get_args().shard_stride
    return position * stride % get_parallel().workers
