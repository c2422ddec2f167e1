"""The one source of choices, on top of a hypothesis draw function."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from hypothesis import strategies as st

T = TypeVar("T")


class Draw:
    """Small choices. Each shrinks towards its first option."""

    def __init__(self, draw: Callable[[Any], Any]) -> None:
        self._draw = draw

    def upto(self, most: int) -> int:
        """A number from 0 to ``most``."""
        return self._draw(st.integers(0, most)) if most else 0

    def between(self, least: int, most: int) -> int:
        """A number from ``least`` to ``most``."""
        return least + self.upto(most - least)

    def pick(self, options: Sequence[T]) -> T:
        """One of the options."""
        return options[self.upto(len(options) - 1)]

    def chance(self, one_in: int) -> bool:
        """True once in so many times; shrinks to False."""
        return self.upto(one_in - 1) == one_in - 1

    def order(self, items: Sequence[T]) -> list[T]:
        """The items in some order."""
        rest = list(items)
        found: list[T] = []
        while rest:
            found.append(rest.pop(self.upto(len(rest) - 1)))
        return found
