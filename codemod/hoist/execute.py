"""An executor of the operations of ``ir``: its statements.

What imports do is left to ``simulate``, which derives from it.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, Final

from codemod.hoist.emitting import UNKNOWN
from codemod.hoist.evaluate import Evaluator
from codemod.hoist.ir import (
    CO_AND,
    CO_KNOWN,
    CO_NOT,
    CO_OR,
    CO_PARAMETER,
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
    Op,
    Ops,
)
from codemod.hoist.objects import ClassNames, Module, Parameters
from codemod.hoist.outcomes import Failure, Frame, World
from codemod.hoist.syntax import catches


class Executor(Evaluator):
    """Runs operations in modules of ``programs``, in one world."""

    @abstractmethod
    def _import(self, op: Op, module: Module, names: dict[str, Any]) -> None:
        """Run an ``import`` statement."""

    @abstractmethod
    def _from(self, op: Op, module: Module, names: dict[str, Any]) -> None:
        """Run a ``from`` import."""

    @abstractmethod
    def _star(self, op: Op, module: Module, names: dict[str, Any]) -> None:
        """Run a star import."""

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
