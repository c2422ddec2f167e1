"""Names: private ones, the accessors' own where something else has them, defaults."""

from __future__ import annotations

from tests.proof.cases.case import Case

CASES = (
    Case(
        name="a stash under a private name is followed",
        before="""\
from app.context import get_args


class Engine:
    def __init__(self):
        self.__held = get_args()

    def size(self):
        return self.__held.alpha + getattr(self.__held, "gamma", 0)
""",
        after="""\
from app.context import get_args, get_exec


class Engine:
    def __init__(self):
        self.__held = get_args()

    def size(self):
        return get_exec().kernel.alpha + getattr(get_exec(), "gamma", 0)
""",
        decisions=("convert", "convert"),
        calls=("Engine().size()",),
    ),
    Case(
        name="an alias of the accessor may be a local name elsewhere in the file",
        before="""\
from app.context import get_args


def get_exec():
    return "mine"


def local():
    get_exec_namespace = 5
    return get_exec_namespace


def size():
    return get_args().gamma, get_exec()
""",
        after="""\
from app.context import get_exec as get_exec_namespace


def get_exec():
    return "mine"


def local():
    get_exec_namespace = 5
    return get_exec_namespace


def size():
    return get_exec_namespace().gamma, get_exec()
""",
        decisions=("convert",),
        calls=("local()", "size()"),
    ),
    Case(
        name="a class may have a name of its own that the accessor has too",
        before="""\
from app.context import get_args


class Engine:
    get_exec = 5
    sizes = [get_exec for _ in range(2)] if get_exec < 5 else get_exec

    def size(self, most=get_exec):
        return get_args().alpha, most
""",
        after="""\
from app.context import get_exec


class Engine:
    get_exec = 5
    sizes = [get_exec for _ in range(2)] if get_exec < 5 else get_exec

    def size(self, most=get_exec):
        return get_exec().kernel.alpha, most
""",
        decisions=("convert",),
        calls=("Engine().size()", "Engine.sizes"),
    ),
    Case(
        name="a default by a module's own name for the getter lists the parameter",
        before="""\
from app.context import get_args as fetch

getter = fetch


def size(c=getter()):
    return c.alpha
""",
        after="""\
from app.context import get_args as fetch

getter = fetch


def size(c=getter()):
    return c.alpha
""",
        decisions=("parameter",),
        calls=("size()",),
        late=True,
    ),
)
