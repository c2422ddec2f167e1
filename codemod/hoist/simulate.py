"""An executor of module top levels that knows what CPython's import system does.

The rules are those of the Python reference, chapter 5, of ``importlib._bootstrap`` and
of the ``IMPORT_NAME`` and ``IMPORT_FROM`` instructions:

- A module stands in ``sys.modules`` before its code runs, so whoever imports it in a
  circle gets it half initialised, with the names bound so far.
- ``import a.b.c`` imports ``a``, ``a.b`` and ``a.b.c`` in this order and binds ``a``.
  A submodule becomes an attribute of its package only after its code has run.
- ``from X import n`` takes the attribute ``n``; if X is a package that lacks it, the
  submodule ``X.n`` is imported; if it still lacks it, ``sys.modules["X.n"]`` is taken;
  else it is an ImportError. ``import a.b as c`` falls back in the same way.
- A module whose code raises leaves ``sys.modules``; the modules it imported stay.

What the source does not decide (a platform test, whether a third-party package is
there) is decided by a ``World``; see there.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from codemod.hoist.emitting import UNKNOWN
from codemod.hoist.execute import Executor
from codemod.hoist.ir import OP_IF, OP_RAISE, OP_TRY, FunctionRef, Op, TopLevel
from codemod.hoist.objects import MISSING, Module
from codemod.hoist.outcomes import (
    FRAMES_LIMIT,
    FROMLIST_FRAMES,
    MODULE_FRAMES,
    STALE,
    Failure,
    Frame,
    Outcome,
    World,
)
from codemod.hoist.store import LateName, Programs


class Simulation(Executor):
    """One process that imports modules of ``programs`` in one world.

    With ``scope`` only those modules are executed; the others are taken to be loaded
    already, which is exact when none of them imports a module of the scope; those that
    were asked for stand in ``requested``, with the line of the entry's top level.
    ``strict`` makes every missing name a failure, also of a module that has finished;
    without it a finished module has every name that its source binds on some branch.
    """

    def __init__(
        self,
        programs: Programs,
        world: World = World.YES,
        scope: Collection[str] | None = None,
        strict: bool = False,
        frames_limit: int = FRAMES_LIMIT,
    ) -> None:
        super().__init__(programs, world, strict, frames_limit)
        self._removed = programs.removed
        self._scope = scope
        self._loaded: list[str] = []
        self.requested: dict[str, int] = {}

    def run(self, entry: str) -> Outcome:
        """What ``import entry`` does in this process."""
        failure: Failure | None = None
        try:
            self._load(entry)
        except Failure as raised:
            failure = raised
            self._stack.clear()
        return Outcome(entry, failure, tuple(self._caught), tuple(self._loaded))

    # -- modules ---------------------------------------------------------------

    def _load(self, name: str) -> Module:
        found = self._modules.get(name)
        if found is not None:
            return found
        parent, _, child = name.rpartition(".")
        if parent:
            package = self._load(parent)
            found = self._modules.get(name)
            if found is not None:
                return found
            if not package.is_package:
                raise self._fail(
                    "ModuleNotFoundError",
                    f"No module named {name!r}; {parent!r} is not a package",
                    name,
                )
        top = self._by_name.get(name)
        if top is None:
            found = self._absent(name)
        elif self._scope is not None and name not in self._scope:
            self.requested[name] = self._stack[0].line if self._stack else 0
            found = self._finished(name, top)
        else:
            found = self._execute(name, top)
        if parent:
            holder = self._modules.get(parent)
            if holder is not None and holder.inside:
                holder.ns[child] = found
        return found

    def _peek(self, name: str) -> Module:
        """A module of which only what its names hold is asked; nothing is imported."""
        found = self._modules.get(name)
        if found is None:
            top = self._by_name.get(name)
            found = Module(name, top, False)
            found.ns = self._programs.static_names(name)
            found.done = True
        return found

    def _absent(self, name: str) -> Module:
        modules = self._programs.modules
        known = name in modules.namespaces or name in modules.present
        if self._strict and not known:
            message = f"No module named {name!r}"
            raise self._fail("ModuleNotFoundError", message, name)
        found = self._modules[name] = Module(name, None, True)
        found.done = True
        return found

    def _finished(self, name: str, top: TopLevel) -> Module:
        found = self._modules[name] = Module(name, top, False)
        found.ns = self._programs.static_names(name)
        found.done = True
        return found

    def _execute(self, name: str, top: TopLevel) -> Module:
        if self._frames + MODULE_FRAMES > self._limit:
            message = "maximum recursion depth exceeded: imports nest too deeply"
            raise self._fail("RecursionError", message, name)
        module = self._modules[name] = Module(name, top, True)
        self._loaded.append(name)
        self._frames += MODULE_FRAMES
        try:
            self._run(self._programs.ops(name), module, None)
        except Failure:
            self._modules.pop(name, None)
            raise
        finally:
            self._frames -= MODULE_FRAMES
        module.done = True
        return module

    def _lacks(self, module: Module, name: str) -> bool:
        """Whether it is sure that ``module``, which has no ``name`` yet, lacks it."""
        top = module.top
        if top is not None and name in top.late_names:
            return False
        if not module.done:
            return not module.opaque or (top is not None and name in top.bound)
        loading = self._modules.get(f"{module.name}.{name}")
        if loading is not None:
            return not loading.done
        if module.opaque:
            return self._strict and module.top is None
        if top is not None and name not in top.bound and "*" not in top.bound:
            return not name.startswith("__")
        return self._strict or module.partial_star

    def _attribute(self, module: Module, name: str) -> Any:
        """The attribute, UNKNOWN when it may be there, or MISSING."""
        value = module.ns.get(name, MISSING)
        if value is not MISSING:
            return self._settled(value) if not module.inside else value
        if not module.inside:
            for target in module.ns.get("*", ()):
                value = self._attribute(self._peek(target), name)
                if value is not MISSING and value is not UNKNOWN:
                    return value
        getter = module.ns.get("__getattr__")
        if getter is not None:
            return self._dynamic(module, getter, name)
        return MISSING if self._lacks(module, name) else UNKNOWN

    def _dynamic(self, module: Module, getter: Any, name: str) -> Any:
        """What the module's ``__getattr__`` (PEP 562) answers for ``name``.

        One that answers only some names leaves a submodule of the name to be imported;
        which names it answers is known where it compares them with literals.
        """
        submodule = f"{module.name}.{name}" in self._by_name
        if submodule and not self._answers_all(getter):
            return MISSING
        depth = len(self._stack)
        try:
            return self._call(getter, (), name, module.name, fresh=True)
        except Failure as failure:
            del self._stack[depth:]
            if failure.kind != "AttributeError":
                raise
            return MISSING if self._strict else UNKNOWN

    def _answers_all(self, getter: Any) -> bool:
        if not isinstance(getter, FunctionRef):
            return False
        ops = self._programs.modules.function(getter)
        return all(op[0] not in (OP_IF, OP_RAISE, OP_TRY) for op in ops)

    def _settled(self, value: Any) -> Any:
        if not isinstance(value, LateName):
            return value
        seen: set[LateName] = set()
        while isinstance(value, LateName) and value not in seen:
            seen.add(value)
            module = self._modules.get(value.module)
            if module is None:
                if self._scope is not None and value.module in self._scope:
                    return UNKNOWN
                module = self._peek(value.module)
            if value.name is None:
                return module
            value = module.ns.get(value.name, UNKNOWN)
        return UNKNOWN if isinstance(value, LateName) else value

    # -- import statements -----------------------------------------------------

    def _import(self, op: Op, module: Module, names: dict[str, Any]) -> None:
        _, line, site, target, bound, has_as = op
        unit = None
        if site is not None:
            if isinstance(site, int):
                unit = site
            elif bound in self._removed.get(site, ()):
                return
        self._stack.append(Frame(module.name, line, target, unit))
        self._load(target)
        parts = target.split(".")
        value: Any = self._load(parts[0])
        if has_as:
            for part in parts[1:]:
                owner = value
                if not isinstance(owner, Module):
                    value = UNKNOWN
                    break
                value = self._attribute(owner, part)
                if value is MISSING:
                    value = self._modules.get(f"{owner.name}.{part}")
                    if value is None:
                        message = f"cannot import name {part!r} from {owner.name!r}"
                        raise self._fail("ImportError", message, owner.name, part)
        self._stack.pop()
        names[bound] = value

    def _from(self, op: Op, module: Module, names: dict[str, Any]) -> None:
        _, line, site, target, pairs = op
        unit = None
        if site is not None:
            if isinstance(site, int):
                unit = site
            else:
                removed = self._removed.get(site)
                if removed:
                    pairs = tuple(p for p in pairs if p[1] not in removed)
                    if not pairs:
                        return
        self._stack.append(Frame(module.name, line, target, unit))
        source = self._load(target)
        if source.is_package:
            self._from_list(source, [name for name, _ in pairs])
        if unit is not None and not source.done:
            self._check_final(source, [name for name, _ in pairs])
        for name, bound in pairs:
            value = self._attribute(source, name)
            if value is MISSING:
                value = self._modules.get(f"{source.name}.{name}")
                if value is None:
                    message = f"cannot import name {name!r} from {source.name!r}"
                    raise self._fail("ImportError", message, source.name, name)
            names[bound] = value
        self._stack.pop()

    def _check_final(self, source: Module, names: Collection[str]) -> None:
        """Fail for a hoisted name that ``source`` is going to bind to something else.

        The local import took the last value; at module level it would be an early one.
        """
        if source.top is None:
            return
        at = next(f.line for f in self._stack if f.module == source.name)
        for name in names:
            if at < source.top.rebound.get(name, 0) and name in source.ns:
                line = source.top.rebound[name]
                message = (
                    f"line {line} of {source.name!r} has yet to bind {name!r} anew"
                )
                raise self._fail(STALE, message, source.name, name)

    def _from_list(self, package: Module, wanted: Collection[str]) -> None:
        """``importlib._bootstrap._handle_fromlist``: import submodules asked for."""
        known = self._programs.modules
        for name in wanted:
            if name in package.ns and package.inside:
                continue
            full = f"{package.name}.{name}"
            exists = full in self._by_name or full in known.namespaces
            if not exists or full in self._modules:
                continue
            if "__getattr__" in package.ns:
                value = self._attribute(package, name)
                if value is not MISSING:
                    continue
            elif not package.inside and name in package.ns:
                value = self._settled(package.ns[name])
                if not isinstance(value, Module):
                    continue
            self._frames += FROMLIST_FRAMES
            depth = len(self._stack)
            try:
                self._load(full)
            except Failure as failure:
                del self._stack[depth:]
                if failure.kind != "ModuleNotFoundError" or failure.origin != full:
                    raise
            finally:
                self._frames -= FROMLIST_FRAMES

    def _star(self, op: Op, module: Module, names: dict[str, Any]) -> None:
        _, line, target = op
        self._stack.append(Frame(module.name, line, target))
        source = self._load(target)
        if not source.inside:
            self._star_of_finished(source, names, {source.name})
            module.opaque = module.opaque or source.opaque
            self._stack.pop()
            return
        exported = source.ns.get("__all__")
        if isinstance(exported, tuple):
            if source.is_package:
                self._from_list(source, exported)
            for name in exported:
                value = self._attribute(source, name)
                if value is MISSING:
                    message = f"module {source.name!r} has no attribute {name!r}"
                    raise self._fail("AttributeError", message, source.name, name)
                names[name] = value
        else:
            for name, value in source.ns.items():
                if not name.startswith("_"):
                    names[name] = value
            module.opaque = module.opaque or source.opaque
            if not source.done or source.partial_star:
                module.partial_star = True
        self._stack.pop()

    def _star_of_finished(
        self, source: Module, names: dict[str, Any], seen: set[str]
    ) -> None:
        for name, value in source.ns.items():
            if name != "*" and not name.startswith("_"):
                names[name] = self._settled(value)
        for target in source.ns.get("*", ()):
            if target not in seen:
                inner = self._peek(target)
                self._star_of_finished(inner, names, seen | {target})
