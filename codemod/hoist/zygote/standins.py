"""Stand-ins for packages that are not installed. Runs inside the target interpreter.

Only the standard library may be imported here, and only what Python 3.8 has.

A stand-in module has every attribute. What it gives can be a base class (each its own,
an ordinary class, so that no metaclass or layout conflicts arise), a decorator (which
returns what it decorates), a context manager, a type in an annotation, a number, a
sequence of no items or of as many as are unpacked. Asked whether something is so or
available (``cuda.is_available()``), it says no.
"""

from __future__ import annotations

import ast
import dis
import importlib.abc
import importlib.machinery
import json
import sys
import types
from typing import Any

_UNPACK = (dis.opmap["UNPACK_SEQUENCE"], dis.opmap["UNPACK_EX"])
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
        # A ``name`` is text nearly everywhere, and used as such.
        made = name if name == "name" else _made(self._name, name)
        self.__dict__[name] = made
        return made

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        single = len(args) == 1 and not kwargs and isinstance(args[0], _DECORATED)
        if single and _decorates(sys._getframe(1)):
            return args[0]
        last = self.__name__
        if last.startswith(("is_", "has_")) or last.endswith("available"):
            return False
        return StandIn(self._name + "()")

    def __mro_entries__(self, bases: Any) -> Any:
        if self._base is None:
            name = self.__name__.replace("()", "") or "Base"
            body = {
                "__module__": "standin",
                "__init__": _init,
                "__init_subclass__": classmethod(_of_class),
                "__getattr__": _attribute,
                "__class_getitem__": _item,
            }
            self.__dict__["_base"] = type(name, (), body)
        return (self._base,)

    def __instancecheck__(self, instance: Any) -> Any:
        return self._base is not None and isinstance(instance, self._base)

    def __subclasscheck__(self, cls: Any) -> Any:
        return self._base is not None and issubclass(cls, self._base)

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> Any:
        from pydantic_core import core_schema

        return core_schema.any_schema()

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
        # ``major, minor = stand_in()`` needs as many items as there are targets; a
        # loop gets none.
        frame = sys._getframe(1)
        code, at = frame.f_code.co_code, frame.f_lasti
        count = code[at + 1] if code[at] in _UNPACK else 0
        return iter([StandIn(self._name + "[]") for _ in range(count)])

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


_absent: set[str] = set()
_given: dict[str, Any] = {}
_followers: dict[Any, dict[int, str]] = {}


def _made(owner: str, name: str) -> Any:
    """The attribute ``name`` of a stand-in; AttributeError for one it shall lack."""
    full = owner + "." + name
    if full in _absent:
        raise AttributeError(name)
    return _given[full] if full in _given else StandIn(full)


def _decorates(frame: Any) -> bool:
    """Whether the call that ``frame`` is in may be that of a decorator.

    What a decorator returns is stored, or handed to the next decorator: the instruction
    after the call tells. ``dumps(cls).hex()`` is no decorator.
    """
    code = frame.f_code
    if code not in _followers:
        found = [i for i in dis.get_instructions(code) if i.opname != "CACHE"]
        _followers[code] = {
            now.offset: following.opname
            for now, following in zip(found, found[1:])  # noqa: RUF007 - Python 3.8
        }
    following = _followers[code].get(frame.f_lasti, "STORE_NAME")
    return following.startswith(("STORE_", "CALL", "PRECALL"))


def _init(self: Any, *args: Any, **kwargs: Any) -> None:
    for name, value in kwargs.items():
        setattr(self, name, value)


def _of_class(cls: Any, *args: Any, **kwargs: Any) -> None:
    pass


def _attribute(self: Any, name: str) -> Any:
    return StandIn.__getattr__(StandIn(type(self).__name__), name)


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
        made = _made(self.__name__, name)
        setattr(self, name, made)
        return made


class _Loader(importlib.abc.Loader):
    def create_module(self, spec: Any) -> Any:
        return StandInModule(spec.name)

    def exec_module(self, module: Any) -> Any:
        pass


class StandInFinder(importlib.abc.MetaPathFinder):
    """Finds a stand-in for each of ``names`` and everything below them.

    A name like ``!torch.npu`` says that a stand-in lacks this attribute or module, and
    ``torch.version.hip=None`` what an attribute is, as a literal.
    With ``missing``, also for every top-level package that no finder before it knows,
    unless it belongs to the project (``own``) or to the standard library.
    """

    def __init__(self, names: Any = (), missing: bool = False, own: Any = ()) -> None:
        self.names = {name for name in names if "!" not in name and "=" not in name}
        _absent.update(name[1:] for name in names if name.startswith("!"))
        for name in names:
            attribute, sign, value = name.partition("=")
            if sign:
                _given[attribute] = ast.literal_eval(value)
        self.missing = missing
        self.own = set(own)
        self.used: set[str] = set()

    def find_spec(self, name: Any, path: Any = None, target: Any = None) -> Any:
        top = name.partition(".")[0]
        if name in _absent:
            return None
        if top not in self.names:
            if not self.missing or top in self.own or "." in name:
                return None
            if top in _standard_library() or top in sys.builtin_module_names:
                return None
            self.names.add(top)
        self.used.add(top)
        return importlib.machinery.ModuleSpec(name, _Loader(), is_package=True)


def make_serializable() -> None:
    """Let ``json`` write stand-ins: as strings."""
    default = json.JSONEncoder.default

    def with_standins(self: Any, value: Any) -> Any:
        return repr(value) if isinstance(value, StandIn) else default(self, value)

    json.JSONEncoder.default = with_standins  # type: ignore[assignment,method-assign]


def _standard_library() -> Any:
    # Before 3.10 the list is not there; the common platform modules are enough.
    known = getattr(sys, "stdlib_module_names", None)
    return known or {"winreg", "_winapi", "msvcrt", "nt", "posix", "fcntl", "termios"}
