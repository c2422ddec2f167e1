"""Writes that go to the namespaces with their reads, by the series."""

from __future__ import annotations

from tests.proof.cases.case import Case
from tests.proof.programs.world import PackWords

CASES = (
    Case(
        name="a call that is split beside one that is not",
        before="""\
from app.context import get_args


def write():
    get_args().override("why", kappa=1, raw=3)
    get_args().override("why", gamma=3)
    return get_args().kappa, get_args().raw
""",
        after="""\
from app.context import get_args, get_context, get_exec


def write():
    get_context().override("why", kappa=1)
    get_args().override("why", raw=3)
    get_context().override("why", gamma=3)
    return get_exec().kappa, get_args().raw
""",
        decisions=("derived", "derived", "convert", "unrouted"),
        calls=("write()",),
        pack=PackWords(writers=True),
        series=True,
    ),
)
