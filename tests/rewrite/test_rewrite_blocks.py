"""Calls and functions that lose arguments, are split or enclose what follows."""

from __future__ import annotations

from textwrap import dedent

import pytest

from codemod.model import Anchor
from codemod.plan import (
    FilePlan,
    RemoveArguments,
    RemoveParameters,
    SplitCall,
    WrapRest,
)
from codemod.rewrite import RewriteError, rewrite

# The call or function before, what goes, and what is left.
ARGUMENTS = [
    ("f(a, b, c,)", "2", "f(a, b,)"),
    ("f(a, b , c )", "2", "f(a, b )"),
    ("f(a, b, c=1)", "0", "f(b, c=1)"),
    ("f(a, x=1, b=2)", "x", "f(a, b=2)"),
    (
        "f(a, x=1, *b , # why\n  c=2 , # what\n)",
        "x",
        "f(a, *b , # why\n  c=2 , # what\n)",
    ),
    ("f( a )", "0", "f()"),
    (
        "f(\n    a,\n    b,  # about b\n    c)",
        "2",
        "f(\n    a,\n    b,  # about b\n    )",
    ),
    ("f(\n    a,  # about a\n    b  # noqa\n)", "1", None),
    (
        "f(\n    a,\n    b,  # about b\n    c\n)",
        "2",
        "f(\n    a,\n    b,  # about b\n)",
    ),
]

PARAMETERS = [
    ("a, b, /, c, d, *, e, g", "d e", "a, b, /, c, *, g"),
    ("a, b, /, c, d, *, e, g,", "g", "a, b, /, c, d, *, e,"),
    ("a, b, /, c, d, *, e, g", "e g", "a, b, /, c, d"),
    ("a, b, /, c, d=1", "c d", "a, b, /"),
    ("a, b, /, c, d=1,", "c d", "a, b, /,"),
    ("a, b, /", "b", "a, /"),
    ("a, b, /", "a b", ""),
    ("a, *, e, g, **k", "e g", "a, **k"),
    ("a, *b, e", "e", "a, *b"),
    ("a, b", "a b", ""),
    ("a ,b=1 ", "b", "a "),
]

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
    "values over lines": (
        """
        rec.override(
            a
            .b(),
            size=(1 +
                2),
            kept=c(d)(
                1))
        """,
        """
        source = (a
            .b())
        size = (1 +
                2)
        kept = c(d)(
                1)
        ctx.override(
            source,
            size=size)
        rec.override(
            source,
            kept=kept)
        """,
    ),
    "values over lines, in brackets or not": (
        """
        rec.override(
            a +
            b,
            size={
                1},
            kept=[
                2],
        )
        """,
        """
        source = (a +
            b)
        size = {
                1}
        kept = [
                2]
        ctx.override(
            source,
            size=size,
        )
        rec.override(
            source,
            kept=kept,
        )
        """,
    ),
    "a comment at the bracket stays with the first": (
        """
        rec.override(  # who
            "op",
            size=n,
            kept=1)
        """,
        """
        ctx.override(  # who
            "op",
            size=n)
        rec.override(
            "op",
            kept=1)
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
    "a long function in the rest": (
        """
        def test_it(m):
            m.setattr(x, "y", f)
            def inner():
                a = 1

                b = 2
                return a + b
            inner()
        """,
        """
        def test_it(m):
            with over(y=1):
                def inner():
                    a = 1

                    b = 2
                    return a + b
                inner()
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


@pytest.mark.parametrize(("before", "key", "after"), ARGUMENTS)
def test_remove_arguments(before: str, key: str, after: str | None) -> None:
    """Nothing is left of a comment behind an argument: then the call stays."""
    edit = RemoveArguments(Anchor("call", 0), (key,))
    plan = FilePlan("x.py", "x", False, (edit,))
    if after is None:
        with pytest.raises(RewriteError, match="comment"):
            rewrite(f"{before}\n", plan)
    else:
        assert rewrite(f"{before}\n", plan).text == f"{after}\n"


@pytest.mark.parametrize(("before", "names", "after"), PARAMETERS)
def test_remove_parameters(before: str, names: str, after: str) -> None:
    edit = RemoveParameters(Anchor("function", 0), tuple(names.split()))
    plan = FilePlan("x.py", "x", False, (edit,))
    text = rewrite(f"def f({before}): ...\n", plan).text
    assert text == f"def f({after}): ...\n"


@pytest.mark.parametrize("name", SPLIT)
def test_split(name: str) -> None:
    before, after = map(dedent, SPLIT[name])
    names = [("0", "source"), ("size", "size"), ("kept", "kept")]
    bound = tuple(names) if name.startswith("values") else ()
    edit = SplitCall(Anchor("call", 0), "ctx.override", ("size",), True, bound)
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
