"""What runs before the record is published."""

from __future__ import annotations

from tests.proof.cases.case import Case
from tests.proof.programs.world import PackWords

CASES = (
    Case(
        name="the body of a class runs with the function around it",
        before="""\
from app.context import get_args, publish


def prepare():
    class Limits:
        most = get_args().alpha

        def least(self, default=get_args().beta):
            return default

    return Limits().least()


def main():
    prepare()
    publish()
    return get_args().alpha
""",
        after="""\
from app.context import get_args, get_exec, publish


def prepare():
    class Limits:
        most = get_args().alpha

        def least(self, default=get_args().beta):
            return default

    return Limits().least()


def main():
    prepare()
    publish()
    return get_exec().kernel.alpha
""",
        decisions=("pre-publish", "pre-publish", "convert"),
        calls=("main()",),
        pack=PackWords(boot=True, entry="app.m0:main"),
    ),
)
