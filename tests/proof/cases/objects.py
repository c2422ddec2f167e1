"""Attributes that hold the record, and what may put something else into them."""

from __future__ import annotations

from tests.proof.cases.case import Case


def _same(name: str, text: str, decisions: tuple[str, ...], calls: str) -> Case:
    """A case in which nothing changes."""
    return Case(name, text, text, decisions, (calls,))


CASES = (
    _same(
        "setattr with a literal name is an assignment",
        """\
from app.config import other
from app.context import get_args


class Engine:
    def __init__(self):
        self._held = get_args()

    def spoil(self):
        setattr(self, "_held", other())
        return self

    def size(self):
        return self._held.alpha


def sizes():
    return Engine().size(), Engine().spoil().size()
""",
        ("ambiguous",),
        "sizes()",
    ),
    Case(
        name="a frozen class assigns by object.__setattr__",
        before="""\
from app.context import get_args


class Engine:
    def __init__(self):
        object.__setattr__(self, "_held", get_args())

    def size(self):
        return self._held.alpha
""",
        after="""\
from app.context import get_args, get_exec


class Engine:
    def __init__(self):
        object.__setattr__(self, "_held", get_args())

    def size(self):
        return get_exec().kernel.alpha
""",
        decisions=("convert",),
        calls=("Engine().size()",),
    ),
    _same(
        "a property of a subclass takes the place of a stash",
        """\
from app.config import other
from app.context import get_args


class Engine:
    def __init__(self):
        self._held = get_args()

    def size(self):
        return self._held.alpha


class Other(Engine):
    @property
    def _held(self):
        return other()

    @_held.setter
    def _held(self, value):
        pass


def sizes():
    return Engine().size(), Other().size()
""",
        ("ambiguous",),
        "sizes()",
    ),
)
