"""Names of the record that go from module to module."""

from __future__ import annotations

from tests.proof.cases.case import Case

_FACADE = ("app/roof.py", "from app.facade import *\n")

CASES = (
    Case(
        name="a name that another module renamed, through modules that import it whole",
        before="""\
import app.attic as attic
from app.roof import fetch


def sizes():
    return fetch().alpha, attic.fetch().beta, attic.SETTINGS.gamma
""",
        after="""\
from app.context import get_exec


def sizes():
    return get_exec().kernel.alpha, get_exec().kernel.beta, get_exec().gamma
""",
        decisions=("convert", "convert", "convert"),
        calls=("sizes()",),
        more=(_FACADE, ("app/attic.py", "from app.roof import *\n")),
    ),
    Case(
        name="a renamed name that a second module passes on",
        before="""\
import app.second as second


def sizes():
    return second.SETTINGS.gamma
""",
        after="""\
from app.context import get_exec


def sizes():
    return get_exec().gamma
""",
        decisions=("convert",),
        calls=("sizes()",),
        more=(("app/second.py", "from app.facade import SETTINGS\n\nS = SETTINGS\n"),),
    ),
    Case(
        name="a package's own name, imported with a dot",
        before="""\
from . import fetch


def sizes():
    return fetch().alpha
""",
        after="""\
from app.context import get_exec


def sizes():
    return get_exec().kernel.alpha
""",
        decisions=("convert",),
        calls=("sizes()",),
        more=(
            (
                "app/__init__.py",
                "from app.context import get_args\n"
                "from app.context import get_args as fetch\n",
            ),
        ),
    ),
    Case(
        name="a subclass of another file whose body binds the stash's name",
        before="""\
from app.config import other
from app.engine import Engine


class Child(Engine):
    _held = other()


def sizes():
    return Child().size(), Child().filled().size()
""",
        after="""\
from app.config import other
from app.engine import Engine


class Child(Engine):
    _held = other()


def sizes():
    return Child().size(), Child().filled().size()
""",
        decisions=(),
        calls=("sizes()",),
        more=(
            (
                "app/engine.py",
                "from app.context import get_args\n\n\n"
                "class Engine:\n"
                "    def filled(self):\n"
                "        self._held = get_args()\n"
                "        return self\n\n"
                "    def size(self):\n"
                "        return self._held.alpha\n",
            ),
        ),
    ),
)
