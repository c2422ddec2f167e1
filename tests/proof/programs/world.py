"""The fixed part of every program: the record, its context, and the pack.

The bags are copies of the record's fields that every write to the published record
also reaches, so code that reads the record and code that reads the bags see the same
values at every moment. The record notes who reads each field, by file and span.
"""

from __future__ import annotations

from dataclasses import dataclass

#: Plain integer fields with a route: the ones that fit anywhere.
NUMBERS = {
    "alpha": "exec.kernel",
    "beta": "exec.kernel",
    "gamma": "exec",
    "zeta": "device",
    "eta": "serve",
    "iota": "model",
}
#: A field that only its writers and readers share: in a strict world what is written to
#: the record does not reach the bags, nor the other way round.
STRICT = "kappa"
#: A field whose accessor is shadowed by a live value when the pack says so.
CONFIGURED = "theta"
LISTS = {"delta": "model"}
MAPPINGS = {"eps": "model.cache"}
ROUTES = {**NUMBERS, CONFIGURED: "exec", STRICT: "exec", **LISTS, **MAPPINGS}
#: A field that no marker routes.
UNROUTED = "raw"
PROPERTY, METHOD = "total", "scaled"
WRITER = "override"
MEMBERS = (PROPERTY, METHOD, WRITER)

ACCESSORS = {
    "exec": "get_exec",
    "model": "get_model",
    "device": "get_device",
    "serve": "serve",
}
#: The aliases that accessors are imported under where their name is taken.
ALIASES = {
    "exec": "get_exec_namespace",
    "model": "get_model_namespace",
    "device": "device_ns",
    "serve": "serve_namespace",
}

PROBE = '''\
"""Notes every read of a field of the record, and every call of an accessor."""

import sys

EVENTS = []
ASKED = [0]
RECORD = [None]


def _file(frame):
    return frame.f_code.co_filename.rpartition("/")[2]


def note(record, name):
    if record is not RECORD[0]:
        return
    frame = sys._getframe(2)
    if _file(frame) == "config.py":
        return  # a method of the record
    while _file(frame) == "context.py":
        frame = frame.f_back
    line, end_line, end_column = frame.f_lineno, None, None
    code = frame.f_code
    if hasattr(code, "co_positions"):
        index = frame.f_lasti // 2
        for number, position in enumerate(code.co_positions()):
            if number == index:
                line, end_line, _, end_column = position
                break
    EVENTS.append((code.co_filename, line, end_line, end_column, name))


def asked():
    ASKED[0] += 1
'''

TRACE = '''\
"""What a program shows of itself, and small helpers for every kind of syntax."""

from contextlib import asynccontextmanager, contextmanager

SEEN = []


class Boom(Exception):
    pass


def boom(value=None):
    raise Boom(value)


def zero():
    return 0


def one():
    return 1


def pair(first, second=0):
    return first, second


@contextmanager
def holder(value=None):
    yield value


@asynccontextmanager
async def aholder(value=None):
    yield value


async def later(value):
    return value


async def arange(count):
    for value in range(count):
        yield value


def drive(coroutine):
    """Run a coroutine that never waits for anything."""
    try:
        coroutine.send(None)
    except StopIteration as stop:
        return stop.value
    raise RuntimeError("it waits")


def same(function=None):
    """A decorator that changes nothing, with an argument or without."""
    return function if callable(function) else lambda inner: inner


def plain(value):
    if isinstance(value, (int, float, str, bytes, type(None))):
        return repr(value)
    if isinstance(value, (list, tuple, set, frozenset)):
        return type(value).__name__ + repr([plain(each) for each in value])
    if isinstance(value, dict):
        return repr([(plain(key), plain(each)) for key, each in value.items()])
    return type(value).__name__


def t(label, value=None):
    """Show a value under a label, and give it back."""
    SEEN.append((label, plain(value)))
    return value
'''

CONFIG = '''\
"""The record."""

from dataclasses import dataclass, field
from typing import Annotated

from app.probe import note

WATCHERS = []


@dataclass(frozen=True)
class NS:
    path: str


@dataclass
class Config:
    alpha: Annotated[int, NS("exec.kernel")] = 1
    beta: Annotated[int, "help", NS("exec.kernel")] = 2
    gamma: Annotated[int, NS("exec")] = 3
    zeta: Annotated[int, NS("device")] = 4
    eta: Annotated[int, NS("serve")] = 5
    iota: Annotated[int, NS("model")] = 6
    theta: Annotated[int, NS("exec")] = 7
    kappa: Annotated[int, NS("exec")] = 12
    delta: Annotated[list, NS("model")] = field(default_factory=lambda: [3, 1, 2])
    eps: Annotated[dict, NS("model.cache")] = field(default_factory=lambda: {"k": 8})
    raw: int = 9

    @property
    def total(self):
        return self.alpha + self.gamma

    def scaled(self, by=2):
        return self.iota * by

    def override(self, source, **fields):
        for name, value in fields.items():
            setattr(self, name, value)

    def __getattribute__(self, name):
        if name in _NOTED:
            note(self, name)
        return object.__getattribute__(self, name)

    def __setattr__(self, name, value):
        object.__setattr__(self, name, value)
        for watcher in WATCHERS:
            watcher(self, name, value)

    def __delattr__(self, name):
        object.__delattr__(self, name)
        for watcher in WATCHERS:
            watcher(self, name, object.__getattribute__(self, name))

    def __getitem__(self, name):
        note(self, name)
        return object.__getattribute__(self, name)

    def get(self, name, default=None):
        note(self, name)
        try:
            return object.__getattribute__(self, name)
        except AttributeError:
            return default


_NOTED = frozenset(Config.__annotations__) | {
    "total",
    "scaled",
    "override",
}


def other(**values):
    """A record of someone else, with values of its own."""
    numbers = dict(
        alpha=51, beta=52, gamma=53, zeta=54, eta=55, iota=56, theta=57, raw=59
    )
    numbers["kappa"] = 60
    lists = {"delta": [9, 8], "eps": {"k": 58}}
    return Config(**{**numbers, **lists, **values})
'''

CONTEXT = '''\
"""Who holds the record, and its namespaces."""

from contextlib import contextmanager
from typing import get_type_hints

from app.config import NS, WATCHERS, Config
from app.probe import RECORD, asked
@EARLY@
ROUTES = {
    name: mark.path
    for name, hint in get_type_hints(Config, include_extras=True).items()
    for mark in getattr(hint, "__metadata__", ())
    if isinstance(mark, NS)
}

STRICT = False


class Bag:
    """A namespace."""


class State:
    record = None
    bags = {}


def _bag(path):
    if path not in State.bags:
        bag = State.bags[path] = Bag()
        above, _, name = path.rpartition(".")
        if above:
            setattr(_bag(above), name, bag)
    return State.bags[path]


def _mirror(record, name, value):
    if record is State.record and name in ROUTES:
        setattr(_bag(ROUTES[name]), name, value)


def _watch(record, name, value):
    if not (STRICT and name == "kappa"):
        _mirror(record, name, value)


WATCHERS.append(_watch)


def publish(**values):
    if State.record is None:
        State.record = RECORD[0] = Config()
        for name in ROUTES:
            _mirror(State.record, name, object.__getattribute__(State.record, name))
    override(**values)


def override(**values):
    for name, value in values.items():
        setattr(get_args(), name, value)


@contextmanager
def scoped(**values):
    record = get_args()
    before = {name: object.__getattribute__(record, name) for name in values}
    override(**values)
    try:
        yield record
    finally:
        override(**before)


class Context:
    def override(self, source, **fields):
        for name, value in fields.items():
            setattr(_bag(ROUTES[name]), name, value)
            if not (STRICT and name == "kappa"):
                setattr(get_args(), name, value)


def get_context():
    get_args()
    return Context()


def get_args():
    if State.record is None:
        raise ValueError("no record was published")
    return State.record


def _open(root):
    asked()
    if State.record is None:
        raise ValueError(f"{root} was read before publishing")
    return State.bags[root]


def get_exec():
    return _open("exec")


def get_model():
    return _open("model")


def get_device():
    return _open("device")


class _Serve:
    def __getattr__(self, name):
        return getattr(_open("serve"), name)


serve = _Serve()


class _Standing:
    """The record as an object that can be imported before there is one."""

    def __getattr__(self, name):
        return getattr(get_args(), name)

    def __setattr__(self, name, value):
        setattr(get_args(), name, value)

    def __delattr__(self, name):
        delattr(get_args(), name)

    def __getitem__(self, name):
        return get_args()[name]

    def get(self, name, default=None):
        return get_args().get(name, default)


config = _Standing()


def configured_theta():
    return get_args().theta


def config_total():
    return get_args().total


def config_scaled(by=2):
    return get_args().scaled(by)
'''

#: Another getter of the same name, whose record nobody migrates.
ELSEWHERE = '''\
"""Somebody else's settings."""

from app.config import other

_mine = other(alpha=81, gamma=83, zeta=84)


def get_args():
    return _mine


def get_device():
    return "elsewhere"
'''

MACHINE = '''\
"""Facts of the machine."""

from contextlib import contextmanager

FACTS = {"is_fast": True, "lanes": 4}


def is_fast():
    return FACTS["is_fast"]


def count_lanes():
    return FACTS["lanes"]


class Platform:
    def __getattr__(self, name):
        return FACTS[name]


def get_platform():
    return Platform()


@contextmanager
def override_platform(**facts):
    before = dict(FACTS)
    FACTS.update(facts)
    try:
        yield
    finally:
        FACTS.update(before)
'''

OWNERS = ("app.config", "app.context", "app.probe", "app.owning")


@dataclass(frozen=True)
class PackWords:
    """What varies from pack to pack."""

    unpublished: str | None = "ValueError"
    same: bool = True
    access: tuple[str, ...] = ("attribute", "getattr")
    configured: bool = False
    derived: bool = False
    writers: bool = False
    probes: bool = False
    boot: bool = False
    entry: str = "app.boot:main"
    #: Functions, as module and path, that want the configured size.
    sites: tuple[tuple[str, str], ...] = ()

    def text(self) -> str:
        """The pack as TOML."""
        lines = [
            "[pack]",
            'name = "proof"',
            "[record]",
            'class = "app.config:Config"',
            'calls = ["app.context:get_args"]',
            'objects = ["app.context:config"]',
            'attributes = ["server_args"]',
            f"access = {list(self.access)!r}".replace("'", '"'),
            f"owners = {list(OWNERS)!r}".replace("'", '"'),
        ]
        if self.unpublished:
            lines.append(f'unpublished = "{self.unpublished}"')
        lines += ["[accessors]"]
        if self.unpublished and self.same:
            lines.append(f'unpublished = "{self.unpublished}"')
        for root, name in ACCESSORS.items():
            kind = "object" if root == "serve" else "call"
            alias = f', alias = "{ALIASES[root]}"' if root == "device" else ""
            lines.append(f'{root} = {{ {kind} = "app.context:{name}"{alias} }}')
        lines += [
            "[[keep]]",
            'reason = "per-instance"',
            'why = "This module has a record of its own."',
            'modules = ["app.kept"]',
            "[[keep]]",
            'reason = "named-keep"',
            'why = "Functions of this name must see the record."',
            'functions = ["keep_*", "**.keep_*"]',
            'fields = ["zeta"]',
        ]
        if self.configured:
            lines += [
                f"[configured.{CONFIGURED}]",
                'call = "app.context:configured_theta"',
            ]
            for module, function in self.sites:
                lines += [
                    f"[[configured.{CONFIGURED}.sites]]",
                    f'module = "{module}"',
                    f'function = "{function}"',
                    'why = "It wants what was asked for."',
                ]
        if self.writers:
            lines += ["[writers]", 'override = { call = "app.context:get_context" }']
        if self.probes:
            lines += [
                "[probes]",
                'call = "app.machine:get_platform"',
                'override = "app.machine:override_platform"',
                "[probes.facts]",
                'is_fast = "app.machine:is_fast"',
                'lanes = "app.machine:count_lanes"',
            ]
        if self.boot:
            lines += [
                "[publish]",
                'call = "app.context:publish"',
                f'entries = ["{self.entry}"]',
            ]
        if self.derived:
            lines += [
                "[derived]",
                f'{PROPERTY} = {{ call = "app.context:config_total", '
                'kind = "property" }',
                f'{METHOD} = {{ call = "app.context:config_scaled", kind = "method" }}',
            ]
        return "\n".join(lines) + "\n"
