"""Calls that become two, or a ``with`` around what follows: the lines around them."""

from __future__ import annotations

from textwrap import dedent

import pytest

from codemod.model import Anchor
from codemod.plan import FilePlan, SplitCall, WrapRest
from codemod.rewrite import RewriteError, rewrite

SPLIT = {
    "between other lines": (
        """
        a = 1

        # why
        rec.override("op", size=n, kept=1)  # both
        if a:
            b = 2

        c = 3
        """,
        """
        a = 1

        # why
        ctx.override("op", size=n)
        rec.override("op", kept=1)  # both
        if a:
            b = 2

        c = 3
        """,
    ),
    "on the line of its def": (
        """
        def f(): rec.override("op", size=n, kept=1)  # both
        """,
        """
        def f(): ctx.override("op", size=n); rec.override("op", kept=1)  # both
        """,
    ),
}

WRAP = {
    "the rest of its block only": (
        """
        def test_it(m):
            if m:
                a = 1
                # why
                m.setattr(x, "y", f)  # what
                if a:
                    b()

                c()
            d()
        """,
        """
        def test_it(m):
            if m:
                a = 1
                # why
                with over(y=1):  # what
                    if a:
                        b()

                    c()
            d()
        """,
    ),
    "nothing follows": (
        """
        def test_it(m):
            a = 1
            m.setattr(x, "y", f)
        """,
        """
        def test_it(m):
            a = 1
            m.setattr(x, "y", f)
        """,
    ),
}


@pytest.mark.parametrize("name", SPLIT)
def test_split(name: str) -> None:
    before, after = map(dedent, SPLIT[name])
    edit = SplitCall(Anchor("call", 0), "ctx.override", ("size",), True)
    assert rewrite(before, FilePlan("x.py", "x", False, (edit,))).text == after


@pytest.mark.parametrize("name", WRAP)
def test_wrap_the_rest(name: str) -> None:
    before, after = map(dedent, WRAP[name])
    edit = WrapRest(Anchor("call", 0), "over(y=1)")
    assert rewrite(before, FilePlan("x.py", "x", False, (edit,))).text == after


@pytest.mark.parametrize(
    "body", [" m.setattr(x, 'y', f)", "\n    m.setattr(x, 'y', f); b()"]
)
def test_a_call_without_a_line_of_its_own_encloses_nothing(body: str) -> None:
    plan = FilePlan("x.py", "x", False, (WrapRest(Anchor("call", 0), "over(y=1)"),))
    with pytest.raises(RewriteError, match="a line of its own") as caught:
        rewrite(f"def test_it(m):{body}\n", plan)
    assert caught.value.line == body.count("\n") + 1
