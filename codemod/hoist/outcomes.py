"""What a simulated process does, and what comes of it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final

FRAMES_LIMIT: Final = 900
"""Python frames an import may need: the default recursion limit of 1,000, less what
the importing program itself stands on."""
MODULE_FRAMES: Final = 7
"""Frames between a module's code and that of a module it imports, up to 3.11 (6 after
that): importlib's own functions."""
FROMLIST_FRAMES: Final = 3
"""Frames more when the import comes from ``from package import submodule``."""


STALE: Final = "StaleName"
"""The kind of a failure that is no exception: the import takes a value that is not the
last one its module binds."""


class World(Enum):
    """How everything turns out that the source leaves open.

    ``YES``: each unknown condition holds, and what may be missing is there. ``NO``:
    none holds, loops do not run, and what is imported in a ``try`` is missing.
    ``BOTH``: the branches run one after the other, handlers of ImportError too.
    """

    YES = "yes"
    NO = "no"
    BOTH = "both"


@dataclass(frozen=True, slots=True)
class Frame:
    """One step of a chain of imports: ``module`` reached ``target`` at ``line``.

    ``unit`` is the index of the hoist the import came from, or None for one that is
    in the source. ``call`` is true when ``target`` is a function that is called.
    """

    module: str
    line: int
    target: str
    unit: int | None = None
    call: bool = False


class Failure(Exception):  # noqa: N818 - the failure of a simulated program
    """An exception that importing would raise, and the chain of imports to it.

    ``kind`` is the name of the exception's class. ``origin`` is the module that was
    asked for a name it does not have, if that is what failed, and ``name`` that name.
    ``expected`` is true for one that only this world brings (a third-party package that
    is missing).
    """

    def __init__(
        self,
        kind: str,
        message: str,
        chain: tuple[Frame, ...],
        origin: str = "",
        expected: bool = False,
        name: str = "",
    ) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message
        self.chain = chain
        self.origin = origin
        self.expected = expected
        self.name = name

    def key(self) -> tuple[str, str, str]:
        """What makes two failures the same one, wherever the lines are."""
        return (self.kind, self.message, self.chain[-1].module if self.chain else "")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of importing ``entry`` first in a process.

    ``caught`` are failures that some handler in the code swallowed. ``loaded`` are the
    modules of the project that ran, in order; ``units`` the hoists that took part.
    """

    entry: str
    failure: Failure | None
    caught: tuple[Failure, ...]
    loaded: tuple[str, ...]
