"""A text on its way through the service."""

from __future__ import annotations

from dataclasses import dataclass

from quern.compute.cache import Vector


@dataclass
class Request:
    """One text of one engine; ``vector`` is there once it has run."""

    number: int
    engine: str
    words: tuple[str, ...]
    preview: bool
    arrived: int
    vector: Vector | None = None
    worker: str = ""
    waited: int = 0
