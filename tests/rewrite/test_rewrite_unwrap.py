"""Bindings that lose their name: the value is still evaluated, at its place."""

from __future__ import annotations

from textwrap import dedent

import pytest
from rewrite_support import anchors_of_kind

from codemod.plan import FilePlan, UnwrapStatement, UnwrapWalrus
from codemod.rewrite import RewriteError, rewrite

STATEMENTS = [
    ("sa = get()", "get()"),
    ("a = b = get()  # why", "get()  # why"),
    ("sa: T = get()", "get()"),
    ("x = 1; sa = get(); y = 2", "x = 1; get(); y = 2"),
    ("if x: sa = get()", "if x: get()"),
    ("sa = a, b", "a, b"),
    ("sa = (\n    get()  # in it\n)", "(\n    get()  # in it\n)"),
    ("sa: (  # kind\n    T\n) = get()", "(\n    # kind\n    get()\n)"),
    ("sa = lambda: 1", "lambda: 1"),
]

WALRUSES = [
    ("f(sa := get())", "f(get())"),
    ("f((sa := get()), 1)", "f(get(), 1)"),
    ("f(1, x=(sa := get()))", "f(1, x=get())"),
    ("if sa := get(): pass", "if get(): pass"),
    ("if(sa := get()): pass", "if(get()): pass"),
    ("y = (sa := get()).x", "y = get().x"),
    ("y = (sa := a or b).x", "y = (a or b).x"),
    ("y = (sa := a if b else c) + 1", "y = (a if b else c) + 1"),
    ("y = [sa := get(), z]", "y = [get(), z]"),
    ("y = x[sa := get()]", "y = x[get()]"),
    ("y = [a for a in b if (sa := get())]", "y = [a for a in b if get()]"),
    ("y = (sa := (b := get()))", "y = (b := get())"),
    ('f"{(sa := get())}"', 'f"{get()}"'),
    ('f"{(sa := get())=}"', 'f"(sa := get())={get()!r}"'),
    ("y = (\n    sa := get()  # why\n)", "y = (\n    get()  # why\n)"),
    ("y = (\n    sa  # name\n    := get()\n)", "y = (\n    # name\n    get()\n)"),
]


@pytest.mark.parametrize(("before", "after"), STATEMENTS)
def test_statement(before: str, after: str) -> None:
    # The binding under test is the one of `sa`, or of `a = b`.
    anchors = anchors_of_kind(before, "assign")
    number = 1 if before.startswith("x = 1") else 0
    plan = FilePlan("x.py", "x", False, (UnwrapStatement(anchors[number]),))
    assert rewrite(f"{before}\n", plan).text == f"{after}\n"


@pytest.mark.parametrize(("before", "after"), WALRUSES)
def test_walrus(before: str, after: str) -> None:
    anchor = anchors_of_kind(before, "walrus")[0]
    plan = FilePlan("x.py", "x", False, (UnwrapWalrus(anchor),))
    assert rewrite(f"{before}\n", plan).text == f"{after}\n"


def test_a_statement_without_a_value_is_refused() -> None:
    text = dedent("""
        x = 1
        sa: T
    """)
    anchor = anchors_of_kind(text, "assign")[1]
    plan = FilePlan("x.py", "x", False, (UnwrapStatement(anchor),))
    with pytest.raises(RewriteError, match="binds no value") as caught:
        rewrite(text, plan)
    assert caught.value.line == 3
