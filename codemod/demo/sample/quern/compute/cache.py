"""Vectors that were computed before."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING

from quern.runtime_context import get_args

if TYPE_CHECKING:
    from quern.config import ServiceArgs

Vector = tuple[float, ...]
Key = tuple[str, ...]


class VectorCache:
    """Keeps the vectors that came last; ``cache_entries`` may change at any time."""

    def __init__(self) -> None:
        self._config = get_args()
        self._vectors: dict[Key, Vector] = {}
        self.hits = 0

    def __len__(self) -> int:
        return len(self._vectors)

    def get(self, key: Key) -> Vector | None:
        """The vector for a key, if it is still here."""
        vector = self._vectors.get(key)
        if vector is not None:
            self.hits += 1
            self._touch(key)
        return vector

    def put(self, key: Key, vector: Vector) -> None:
        """Keep a vector, and drop the oldest beyond the limit."""
        self._vectors[key] = vector
        while len(self._vectors) > self._config.cache_entries:
            del self._vectors[next(iter(self._vectors))]

    def _touch(self, key: Key) -> None:
        """Called when a key was asked for and is here."""


class LruCache(VectorCache):
    """Drops the vector that nobody has asked for the longest."""

    def _touch(self, key: Key) -> None:
        self._vectors[key] = self._vectors.pop(key)

    def room(self) -> int:
        """How many vectors fit before the first one is dropped."""
        return self._config.cache_entries - len(self)


def make_cache(service_args: ServiceArgs) -> VectorCache:
    """The cache that the configuration asks for."""
    policy = getattr(get_args(), "cache_policy")
    kinds: dict[str, Callable[[], VectorCache]] = {
        "lru": LruCache,
        "fifo": VectorCache,
    }
    return kinds[policy]()


def remember(function: Callable[[str], list[str]]) -> Callable[[str], list[str]]:
    """Keep as many results of a function as the cache keeps vectors."""

    @lru_cache(maxsize=get_args().cache_entries)
    def remembered(text: str) -> list[str]:
        return function(text)

    return remembered
