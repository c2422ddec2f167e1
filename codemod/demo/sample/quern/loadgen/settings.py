"""The load generator's own arguments; they have nothing to do with the service's."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class LoadArgs:
    """How many texts, how long, and how varied."""

    texts: int = 24
    longest: int = 9
    seed: int = 3


_args = LoadArgs()


def get_args() -> LoadArgs:
    """The arguments of this load."""
    return _args
