"""The field → namespace table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from codemod.packs import Accessor

MemberKind = Literal["property", "method"]


@dataclass(frozen=True)
class RouteTable:
    """Where each field of the record goes, and what of the record is no field.

    ``fields`` maps every plain field to its namespace (``"exec.kernel"``), or to None
    when nothing routes it. ``lines`` says where a field is declared: a file, relative
    to the root or absolute when outside of it, and a line from 1; for a field that
    only a pack knows, the pack's line. ``members`` are the record's properties and
    methods. ``unused_accessors`` are roots that no field is routed to.
    ``missing_accessors`` are accessors whose module is in neither the project nor the
    file that routes were read from: right for an installed library, else a slip.
    ``digest`` changes when any of it does.
    """

    fields: Mapping[str, str | None]
    lines: Mapping[str, tuple[str, int]]
    members: Mapping[str, MemberKind]
    accessors: tuple[Accessor, ...]
    unused_accessors: tuple[str, ...] = ()
    missing_accessors: tuple[str, ...] = ()
    digest: str = field(default="", compare=False)

    def accessor_for(self, namespace: str) -> tuple[Accessor, tuple[str, ...]]:
        """The accessor of a namespace and the attributes that follow it.

        ``"exec.kernel"`` is ``(exec, ("kernel",))``; the accessor with the longest
        root wins. Raises KeyError for a namespace that has none, which a table made
        by ``build_routes`` does not route to.
        """
        parts = namespace.split(".")
        for length in range(len(parts), 0, -1):
            accessor = self._by_root.get(".".join(parts[:length]))
            if accessor is not None:
                return accessor, tuple(parts[length:])
        raise KeyError(namespace)

    @cached_property
    def _by_root(self) -> Mapping[str, Accessor]:
        return {accessor.root: accessor for accessor in self.accessors}
