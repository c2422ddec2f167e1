"""The order imported names stand in, and where a new one goes in it.

The orders are those that isort and ruff can be told to keep: constants, classes and
functions apart (their default), letters without regard to case, and plain. Each comes
with numbers compared as numbers (``x2`` before ``x10``) and as digits.
"""

from __future__ import annotations

import itertools
import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from typing import Any

Key = Callable[[str], Any]

_DIGITS = re.compile(r"(\d+)")


def insertion_index(names: Sequence[str], new: str) -> int:
    """Return where ``new`` goes among ``names``: at the end when they have no order.

    >>> insertion_index(["MAX", "Config", "run"], "Agent")
    1
    >>> insertion_index(["b", "a"], "a")
    2
    """
    for key in ORDERS:
        keys = [key(name) for name in names]
        if all(first <= second for first, second in itertools.pairwise(keys)):
            return bisect_right(keys, key(new))
    return len(names)


def _natural(name: str) -> list[str | int]:
    # Words and numbers take turns, so only like is compared with like.
    return [int(part) if part.isdecimal() else part for part in _DIGITS.split(name)]


def _by_type(name: str) -> tuple[bool, bool]:
    """Return isort's ``order_by_type``: constants, then classes, then the rest."""
    is_constant = name.isupper() and len(name) > 1
    return not is_constant, not name[:1].isupper()


#: Orders by how common they are; the first that the names are in is taken.
ORDERS: tuple[Key, ...] = (
    lambda name: (_by_type(name), _natural(name.lower())),
    lambda name: (_by_type(name), name.lower()),
    lambda name: _natural(name.lower()),
    lambda name: name.lower(),
    lambda name: (_by_type(name), name),
    _natural,
    lambda name: name,
)
