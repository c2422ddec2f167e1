"""Where an unpublished record fails: handlers, ``finally``, functions in between."""

from __future__ import annotations

from tests.proof.cases.case import Case
from tests.proof.programs.world import PackWords

_APART = PackWords(same=False)
_SAME = PackWords(same=True)

CASES = (
    Case(
        name="the binding before the try still fails before it",
        before="""\
from app.context import get_args


def size():
    sa = get_args()
    try:
        return sa.alpha
    except ValueError:
        return -1
""",
        after="""\
from app.context import get_args, get_exec


def size():
    get_args()
    try:
        return get_exec().kernel.alpha
    except ValueError:
        return -1
""",
        decisions=("convert",),
        calls=("size()",),
        pack=_SAME,
    ),
    Case(
        name="a function inside that reads in somebody's try",
        before="""\
from app.context import get_args


def size():
    sa = get_args()

    def alpha():
        return sa.alpha

    try:
        return alpha()
    except ValueError:
        return -1
""",
        after="""\
from app.context import get_args, get_exec


def size():
    get_args()

    def alpha():
        return get_exec().kernel.alpha

    try:
        return alpha()
    except ValueError:
        return -1
""",
        decisions=("convert",),
        calls=("size()",),
        pack=_SAME,
    ),
    Case(
        name="a finally that leaves throws the failure away",
        before="""\
from app.context import get_args


def size():
    try:
        return get_args().alpha
    finally:
        for i in range(2):
            break
        return -1


def quiet():
    try:
        return get_args().alpha
    finally:
        for i in range(2):
            break
""",
        after="""\
from app.context import get_args, get_exec


def size():
    try:
        return get_args().alpha
    finally:
        for i in range(2):
            break
        return -1


def quiet():
    try:
        return get_exec().kernel.alpha
    finally:
        for i in range(2):
            break
""",
        decisions=("guarded", "convert"),
        calls=("size()", "quiet()"),
        pack=_APART,
    ),
)
