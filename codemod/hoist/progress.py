"""How a long search says where it is."""

from __future__ import annotations

from typing import Protocol


class Progress(Protocol):
    """Called with what is being done, and how much of how much, where that is known."""

    def __call__(self, text: str, done: int = 0, total: int = 0) -> None:
        """Take note; ``total`` is 0 for work whose length nobody knows."""


def silent(text: str, done: int = 0, total: int = 0) -> None:
    """Say nothing."""
