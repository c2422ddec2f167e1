"""Tables that are built once, when this module is first imported.

That must be after startup: the tables are as long as the arguments say.
"""

from __future__ import annotations

import math
from functools import lru_cache

from quern.runtime_context import get_args

SCALES = [1 / math.sqrt(count + 1) for count in range(get_args().max_tokens + 1)]


class Bounds:
    """The largest value that a word can add to a vector."""

    value = 1 + math.log(get_args().max_tokens)


@lru_cache(maxsize=get_args().max_tokens)
def scale(count: int, longest: int = get_args().max_tokens) -> float:
    """What the vector of a text with ``count`` words is multiplied by."""
    return SCALES[min(count, longest)]


def share(count: int, config=get_args()) -> float:
    """How much of the longest possible text ``count`` words are, from 0 to 1."""
    return count / config.max_tokens
