"""Stashes that are filled in ways that name no attribute, and missing ones."""

from __future__ import annotations

from tests.proof.cases.case import Case

_HEAD = """\
from app.config import other
from app.context import get_args


"""
_READ = """\
    def size(self):
        return self._held.alpha
"""
_INIT = """\
    def __init__(self):
        self._held = get_args()

"""


def _kept(name: str, text: str, calls: str, reason: str = "ambiguous") -> Case:
    """A module with one read, which stays."""
    return Case(name, _HEAD + text, _HEAD + text, (reason,), (calls,))


def _engine(name: str, methods: str, calls: str, head: str = "class Engine:") -> Case:
    """A class with a stash, and more methods between it and the read."""
    return _kept(name, f"{head}\n{_INIT}{methods}\n{_READ}", calls)


CASES = (
    _engine(
        "a computed setattr may fill a stash",
        """\
    def spoil(self):
        for name in ("_held",):
            setattr(self, name, other())
        return self
""",
        "Engine().spoil().size()",
    ),
    _engine(
        "so may __setattr__ with a computed name",
        """\
    def spoil(self, **more):
        for name in more:
            object.__setattr__(self, name, more[name])
        return self
""",
        "Engine().spoil(_held=other()).size()",
    ),
    _engine(
        "and an object that a class method makes",
        """\
    @classmethod
    def of(cls, **more):
        made = cls()
        for name, value in more.items():
            setattr(made, name, value)
        return made
""",
        "Engine.of(_held=other()).size()",
    ),
    _engine(
        "the dictionary of an object is updated",
        """\
    def spoil(self, **more):
        self.__dict__.update(more)
        return self
""",
        "Engine().spoil(_held=other()).size()",
    ),
    _engine(
        "an item of the dictionary is assigned",
        """\
    def spoil(self):
        vars(self)["_held"] = other()
        return self
""",
        "Engine().spoil().size()",
    ),
    _engine(
        "the dictionary is another one",
        """\
    def clone(self, **more):
        made = object.__new__(type(self))
        made.__dict__ = {**self.__dict__, **more}
        return made
""",
        "Engine().clone(_held=other()).size()",
    ),
    _engine(
        "the dictionary goes by another name",
        """\
    def spoil(self):
        own = self.__dict__
        own["_held"] = other()
        return self
""",
        "Engine().spoil().size()",
    ),
    _engine(
        "a class that answers for its attributes",
        """\
    def __getattribute__(self, name):
        return other() if name == "_held" else object.__getattribute__(self, name)
""",
        "Engine().size()",
    ),
    _engine(
        "a class that assigns something else",
        """\
    def __setattr__(self, name, value):
        object.__setattr__(self, name, other())
""",
        "Engine().size()",
    ),
    _engine(
        "a class that is pickled its own way",
        """\
    def __setstate__(self, state):
        self.__dict__ = {"_held": other()}
""",
        "Engine().size()",
    ),
    _kept(
        "a metaclass puts a property there",
        f"""\
class Meta(type):
    def __new__(cls, name, bases, body):
        body["_held"] = property(lambda self: other(), lambda self, value: None)
        return super().__new__(cls, name, bases, body)


class Engine(metaclass=Meta):
{_INIT}{_READ}""",
        "Engine().size()",
    ),
    _kept(
        "a data class takes it as an argument",
        f"""\
from dataclasses import dataclass


@dataclass
class Engine:
    _held: object = None

    def start(self):
        self._held = get_args()

{_READ}
""",
        "Engine(other()).size()",
    ),
    _kept(
        "a data class takes a field that a subclass fills",
        f"""\
from dataclasses import dataclass


@dataclass
class Engine:
    _held: object

{_READ}

class Filled(Engine):
    def __init__(self):
        self._held = get_args()


def sizes():
    return Engine(other()).size(), Filled().size()
""",
        "sizes()",
    ),
    _kept(
        "a named tuple takes it as an argument",
        """\
from typing import NamedTuple


def shown():
    class Engine(NamedTuple):
        held: object = get_args()

        def size(self):
            return self.held.alpha

    return Engine().size(), Engine(held=other()).size()
""",
        "shown()",
    ),
    _kept(
        "a patch names the attribute",
        f"""\
from unittest import mock


class Engine:
{_INIT}{_READ}

def sizes():
    engine = Engine()
    with mock.patch.object(engine, "_held", other()):
        return engine.size()
""",
        "sizes()",
    ),
    _kept(
        "a string names the attribute of the class",
        f"""\
from unittest import mock


class Engine:
    def start(self):
        self._held = get_args()
        return self

{_READ}

def sizes():
    with mock.patch("app.m0.Engine._held", other(), create=True):
        return Engine().size()
""",
        "sizes()",
    ),
    _kept(
        "an attribute that is deleted is asked for elsewhere",
        f"""\
class Engine:
{_INIT}    def __getattr__(self, name):
        return other()

    def drop(self):
        del self._held
        return self

{_READ}""",
        "Engine().drop().size()",
    ),
    _kept(
        "an attribute that is not there yet is asked for elsewhere",
        f"""\
class Engine:
    def start(self):
        self._held = get_args()
        return self

    def __getattr__(self, name):
        return other()

{_READ}

def sizes():
    return Engine().size(), Engine().start().size()
""",
        "sizes()",
    ),
    _kept(
        "a handler waits for a stash that is not there",
        """\
class Engine:
    def start(self):
        self._held = get_args()
        return self

    def size(self):
        try:
            return self._held.alpha
        except AttributeError:
            return "not started"


def sizes():
    return Engine().size(), Engine().start().size()
""",
        "sizes()",
        "guarded",
    ),
    _kept(
        "a handler waits for a name that is not there",
        """\
def start():
    global ARGS
    ARGS = get_args()


def size():
    try:
        return ARGS.alpha
    except NameError:
        return "not started"


def sizes():
    first = size()
    start()
    return first, size()
""",
        "sizes()",
        "guarded",
    ),
    Case(
        name="an annotation of what the class sets itself is no argument",
        before=f"""\
from abc import ABCMeta

from app.context import get_args


class Engine(dict, metaclass=ABCMeta):
    _held: object

    def __init__(self):
        self._held = get_args()

    def shown(self):
        return dict(self.__dict__), vars(self).keys()

{_READ}""",
        after="""\
from abc import ABCMeta

from app.context import get_args, get_exec


class Engine(dict, metaclass=ABCMeta):
    _held: object

    def __init__(self):
        self._held = get_args()

    def shown(self):
        return dict(self.__dict__), vars(self).keys()

    def size(self):
        return get_exec().kernel.alpha
""",
        decisions=("convert",),
        calls=("Engine().size()",),
    ),
)
