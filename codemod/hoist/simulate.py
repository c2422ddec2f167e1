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
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final

from codemod.hoist.ir import (
    CO_AND,
    CO_KNOWN,
    CO_NOT,
    CO_OR,
    CO_PARAMETER,
    EX_ATTRIBUTE,
    EX_CALL,
    EX_GETATTR,
    EX_IMPORT,
    EX_MAYBE,
    EX_NAME,
    EX_SEQUENCE,
    OP_ALL,
    OP_ASSIGN,
    OP_BIND,
    OP_CLASS,
    OP_DECORATE,
    OP_DELETE,
    OP_EVAL,
    OP_EXTERNAL,
    OP_FROM,
    OP_IF,
    OP_IMPORT,
    OP_LOOP,
    OP_RAISE,
    OP_RETURN,
    OP_SET_ATTRIBUTE,
    OP_STAR,
    OP_TRY,
    ClassRef,
    Condition,
    Expr,
    FunctionRef,
    InstanceRef,
    Op,
    Ops,
    TopLevel,
)
from codemod.hoist.statements import UNKNOWN, catches
from codemod.hoist.store import LateName, Programs

FRAMES_LIMIT: Final = 900
"""Python frames an import may need: the default recursion limit of 1,000, less what
the importing program itself stands on."""
MODULE_FRAMES: Final = 7
"""Frames between a module's code and that of a module it imports, up to 3.11 (6 after
that): importlib's own functions."""
_FROMLIST_FRAMES: Final = 3
"""Frames more when the import comes from ``from package import submodule``."""
_MISSING: Final = object()


class World(Enum):
    """How everything turns out that the source leaves open.

    ``YES``: each unknown condition holds, and what may be missing is there. ``NO``: none
    holds, loops do not run, and what is imported in a ``try`` is missing. ``BOTH``: the
    branches run one after the other, handlers of ImportError too.
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


class Failure(Exception):
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


class _Module:
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


class Simulation:
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
        self._programs = programs
        self._by_name = programs.modules.by_name
        self._removed = programs.removed
        self._world = world
        self._scope = scope
        self._strict = strict
        self._limit = frames_limit
        self._modules: dict[str, _Module] = {}
        self._stack: list[Frame] = []
        self._frames = 0
        self._caught: list[Failure] = []
        self._handling: list[Failure] = []
        self._loaded: list[str] = []
        self.requested: dict[str, int] = {}
        self._called: dict[FunctionRef, Any] = {}
        self._bases: dict[ClassRef, tuple[Any, ...]] = {}
        self._metaclass: dict[ClassRef, Any] = {}

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

    def _fail(
        self, kind: str, message: str, origin: str = "", name: str = ""
    ) -> Failure:
        return Failure(kind, message, tuple(self._stack), origin, name=name)

    def _load(self, name: str) -> _Module:
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

    def _peek(self, name: str) -> _Module:
        """A module of which only what its names hold is asked; nothing is imported."""
        found = self._modules.get(name)
        if found is None:
            top = self._by_name.get(name)
            found = _Module(name, top, False)
            found.ns = self._programs.static_names(name)
            found.done = True
        return found

    def _absent(self, name: str) -> _Module:
        modules = self._programs.modules
        if name not in modules.namespaces and name not in modules.present:
            if self._strict:
                message = f"No module named {name!r}"
                raise self._fail("ModuleNotFoundError", message, name)
        found = self._modules[name] = _Module(name, None, True)
        found.done = True
        return found

    def _finished(self, name: str, top: TopLevel) -> _Module:
        found = self._modules[name] = _Module(name, top, False)
        found.ns = self._programs.static_names(name)
        found.done = True
        return found

    def _execute(self, name: str, top: TopLevel) -> _Module:
        if self._frames + MODULE_FRAMES > self._limit:
            message = "maximum recursion depth exceeded: imports nest too deeply"
            raise self._fail("RecursionError", message, name)
        module = self._modules[name] = _Module(name, top, True)
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

    def _lacks(self, module: _Module, name: str) -> bool:
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

    def _attribute(self, module: _Module, name: str) -> Any:
        """The attribute, UNKNOWN when it may be there, or _MISSING."""
        value = module.ns.get(name, _MISSING)
        if value is not _MISSING:
            return self._settled(value) if not module.inside else value
        if not module.inside:
            for target in module.ns.get("*", ()):
                value = self._attribute(self._peek(target), name)
                if value is not _MISSING and value is not UNKNOWN:
                    return value
        getter = module.ns.get("__getattr__")
        if getter is not None:
            return self._dynamic(module, getter, name)
        return _MISSING if self._lacks(module, name) else UNKNOWN

    def _dynamic(self, module: _Module, getter: Any, name: str) -> Any:
        """What the module's ``__getattr__`` (PEP 562) answers for ``name``.

        One that answers only some names leaves a submodule of the name to be imported;
        which names it answers is known where it compares them with literals.
        """
        submodule = f"{module.name}.{name}" in self._by_name
        if submodule and not self._answers_all(getter):
            return _MISSING
        depth = len(self._stack)
        try:
            return self._call(getter, (), name, module.name, fresh=True)
        except Failure as failure:
            del self._stack[depth:]
            if failure.kind != "AttributeError":
                raise
            return _MISSING if self._strict else UNKNOWN

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

    def _import(self, op: Op, module: _Module, names: dict[str, Any]) -> None:
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
                if not isinstance(owner, _Module):
                    value = UNKNOWN
                    break
                value = self._attribute(owner, part)
                if value is _MISSING:
                    value = self._modules.get(f"{owner.name}.{part}")
                    if value is None:
                        message = f"cannot import name {part!r} from {owner.name!r}"
                        raise self._fail("ImportError", message, owner.name, part)
        self._stack.pop()
        names[bound] = value

    def _from(self, op: Op, module: _Module, names: dict[str, Any]) -> None:
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
        for name, bound in pairs:
            value = self._attribute(source, name)
            if value is _MISSING:
                value = self._modules.get(f"{source.name}.{name}")
                if value is None:
                    message = f"cannot import name {name!r} from {source.name!r}"
                    raise self._fail("ImportError", message, source.name, name)
            names[bound] = value
        self._stack.pop()

    def _from_list(self, package: _Module, wanted: Collection[str]) -> None:
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
                if value is not _MISSING:
                    continue
            elif not package.inside and name in package.ns:
                value = self._settled(package.ns[name])
                if not isinstance(value, _Module):
                    continue
            self._frames += _FROMLIST_FRAMES
            depth = len(self._stack)
            try:
                self._load(full)
            except Failure as failure:
                del self._stack[depth:]
                if failure.kind != "ModuleNotFoundError" or failure.origin != full:
                    raise
            finally:
                self._frames -= _FROMLIST_FRAMES

    def _star(self, op: Op, module: _Module, names: dict[str, Any]) -> None:
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
                if value is _MISSING:
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
        self, source: _Module, names: dict[str, Any], seen: set[str]
    ) -> None:
        for name, value in source.ns.items():
            if name != "*" and not name.startswith("_"):
                names[name] = self._settled(value)
        for target in source.ns.get("*", ()):
            if target not in seen:
                inner = self._peek(target)
                self._star_of_finished(inner, names, seen | {target})

    # -- statements ------------------------------------------------------------

    def _run(
        self, ops: Ops, module: _Module, local: dict[str, Any] | None
    ) -> tuple[Any] | None:
        """Run ``ops``; a tuple with the value when they reach a ``return``."""
        names = module.ns if local is None else local
        for op in ops:
            code = op[0]
            if code == OP_BIND:
                names.update(op[2])
            elif code == OP_FROM:
                self._from(op, module, names)
            elif code == OP_EVAL:
                self._value(op[2], module, local, op[1])
            elif code == OP_ASSIGN:
                value = self._value(op[3], module, local, op[1])
                for name in op[2]:
                    names[name] = value
            elif code == OP_RETURN:
                return (self._value(op[2], module, local, op[1]),)
            elif code == OP_IMPORT:
                self._import(op, module, names)
            else:
                done = _RUN[code](self, op, module, local)
                if done is not None:
                    return done
        return None

    def _if(
        self, op: Op, module: _Module, local: dict[str, Any] | None
    ) -> tuple[Any] | None:
        _, _, test, body, orelse, body_names, orelse_names = op
        names = module.ns if local is None else local
        taken = self._holds(test, local)
        if body is None:
            taken = False
        elif orelse is None:
            taken = True
        if taken is None:
            first = self._run(body, module, local)
            second = self._run(orelse, module, local)
            return first if first is not None and second is not None else None
        for name in orelse_names if taken else body_names:
            names.setdefault(name, UNKNOWN)
        chosen = body if taken else orelse
        return self._run(chosen or (), module, local)

    def _holds(self, test: Condition, local: dict[str, Any] | None) -> bool | None:
        """Whether ``test`` holds in this world; None when both branches run."""
        code = test[0]
        if code == CO_KNOWN:
            return bool(test[1])
        if code == CO_NOT:
            inner = self._holds(test[1], local)
            return None if inner is None else not inner
        if code == CO_AND or code == CO_OR:
            parts = [self._holds(part, local) for part in test[1]]
            decides = code == CO_OR
            if decides in parts:
                return decides
            return None if None in parts else not decides
        if code == CO_PARAMETER:
            if isinstance(local, _Parameters):
                strings: frozenset[str] = test[2]
                return local.text in strings
        if self._world is World.BOTH:
            return None
        return self._world is World.YES

    def _try(
        self, op: Op, module: _Module, local: dict[str, Any] | None
    ) -> tuple[Any] | None:
        _, _, body, handlers, orelse, final, bound = op
        names = module.ns if local is None else local
        depth = len(self._stack)
        try:
            done = self._run(body, module, local)
        except Failure as failure:
            del self._stack[depth:]
            handler = next((h for c, h in handlers if catches(c, failure.kind)), None)
            if handler is None:
                self._run(final, module, local)
                raise
            if not failure.expected:
                self._caught.append(failure)
            self._handling.append(failure)
            try:
                done = self._run(handler, module, local)
            finally:
                self._handling.pop()
            if failure.expected:
                for name in bound:
                    names.setdefault(name, UNKNOWN)
        else:
            if not self._strict:
                for name in bound:
                    names.setdefault(name, UNKNOWN)
            if self._world is World.BOTH:
                for caught, handler in handlers:
                    if catches(caught, "ImportError") and not _raises(handler):
                        self._run(handler, module, local)
            if done is None:
                done = self._run(orelse, module, local)
        return self._run(final, module, local) or done

    def _loop(
        self, op: Op, module: _Module, local: dict[str, Any] | None
    ) -> tuple[Any] | None:
        if self._world is World.NO:
            names = module.ns if local is None else local
            for name in op[3]:
                names.setdefault(name, UNKNOWN)
            return None
        return self._run(op[2], module, local)

    def _class(self, op: Op, module: _Module, local: dict[str, Any] | None) -> None:
        _, line, name, bases, metaclass, decorators, body, ref = op
        values = tuple(self._value(base, module, local, line) for base in bases)
        meta = self._value(metaclass, module, local, line)
        self._bases[ref] = values
        for value in values:
            if not meta and isinstance(value, ClassRef):
                meta = self._metaclass.get(value, UNKNOWN)
        if body:
            self._run(body, module, _ClassNames(local or {}))
        if meta:
            self._metaclass[ref] = meta
            for method in ("__new__", "__init__"):
                self._call_method(meta, method, module.name, line)
        for value in values:
            self._call_method(value, "__init_subclass__", module.name, line)
        self._apply(decorators, module, local, line, ref)
        (module.ns if local is None else local)[name] = ref

    def _decorate(self, op: Op, module: _Module, local: dict[str, Any] | None) -> None:
        self._apply(op[3], module, local, op[1], op[2])

    def _apply(
        self,
        decorators: tuple[Expr, ...],
        module: _Module,
        local: dict[str, Any] | None,
        line: int,
        target: Any,
    ) -> None:
        for decorator in reversed(
            [self._value(item, module, local, line) for item in decorators]
        ):
            self._call(decorator, (target,), None, module.name, line)

    def _delete(self, op: Op, module: _Module, local: dict[str, Any] | None) -> None:
        for name in op[2]:
            (module.ns if local is None else local).pop(name, None)

    def _raise(
        self, op: Op, module: _Module, local: dict[str, Any] | None
    ) -> tuple[Any] | None:
        if not op[2] and self._handling:
            raise self._handling[-1]
        definite = self._strict or (self._handling and not self._handling[-1].expected)
        if local is not None and not definite:
            # A function that reaches its ``raise`` because this world skipped a
            # branch or a loop before it.
            return (UNKNOWN,)
        self._stack.append(Frame(module.name, op[1], module.name))
        failure = self._fail(op[2] or "RuntimeError", f"raised by {module.name}")
        self._stack.pop()
        raise failure

    def _external(self, op: Op, module: _Module, local: dict[str, Any] | None) -> None:
        if self._world is World.NO:
            message = f"No module named {op[2]!r}"
            chain = (*self._stack, Frame(module.name, op[1], op[2]))
            raise Failure("ModuleNotFoundError", message, chain, op[2], expected=True)

    def _all(self, op: Op, module: _Module, local: dict[str, Any] | None) -> None:
        _, line, mode, names, expression = op
        if expression is not None:
            self._value(expression, module, local, line)
        before = module.ns.get("__all__", ()) if mode == "+" else ()
        known = isinstance(before, tuple) and names is not None
        module.ns["__all__"] = before + names if known else UNKNOWN

    def _set_attribute(
        self, op: Op, module: _Module, local: dict[str, Any] | None
    ) -> None:
        value = self._value(op[2], module, local, op[1])
        if isinstance(value, _Module) and value.inside:
            value.ns[op[3]] = UNKNOWN

    def _star_op(self, op: Op, module: _Module, local: dict[str, Any] | None) -> None:
        self._star(op, module, module.ns if local is None else local)

    # -- expressions -----------------------------------------------------------

    def _value(
        self, expr: Expr, module: _Module, local: dict[str, Any] | None, line: int
    ) -> Any:
        if expr is None:
            return UNKNOWN
        code = expr[0]
        if code == EX_NAME:
            return self._name(expr[1], module, local, line)
        if code == EX_ATTRIBUTE or code == EX_GETATTR:
            base = self._value(expr[1], module, local, line)
            return self._attribute_of(base, expr[2], module, line, code == EX_GETATTR)
        if code == EX_CALL:
            function = self._value(expr[1], module, local, line)
            arguments = tuple(self._value(a, module, local, line) for a in expr[2])
            return self._call(function, arguments, expr[3], module.name, line)
        if code == EX_SEQUENCE:
            for part in expr[1]:
                self._value(part, module, local, line)
            return UNKNOWN
        if code == EX_MAYBE:
            self._value(expr[1], module, local, line)
            if self._world is not World.NO:
                for part in expr[2]:
                    self._value(part, module, local, line)
            return UNKNOWN
        assert code == EX_IMPORT
        if expr[1].partition(".")[0] not in self._programs.modules.roots:
            return UNKNOWN
        self._stack.append(Frame(module.name, line, expr[1]))
        loaded = self._load(expr[1])
        self._stack.pop()
        return loaded

    def _name(
        self, name: str, module: _Module, local: dict[str, Any] | None, line: int
    ) -> Any:
        if local is not None:
            value = local.get(name, _MISSING)
            if value is not _MISSING:
                return value
            if isinstance(local, _ClassNames):
                value = local.outer.get(name, _MISSING)
                if value is not _MISSING:
                    return value
        value = module.ns.get(name, _MISSING)
        if value is not _MISSING:
            return value if module.inside else self._settled(value)
        if not self._lacks(module, name):
            return UNKNOWN
        self._stack.append(Frame(module.name, line, module.name))
        message = f"name {name!r} is not defined in {module.name!r}"
        failure = self._fail("NameError", message, module.name, name)
        self._stack.pop()
        raise failure

    def _attribute_of(
        self, base: Any, name: str, module: _Module, line: int, careful: bool
    ) -> Any:
        if isinstance(base, _Module):
            value = self._attribute(base, name)
            if value is not _MISSING:
                return value
            if careful:
                return UNKNOWN
            self._stack.append(Frame(module.name, line, base.name))
            message = f"module {base.name!r} has no attribute {name!r}"
            failure = self._fail("AttributeError", message, base.name, name)
            self._stack.pop()
            raise failure
        if isinstance(base, InstanceRef):
            base = base.of
        if isinstance(base, ClassRef):
            return self._method(base, name) or UNKNOWN
        return UNKNOWN

    def _method(self, cls: ClassRef, name: str) -> FunctionRef | None:
        found = cls.methods.get(name)
        if found is not None:
            return found
        for base in self._bases.get(cls, ()):
            if isinstance(base, ClassRef) and base is not cls:
                found = self._method(base, name)
                if found is not None:
                    return found
        return None

    def _call_method(self, cls: Any, name: str, caller: str, line: int) -> None:
        if isinstance(cls, ClassRef):
            method = self._method(cls, name)
            if method is not None:
                self._call(method, (), None, caller, line)

    def _call(
        self,
        function: Any,
        arguments: tuple[Any, ...],
        text: str | None,
        caller: str,
        line: int = 0,
        fresh: bool = False,
    ) -> Any:
        if isinstance(function, ClassRef):
            for name in ("__new__", "__init__", "__post_init__"):
                self._call_method(function, name, caller, line)
            return InstanceRef(function)
        if isinstance(function, InstanceRef):
            function = self._method(function.of, "__call__")
        if not isinstance(function, FunctionRef) or not function.runs:
            return UNKNOWN
        if not fresh:
            known = self._called.get(function, _MISSING)
            if known is not _MISSING:
                return known
        return self._run_function(function, text, caller, line, fresh)

    def _run_function(
        self,
        function: FunctionRef,
        text: str | None,
        caller: str,
        line: int,
        fresh: bool,
    ) -> Any:
        home = self._modules.get(function.module)
        if home is None:
            top = self._by_name.get(function.module)
            if top is None:
                return UNKNOWN
            home = self._peek(function.module)
        ops = self._programs.modules.function(function)
        self._called[function] = UNKNOWN
        if not ops:
            return UNKNOWN
        if self._frames + 1 > self._limit:
            return UNKNOWN
        local: dict[str, Any] = {}
        if fresh and text is not None:
            local = _Parameters(text)
        label = f"{function.module}.{function.name}()"
        self._stack.append(Frame(caller, line, label, call=True))
        self._frames += 1
        try:
            done = self._run(ops, home, local)
        except Failure:
            self._called.pop(function, None)
            raise
        finally:
            self._frames -= 1
        self._stack.pop()
        value = done[0] if done is not None else UNKNOWN
        if fresh:
            self._called.pop(function, None)
        else:
            self._called[function] = value
        return value


class _ClassNames(dict[str, Any]):
    """The namespace of a class body; ``outer`` is that of the function around it."""

    def __init__(self, outer: dict[str, Any]) -> None:
        super().__init__()
        self.outer = outer


class _Parameters(dict[str, Any]):
    """Local names of a function whose one argument is a known string."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text


def _raises(ops: Ops) -> bool:
    return any(op[0] == OP_RAISE for op in ops)


_RUN: Final = {
    OP_IF: Simulation._if,
    OP_TRY: Simulation._try,
    OP_LOOP: Simulation._loop,
    OP_CLASS: Simulation._class,
    OP_DECORATE: Simulation._decorate,
    OP_DELETE: Simulation._delete,
    OP_RAISE: Simulation._raise,
    OP_EXTERNAL: Simulation._external,
    OP_ALL: Simulation._all,
    OP_SET_ATTRIBUTE: Simulation._set_attribute,
    OP_STAR: Simulation._star_op,
}
