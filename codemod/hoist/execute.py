"""An executor of the operations of ``ir``: statements, expressions, calls.

What imports do is left to ``simulate``, which derives from it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
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
)
from codemod.hoist.objects import MISSING, ClassNames, Module, Parameters
from codemod.hoist.outcomes import Failure, Frame, World
from codemod.hoist.statements import UNKNOWN
from codemod.hoist.store import Programs
from codemod.hoist.syntax import catches


class Executor(ABC):
    """Runs operations in modules of ``programs``, in one world."""

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
    def _import(self, op: Op, module: Module, names: dict[str, Any]) -> None:
        """Run an ``import`` statement."""

    @abstractmethod
    def _from(self, op: Op, module: Module, names: dict[str, Any]) -> None:
        """Run a ``from`` import."""

    @abstractmethod
    def _star(self, op: Op, module: Module, names: dict[str, Any]) -> None:
        """Run a star import."""

    def _fail(
        self, kind: str, message: str, origin: str = "", name: str = ""
    ) -> Failure:
        return Failure(kind, message, tuple(self._stack), origin, name=name)

    # -- statements ------------------------------------------------------------

    def _run(
        self, ops: Ops, module: Module, local: dict[str, Any] | None
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
        self, op: Op, module: Module, local: dict[str, Any] | None
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
        if code in (CO_AND, CO_OR):
            parts = [self._holds(part, local) for part in test[1]]
            decides: bool = code == CO_OR
            if decides in parts:
                return decides
            return None if None in parts else not decides
        if code == CO_PARAMETER and isinstance(local, Parameters):
            strings: frozenset[str] = test[2]
            return local.text in strings
        if self._world is World.BOTH:
            return None
        return self._world is World.YES

    def _try(
        self, op: Op, module: Module, local: dict[str, Any] | None
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
        self, op: Op, module: Module, local: dict[str, Any] | None
    ) -> tuple[Any] | None:
        if self._world is World.NO:
            names = module.ns if local is None else local
            for name in op[3]:
                names.setdefault(name, UNKNOWN)
            return None
        return self._run(op[2], module, local)

    def _class(self, op: Op, module: Module, local: dict[str, Any] | None) -> None:
        _, line, name, bases, metaclass, decorators, body, ref = op
        values = tuple(self._value(base, module, local, line) for base in bases)
        meta = self._value(metaclass, module, local, line)
        self._bases[ref] = values
        for value in values:
            if not meta and isinstance(value, ClassRef):
                meta = self._metaclass.get(value, UNKNOWN)
        if body:
            self._run(body, module, ClassNames(local or {}))
        if meta:
            self._metaclass[ref] = meta
            for method in ("__new__", "__init__"):
                self._call_method(meta, method, module.name, line)
        for value in values:
            self._call_method(value, "__init_subclass__", module.name, line)
        self._apply(decorators, module, local, line, ref)
        (module.ns if local is None else local)[name] = ref

    def _decorate(self, op: Op, module: Module, local: dict[str, Any] | None) -> None:
        self._apply(op[3], module, local, op[1], op[2])

    def _apply(
        self,
        decorators: tuple[Expr, ...],
        module: Module,
        local: dict[str, Any] | None,
        line: int,
        target: Any,
    ) -> None:
        for decorator in reversed(
            [self._value(item, module, local, line) for item in decorators]
        ):
            self._call(decorator, (target,), None, module.name, line)

    def _delete(self, op: Op, module: Module, local: dict[str, Any] | None) -> None:
        for name in op[2]:
            (module.ns if local is None else local).pop(name, None)

    def _raise(
        self, op: Op, module: Module, local: dict[str, Any] | None
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

    def _external(self, op: Op, module: Module, local: dict[str, Any] | None) -> None:
        if self._world is World.NO:
            message = f"No module named {op[2]!r}"
            chain = (*self._stack, Frame(module.name, op[1], op[2]))
            raise Failure("ModuleNotFoundError", message, chain, op[2], expected=True)

    def _all(self, op: Op, module: Module, local: dict[str, Any] | None) -> None:
        _, line, mode, names, expression = op
        if expression is not None:
            self._value(expression, module, local, line)
        before = module.ns.get("__all__", ()) if mode == "+" else ()
        known = isinstance(before, tuple) and names is not None
        module.ns["__all__"] = before + names if known else UNKNOWN

    def _set_attribute(
        self, op: Op, module: Module, local: dict[str, Any] | None
    ) -> None:
        value = self._value(op[2], module, local, op[1])
        if isinstance(value, Module) and value.inside:
            value.ns[op[3]] = UNKNOWN

    def _star_op(self, op: Op, module: Module, local: dict[str, Any] | None) -> None:
        self._star(op, module, module.ns if local is None else local)

    # -- expressions -----------------------------------------------------------

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


def _raises(ops: Ops) -> bool:
    return any(op[0] == OP_RAISE for op in ops)


_RUN: Final = {
    OP_IF: Executor._if,
    OP_TRY: Executor._try,
    OP_LOOP: Executor._loop,
    OP_CLASS: Executor._class,
    OP_DECORATE: Executor._decorate,
    OP_DELETE: Executor._delete,
    OP_RAISE: Executor._raise,
    OP_EXTERNAL: Executor._external,
    OP_ALL: Executor._all,
    OP_SET_ATTRIBUTE: Executor._set_attribute,
    OP_STAR: Executor._star_op,
}
