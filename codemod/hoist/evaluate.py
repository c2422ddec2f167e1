"""What expressions give while a module is imported: names, attributes, calls."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from codemod.hoist.emitting import UNKNOWN
from codemod.hoist.ir import (
    EX_ATTRIBUTE,
    EX_CALL,
    EX_GETATTR,
    EX_IMPORT,
    EX_MAYBE,
    EX_NAME,
    EX_SEQUENCE,
    ClassRef,
    Expr,
    FunctionRef,
    InstanceRef,
    Ops,
)
from codemod.hoist.objects import MISSING, ClassNames, Module, Parameters
from codemod.hoist.outcomes import Failure, Frame, World
from codemod.hoist.store import Programs


class Evaluator(ABC):
    """The value of expressions in modules of ``programs``, in one world."""

    def __init__(
        self, programs: Programs, world: World, strict: bool, frames_limit: int
    ) -> None:
        self._programs = programs
        self._by_name = programs.modules.by_name
        self._world = world
        self._strict = strict
        self._limit = frames_limit
        self._modules: dict[str, Module] = {}
        self._stack: list[Frame] = []
        self._frames = 0
        self._caught: list[Failure] = []
        self._handling: list[Failure] = []
        self._called: dict[FunctionRef, Any] = {}
        self._bases: dict[ClassRef, tuple[Any, ...]] = {}
        self._metaclass: dict[ClassRef, Any] = {}

    @abstractmethod
    def _load(self, name: str) -> Module:
        """The module ``name``, imported if it is not yet."""

    @abstractmethod
    def _peek(self, name: str) -> Module:
        """A module of which only what its names hold is asked; nothing is imported."""

    @abstractmethod
    def _attribute(self, module: Module, name: str) -> Any:
        """The attribute, UNKNOWN when it may be there, or MISSING."""

    @abstractmethod
    def _lacks(self, module: Module, name: str) -> bool:
        """Whether it is sure that ``module``, which has no ``name`` yet, lacks it."""

    @abstractmethod
    def _settled(self, value: Any) -> Any:
        """What a ``LateName`` stands for; other values as they are."""

    @abstractmethod
    def _run(
        self, ops: Ops, module: Module, local: dict[str, Any] | None
    ) -> tuple[Any] | None:
        """Run ``ops``; a tuple with the value when they reach a ``return``."""

    def _fail(
        self, kind: str, message: str, origin: str = "", name: str = ""
    ) -> Failure:
        return Failure(kind, message, tuple(self._stack), origin, name=name)

    def _value(
        self, expr: Expr, module: Module, local: dict[str, Any] | None, line: int
    ) -> Any:
        if expr is None:
            return UNKNOWN
        code = expr[0]
        if code == EX_NAME:
            return self._name(expr[1], module, local, line)
        if code in (EX_ATTRIBUTE, EX_GETATTR):
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
        self, name: str, module: Module, local: dict[str, Any] | None, line: int
    ) -> Any:
        if local is not None:
            value = local.get(name, MISSING)
            if value is not MISSING:
                return value
            if isinstance(local, ClassNames):
                value = local.outer.get(name, MISSING)
                if value is not MISSING:
                    return value
        value = module.ns.get(name, MISSING)
        if value is not MISSING:
            return value if module.inside else self._settled(value)
        if not self._lacks(module, name):
            return UNKNOWN
        self._stack.append(Frame(module.name, line, module.name))
        message = f"name {name!r} is not defined in {module.name!r}"
        failure = self._fail("NameError", message, module.name, name)
        self._stack.pop()
        raise failure

    def _attribute_of(
        self, base: Any, name: str, module: Module, line: int, careful: bool
    ) -> Any:
        if isinstance(base, Module):
            value = self._attribute(base, name)
            if value is not MISSING:
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
            known = self._called.get(function, MISSING)
            if known is not MISSING:
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
            local = Parameters(text)
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
