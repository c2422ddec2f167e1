"""Modules and their names, reached and bound by strings."""

from __future__ import annotations

from tests.proof.cases.case import Case


def _kept(
    name: str, text: str, calls: str, more: tuple[tuple[str, str], ...] = ()
) -> Case:
    """A module with one read, which may be of another object."""
    return Case(name, text, text, ("ambiguous",), (calls,), late=True, more=more)


_LATE = """\
import sys

from app.config import other
from app.context import get_args

ARGS = get_args()


def size():
    return ARGS.alpha


def spoil():
"""

CASES = (
    Case(
        name="a module that is imported by a string",
        before="""\
import importlib
import sys
from importlib import import_module as load

ctx = importlib.import_module("app.context")
pkg = __import__("app.context")


def sizes():
    mine = load("app.context")
    theirs = load("app.elsewhere").get_args().alpha
    return mine.get_args().alpha, mine.config.beta, theirs


def more():
    return ctx.get_args().alpha, pkg.context.get_args().beta


def loaded():
    return sys.modules["app.context"].get_args().gamma
""",
        after="""\
import importlib
from importlib import import_module as load

from app.context import get_exec

ctx = importlib.import_module("app.context")
pkg = __import__("app.context")


def sizes():
    mine = load("app.context")
    theirs = load("app.elsewhere").get_args().alpha
    return get_exec().kernel.alpha, get_exec().kernel.beta, theirs


def more():
    return get_exec().kernel.alpha, get_exec().kernel.beta


def loaded():
    return get_exec().gamma
""",
        decisions=("convert",) * 5,
        calls=("sizes()", "more()", "loaded()"),
    ),
    _kept(
        "a module's __getattr__ answers for the getter",
        """\
from app import lazy


def size():
    return lazy.get_args().alpha
""",
        "size()",
        (
            (
                "app/lazy.py",
                """\
import importlib


def __getattr__(name):
    return getattr(importlib.import_module("app.context"), name)
""",
            ),
        ),
    ),
    _kept(
        "a module's __getattr__ answers for the object",
        """\
from app.lazy import config


def size():
    return config.alpha
""",
        "size()",
        (
            (
                "app/lazy.py",
                """\
import app.context


def __getattr__(name):
    return getattr(app.context, name)
""",
            ),
        ),
    ),
    _kept(
        "globals() binds a name",
        _LATE + '    globals()["ARGS"] = other()\n    return size()\n',
        "spoil()",
    ),
    _kept(
        "globals() is updated",
        _LATE + "    globals().update(ARGS=other())\n    return size()\n",
        "spoil()",
    ),
    _kept(
        "globals() is updated by a dictionary",
        _LATE + '    globals().update({"ARGS": other()})\n    return size()\n',
        "spoil()",
    ),
    _kept(
        "a module sets an attribute of itself",
        _LATE + '    setattr(sys.modules[__name__], "ARGS", other())\n'
        "    return size()\n",
        "spoil()",
    ),
    Case(
        name="a module's getter is another from outside",
        before="""\
import app.m1
from app.config import other


def size():
    app.m1.get_args = other
    return app.m1.size()
""",
        after="""\
import app.m1
from app.config import other


def size():
    app.m1.get_args = other
    return app.m1.size()
""",
        decisions=(),
        calls=("size()",),
        more=(
            (
                "app/m1.py",
                """\
from app.context import get_args


def size():
    return get_args().alpha
""",
            ),
        ),
    ),
    Case(
        name="a name that a string asks for stays",
        before="""\
import sys

from app.context import get_args

ARGS = get_args()


def size():
    return ARGS.alpha


def shown():
    return size(), getattr(sys.modules[__name__], "ARGS") is get_args()
""",
        after="""\
import sys

from app.context import get_args, get_exec

ARGS = get_args()


def size():
    return get_exec().kernel.alpha


def shown():
    return size(), getattr(sys.modules[__name__], "ARGS") is get_args()
""",
        decisions=("convert",),
        calls=("shown()",),
        late=True,
    ),
    Case(
        name="a name that globals() may show stays",
        before="""\
from app.context import get_args

ARGS = get_args()


def size():
    return ARGS.alpha, "{ARGS.__class__.__name__}".format(**globals())
""",
        after="""\
from app.context import get_args, get_exec

ARGS = get_args()


def size():
    return get_exec().kernel.alpha, "{ARGS.__class__.__name__}".format(**globals())
""",
        decisions=("convert",),
        calls=("size()",),
        late=True,
    ),
    Case(
        name="a name in an annotation that is evaluated later stays",
        before="""\
import typing

from app.context import get_args

ARGS = get_args()


def size(given: "typing.Literal[ARGS.__class__.__name__]" = "") -> int:
    return ARGS.alpha


def hints():
    return size(), typing.get_type_hints(size)["given"].__args__
""",
        after="""\
import typing

from app.context import get_args, get_exec

ARGS = get_args()


def size(given: "typing.Literal[ARGS.__class__.__name__]" = "") -> int:
    return get_exec().kernel.alpha


def hints():
    return size(), typing.get_type_hints(size)["given"].__args__
""",
        decisions=("convert",),
        calls=("hints()",),
        late=True,
    ),
    Case(
        name="a name in a text that is evaluated stays",
        before="""\
from app.context import get_args

ARGS = get_args()


def size():
    return ARGS.alpha, eval("ARGS.__class__.__name__")
""",
        after="""\
from app.context import get_args, get_exec

ARGS = get_args()


def size():
    return get_exec().kernel.alpha, eval("ARGS.__class__.__name__")
""",
        decisions=("convert",),
        calls=("size()",),
        late=True,
    ),
    Case(
        name="a default is for an attribute that holds nothing yet",
        before="""\
from app.context import get_args


class Engine:
    server_args = None

    def start(self):
        self.server_args = get_args()
        return self

    def size(self):
        return getattr(self.server_args, "alpha", "none")

    def plain(self):
        return self.server_args.alpha


def sizes():
    engine = Engine()
    return engine.size(), engine.start().size(), engine.plain()
""",
        after="""\
from app.context import get_args, get_exec


class Engine:
    server_args = None

    def start(self):
        self.server_args = get_args()
        return self

    def size(self):
        return getattr(self.server_args, "alpha", "none")

    def plain(self):
        return get_exec().kernel.alpha


def sizes():
    engine = Engine()
    return engine.size(), engine.start().size(), engine.plain()
""",
        decisions=("ambiguous", "convert"),
        calls=("sizes()",),
    ),
)
