"""Objects of a simulated process: modules, and the local names of code that runs."""

from __future__ import annotations

from typing import Any, Final

from codemod.hoist.ir import TopLevel

MISSING: Final = object()
"""What a lookup gives for a name that is certainly not there."""


class Module:
    """A module object: its namespace, and whether its code has finished."""

    __slots__ = ("done", "inside", "name", "ns", "opaque", "partial_star", "top")

    def __init__(self, name: str, top: TopLevel | None, inside: bool) -> None:
        self.name = name
        self.top = top
        self.ns: dict[str, Any] = {}
        self.done = False
        self.inside = inside
        self.opaque = top is None or top.opaque
        self.partial_star = False

    @property
    def is_package(self) -> bool:
        return self.top is None or self.top.is_package


class ClassNames(dict[str, Any]):
    """The namespace of a class body; ``outer`` is that of the function around it."""

    def __init__(self, outer: dict[str, Any]) -> None:
        super().__init__()
        self.outer = outer


class Parameters(dict[str, Any]):
    """Local names of a function whose one argument is a known string."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text
