"""All modules of a project as programs, with a set of hoists in effect."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from codemod.hoist.functions import FunctionBodies
from codemod.hoist.ir import (
    OP_BIND,
    OP_CLASS,
    OP_FROM,
    OP_IF,
    OP_IMPORT,
    OP_LOOP,
    OP_STAR,
    OP_TRY,
    FunctionRef,
    Op,
    Ops,
    TopLevel,
)

Site = tuple[str, int, int]
"""A local import statement: module, line, column of ``ast``."""


Order = tuple[int, bool, str]
"""Section, whether it is a ``from`` import, module: how new imports are sorted."""


@dataclass(frozen=True, slots=True)
class Unit:
    """What is hoisted or kept as one: imports of one module that hang together.

    ``inserts`` are the imports that appear at the top level of ``module``, each with
    the line after which it stands (0 is the start) and its order among those there;
    ``removes`` are the local names that go, by statement. Five functions that import
    the same name are one unit; two imports that bind the same name in one function are
    one too, as one of them alone would leave the name local there.
    """

    index: int
    module: str
    inserts: tuple[tuple[int, Order, Op], ...]
    removes: tuple[tuple[Site, frozenset[str]], ...]


class Modules:
    """The modules of a project by name, without any hoist.

    ``read`` gives the text of a path, for the functions that are called; ``roots`` are
    the project's top-level names. ``present`` are modules that are no Python files
    (extension modules): importing them is taken to work.
    """

    def __init__(
        self,
        units: Iterable[TopLevel],
        read: Callable[[str], str],
        roots: Collection[str],
        present: Collection[str] = (),
    ) -> None:
        self.by_name: Mapping[str, TopLevel] = {u.module: u for u in units}
        self.roots = frozenset(roots)
        self.namespaces = _prefixes(self.by_name) - self.by_name.keys()
        self.present = frozenset(present)
        self.bodies = FunctionBodies(read, self.roots)

    def function(self, ref: FunctionRef) -> Ops:
        """What one call of ``ref`` does."""
        unit = self.by_name.get(ref.module)
        return self.bodies.ops(ref, unit) if unit else ()


class Programs:
    """The modules with some units hoisted. Cheap to change, one unit at a time."""

    def __init__(self, modules: Modules, active: Iterable[Unit] = ()) -> None:
        self.modules = modules
        self.active: dict[int, Unit] = {}
        self._of: dict[str, list[Unit]] = {}
        self.removed: dict[Site, frozenset[str]] = {}
        self._ops: dict[str, Ops] = {}
        self._statics: dict[str, dict[str, Any]] = {}
        for unit in active:
            self.add(unit)

    def add(self, unit: Unit) -> None:
        """Hoist ``unit``."""
        self.active[unit.index] = unit
        self._of.setdefault(unit.module, []).append(unit)
        for site, names in unit.removes:
            self.removed[site] = self.removed.get(site, frozenset()) | names
        self._forget(unit.module)

    def remove(self, unit: Unit) -> None:
        """Take ``unit`` back."""
        del self.active[unit.index]
        self._of[unit.module].remove(unit)
        for site, names in unit.removes:
            self.removed[site] -= names
        self._forget(unit.module)

    def _forget(self, module: str) -> None:
        self._ops.pop(module, None)
        self._statics.pop(module, None)

    def ops(self, module: str) -> Ops:
        """What running ``module`` does, the hoisted imports in their places."""
        units = self._of.get(module)
        if not units:
            return self.modules.by_name[module].ops
        found = self._ops.get(module)
        if found is None:
            found = self._ops[module] = _inserted(
                self.modules.by_name[module].ops, units
            )
        return found

    def static_names(self, module: str) -> dict[str, Any]:
        """What the names of ``module`` hold once it has run, as far as it is known.

        Functions and classes are there as themselves; what is imported from the
        project is a ``LateName``.
        """
        found = self._statics.get(module)
        if found is None:
            found = self._statics[module] = {}
            if module in self.modules.by_name:
                _collect(self.ops(module), found)
        return found


@dataclass(frozen=True, slots=True)
class LateName:
    """A name that another module holds: ``name`` of ``module``, or the module."""

    module: str
    name: str | None


def _inserted(ops: Ops, units: Iterable[Unit]) -> Ops:
    inserts = sorted(
        (
            (line, order, unit.index, op)
            for unit in units
            for line, order, op in unit.inserts
        ),
        key=lambda item: item[:3],
    )
    out: list[Op] = []
    rest = list(reversed(inserts))
    for op in ops:
        while rest and rest[-1][0] < op[1]:
            out.append(rest.pop()[3])
        out.append(op)
    out.extend(item[3] for item in reversed(rest))
    return tuple(out)


def _collect(ops: Ops, found: dict[str, Any]) -> None:
    for op in ops:
        code = op[0]
        if code == OP_BIND:
            for name, value in op[2].items():
                if value or name not in found:
                    found[name] = value
        elif code == OP_FROM:
            for name, bound in op[4]:
                found[bound] = LateName(op[3], name)
        elif code == OP_IMPORT:
            module = op[3] if op[5] else op[3].partition(".")[0]
            found[op[4]] = LateName(module, None)
        elif code == OP_CLASS:
            found[op[2]] = op[7]
        elif code == OP_IF:
            _collect(op[3] or (), found)
            _collect(op[4] or (), found)
        elif code == OP_LOOP:
            _collect(op[2], found)
        elif code == OP_TRY:
            for _, handler in op[3]:
                _collect(handler, found)
            for part in (op[2], op[4], op[5]):
                _collect(part, found)
        elif code == OP_STAR:
            found.setdefault("*", []).append(op[2])


def _prefixes(names: Iterable[str]) -> set[str]:
    found: set[str] = set()
    for name in names:
        parent = name.rpartition(".")[0]
        while parent and parent not in found:
            found.add(parent)
            parent = parent.rpartition(".")[0]
    return found
