"""Two ways to add up hashed words; both give the same vector."""

from __future__ import annotations

import math
import zlib
from collections import Counter
from collections.abc import Callable

from ..hardware import has_wide_lanes
from ..runtime_context import get_args

Kernel = Callable[[list[str]], list[float]]

# Asked once: the width of a lane does not change while the service runs.
LANES = 8 if has_wide_lanes() else 4

_KERNELS: dict[str, Kernel] = {}


def register(name: str) -> Callable[[Kernel], Kernel]:
    """Make a kernel known under a name."""

    def add(kernel: Kernel) -> Kernel:
        _KERNELS[name] = kernel
        return kernel

    return add


def kernel_named(name: str) -> Kernel:
    """The kernel of that name; a LookupError names those there are."""
    try:
        return _KERNELS[name]
    except KeyError:
        known = ", ".join(sorted(_KERNELS))
        raise LookupError(f"no kernel {name!r}, only {known}") from None


def bucket(word: str) -> tuple[int, int]:
    """The position in a vector that a word adds to, and the sign it adds with."""
    digest = zlib.crc32(f"{get_args().seed}/{word}".encode())
    return digest % get_args().dim, -1 if digest & 0x8000 else 1


def weight(count: int) -> float:
    """What a word counts that occurs ``count`` times."""
    match get_args().weighting:
        case "log":
            return 1 + math.log(count)
        case "binary":
            return 1.0
        case "count":
            return float(count)
        case other:
            raise LookupError(f"no weighting {other!r}")


def step() -> int:
    """How many values a kernel takes at once; a wide machine takes whole lanes."""
    block = get_args().kernel_block
    return max(block, LANES) if has_wide_lanes() else block


@register("dense")
def dense(words: list[str]) -> list[float]:
    """Value by value, a block of words at a time."""
    config = get_args()
    counts = sorted(Counter(words).items())

    def add_block(vector: list[float], start: int) -> None:
        for word, count in counts[start : start + step()]:
            position, sign = bucket(word)
            if position < config.dim:
                vector[position] += sign * weight(count)

    total = [0.0] * config.dim
    for start in range(0, len(counts), step()):
        add_block(total, start)
    return total


@register("sparse")
def sparse(words: list[str]) -> list[float]:
    """Only the positions that a word hits."""
    hits: dict[int, float] = {}
    for word, count in sorted(Counter(words).items()):
        position, sign = bucket(word)
        hits[position] = hits.get(position, 0.0) + sign * weight(count)
    return [hits.get(position, 0.0) for position in range(get_args().dim)]
