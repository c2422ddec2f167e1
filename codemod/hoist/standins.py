"""Stand-ins for packages that are not installed. Runs inside the target interpreter.

Only the standard library may be imported here, and only what Python 3.8 has.

A stand-in module has every attribute. What it gives can be a base class (each its own,
an ordinary class, so that no metaclass or layout conflicts arise), a decorator (which
returns what it decorates), a context manager, a type in an annotation, a number, a
sequence without items.
"""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import sys
import types
from typing import Any

_DECORATED = (
    types.FunctionType,
    type,
    staticmethod,
    classmethod,
    property,
    types.BuiltinFunctionType,
)


class StandIn:
    """An object that can be used for nearly anything while modules are imported."""

    def __init__(self, name: str = "stand-in") -> None:
        self.__dict__["_name"] = name
        self.__dict__["_base"] = None
        self.__name__ = self.__qualname__ = name.rpartition(".")[2]

    def __getattr__(self, name: Any) -> Any:
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        made = StandIn(self._name + "." + name)
        self.__dict__[name] = made
        return made

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if len(args) == 1 and not kwargs and isinstance(args[0], _DECORATED):
            return args[0]
        return StandIn(self._name + "()")

    def __mro_entries__(self, bases: Any) -> Any:
        if self._base is None:
            name = self.__name__.replace("()", "") or "Base"
            body = {
                "__module__": "standin",
                "__init__": _init,
                "__class_getitem__": _item,
            }
            self.__dict__["_base"] = type(name, (), body)
        return (self._base,)

    def __instancecheck__(self, instance: Any) -> Any:
        return self._base is not None and isinstance(instance, self._base)

    def __subclasscheck__(self, cls: Any) -> Any:
        return self._base is not None and issubclass(cls, self._base)

    def __repr__(self) -> Any:
        return "<stand-in " + self._name + ">"

    def __str__(self) -> Any:
        return "0.0.0"

    def __format__(self, spec: Any) -> Any:
        return "0"

    def __fspath__(self) -> Any:
        return "/nonexistent"

    def __hash__(self) -> Any:
        return id(self)

    def __eq__(self, other: Any) -> Any:
        return self is other

    def __bool__(self) -> Any:
        return True

    def __len__(self) -> Any:
        return 0

    def __iter__(self) -> Any:
        return iter(())

    def __contains__(self, item: Any) -> Any:
        return False

    def __getitem__(self, key: Any) -> Any:
        return StandIn(self._name + "[]")

    def __setitem__(self, key: Any, value: Any) -> Any:
        pass

    def __delitem__(self, key: Any) -> Any:
        pass

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *exc: Any) -> Any:
        return False

    async def __aenter__(self) -> Any:
        return self

    async def __aexit__(self, *exc: Any) -> Any:
        return False

    def __int__(self) -> Any:
        return 1

    def __index__(self) -> Any:
        return 1

    def __float__(self) -> Any:
        return 1.0


def _init(self: Any, *args: Any, **kwargs: Any) -> Any:
    pass


def _item(cls: Any, key: Any) -> Any:
    return cls


def _same(self: Any, *other: Any) -> Any:
    return self


def _false(self: Any, other: Any) -> Any:
    return False


for _name in [
    "add",
    "sub",
    "mul",
    "truediv",
    "floordiv",
    "mod",
    "pow",
    "matmul",
    "and",
    "or",
    "xor",
    "lshift",
    "rshift",
]:
    setattr(StandIn, "__" + _name + "__", _same)
    setattr(StandIn, "__r" + _name + "__", _same)
for _name in ("neg", "pos", "invert", "abs"):
    setattr(StandIn, "__" + _name + "__", _same)
for _name in ("lt", "le", "gt", "ge"):
    setattr(StandIn, "__" + _name + "__", _false)


class StandInModule(types.ModuleType):
    """A module with every attribute, and every submodule."""

    __path__ = []
    __version__ = "0.0.0"
    __file__ = None

    def __getattr__(self, name: Any) -> Any:
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        made = StandIn(self.__name__ + "." + name)
        setattr(self, name, made)
        return made


class _Loader(importlib.abc.Loader):
    def create_module(self, spec: Any) -> Any:
        return StandInModule(spec.name)

    def exec_module(self, module: Any) -> Any:
        pass


class StandInFinder(importlib.abc.MetaPathFinder):
    """Finds a stand-in for each of ``names`` and everything below them.

    With ``missing``, also for every top-level package that no finder before it knows,
    unless it belongs to the project (``own``) or to the standard library.
    """

    def __init__(self, names: Any = (), missing: bool = False, own: Any = ()) -> None:
        self.names = set(names)
        self.missing = missing
        self.own = set(own)
        self.used: set[str] = set()

    def find_spec(self, name: Any, path: Any = None, target: Any = None) -> Any:
        top = name.partition(".")[0]
        if top not in self.names:
            if not self.missing or top in self.own or "." in name:
                return None
            if top in _standard_library() or top in sys.builtin_module_names:
                return None
            self.names.add(top)
        self.used.add(top)
        return importlib.machinery.ModuleSpec(name, _Loader(), is_package=True)


def _standard_library() -> Any:
    # Before 3.10 the list is not there; the common platform modules are enough.
    known = getattr(sys, "stdlib_module_names", None)
    return known or {"winreg", "_winapi", "msvcrt", "nt", "posix", "fcntl", "termios"}
