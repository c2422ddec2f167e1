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
    Case(
        name="a star would carry the accessor to where its name is another's",
        before="""\
from app.helping import *
from app.leaking import *


def sizes():
    return size(), get_exec()
""",
        after="""\
from app.helping import *
from app.leaking import *


def sizes():
    return size(), get_exec()
""",
        decisions=(),
        calls=("sizes()",),
        more=(
            ("app/helping.py", "def get_exec():\n    return 'mine'\n"),
            (
                "app/leaking.py",
                "from app.context import get_args\n\n\n"
                "def size():\n    return get_args().alpha\n",
            ),
        ),
    ),
    Case(
        name="an accessor that is deleted is imported under its alias",
        before="""\
from app.context import get_args, get_exec

kept = get_exec
del get_exec


def size():
    return get_args().alpha
""",
        after="""\
from app.context import get_exec, get_exec as get_exec_namespace

kept = get_exec
del get_exec


def size():
    return get_exec_namespace().kernel.alpha
""",
        decisions=("convert",),
        calls=("size()",),
    ),
    Case(
        name="globals() binds the accessor's name",
        before="""\
from app.context import get_args

globals()["get_exec"] = lambda: "mine"


def size():
    return get_args().alpha, get_exec()
""",
        after="""\
from app.context import get_args, get_exec as get_exec_namespace

globals()["get_exec"] = lambda: "mine"


def size():
    return get_exec_namespace().kernel.alpha, get_exec()
""",
        decisions=("convert",),
        calls=("size()",),
    ),
    Case(
        name="a class body imports the record",
        before="""\
class Engine:
    from app.context import config

    def size(self):
        return self.config.alpha, Engine.config.beta


class Other(Engine):
    from app.elsewhere import _mine as config

    def more(self):
        return self.config.gamma
""",
        after="""\
class Engine:
    from app.context import config

    def size(self):
        return self.config.alpha, Engine.config.beta


class Other(Engine):
    from app.elsewhere import _mine as config

    def more(self):
        return self.config.gamma
""",
        decisions=("ambiguous", "ambiguous", "ambiguous"),
        calls=("Engine().size()", "Other().size()", "Other().more()"),
    ),
    Case(
        name="a class body alone imports the record",
        before="""\
class Engine:
    from app.context import config

    def size(self):
        return self.config.alpha
""",
        after="""\
from app.context import get_exec


class Engine:
    from app.context import config

    def size(self):
        return get_exec().kernel.alpha
""",
        decisions=("convert",),
        calls=("Engine().size()",),
    ),
)
