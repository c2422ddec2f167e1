"""What the machine can do, asked once and answered from one object."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Platform:
    """The facts the service chooses its kernels by."""

    is_fast: bool
    has_wide_lanes: bool
    generation: int


def _detect() -> Platform:
    generation = int(os.environ.get("QUERN_GENERATION", "2"))
    return Platform(
        is_fast=generation >= 2, has_wide_lanes=generation >= 3, generation=generation
    )


_platform = _detect()


def get_platform() -> Platform:
    """The facts about this machine."""
    return _platform


@contextmanager
def override_platform(**facts: bool | int) -> Iterator[Platform]:
    """Pretend to be on another machine for a while."""
    global _platform
    before = _platform
    _platform = replace(before, **facts)
    try:
        yield _platform
    finally:
        _platform = before


# The questions one by one, as older modules ask them.


def is_fast_device() -> bool:
    return get_platform().is_fast


def has_wide_lanes() -> bool:
    return get_platform().has_wide_lanes


def device_generation() -> int:
    return get_platform().generation
