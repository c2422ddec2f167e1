"""Bodies that are left out while a file is edited come back as they were.

A shortened file that went wrong would be edited whole instead, and nobody would see
it; so it is looked at here by itself.
"""

from __future__ import annotations

import ast
from textwrap import dedent

import pytest
from rewrite_support import Drop, Import, Read, Unimport, Wish, plan_for

from codemod.rewrite import rewrite
from codemod.rewrite.anchors import marked_tree
from codemod.rewrite.eliding import Elided, Misplaced, elided

LONG = """
    for x in a.b:
        c = d.e(x)

        f[c] = (g := h.i)

        def inner():
            import j
            return j.k
    return c  # last
"""

DEEP = LONG.replace("\n", "\n    ")

# A text with LONG for every `...`, what is asked, the functions left out, the text
# with LONG for every `...` after it.
CASES: dict[str, tuple[str, list[Wish], list[str], str]] = {
    "before, between and after": (
        """
        def first(): ...
        a = sa.x
        def second(): ...
        sa.x
        class A:
            import os
            b = sa.x
        def third(): ...
        def fourth(): ...
        c = sa.x
        """,
        [Read("sa.x")],
        ["first", "second", "third", "fourth"],
        """
        def first(): ...
        a = get_exec().kernel.x
        def second(): ...
        get_exec().kernel.x
        class A:
            import os
            b = get_exec().kernel.x
        def third(): ...
        def fourth(): ...
        c = get_exec().kernel.x
        """,
    ),
    "every kind of anchor after one": (
        """
        from m import get
        def first(): ...
        from m import other
        sa = get()
        (w := 1)
        def f():
            return sa["y"]
        """,
        [
            Drop("sa = get()"),
            Unimport("other", 2),
            Read("sa['y']"),
            Import("get_exec", function="f"),
        ],
        ["first"],
        """
        from m import get
        def first(): ...
        (w := 1)
        def f():
            from app.context import get_exec

            return get_exec().kernel.y
        """,
    ),
    "an import at the top": (
        "import os\n\n\ndef first(): ...\n",
        [Import("get_exec")],
        ["first"],
        "import os\n\nfrom app.context import get_exec\n\n\ndef first(): ...\n",
    ),
    "not the function itself": (
        "def first(): ...\ndef second(): ...\n",
        [Import("get_exec", function="second")],
        ["first"],
        "def first(): ...\ndef second():\n    from app.context import get_exec\n@...\n",
    ),
}


def _text(text: str) -> str:
    text = dedent(text).removeprefix("\n")
    return text.replace(" ...\n", LONG).replace("@...\n", LONG)


def _elided(text: str, *wishes: Wish) -> Elided:
    return elided(text, marked_tree(ast.parse(text)), plan_for(text, *wishes))


def _functions_left_out(text: str, short: Elided) -> list[str]:
    """Return the functions of ``text`` that are a single name in ``short``."""
    return [
        node.name
        for node in ast.walk(ast.parse(short.text))
        if isinstance(node, ast.FunctionDef)
        and ast.unparse(node.body).startswith("nsroute_")
    ]


@pytest.mark.parametrize("name", CASES)
def test_bodies_come_back(name: str) -> None:
    text, wishes, functions, after = CASES[name]
    before = _text(text)
    short = _elided(before, *wishes)
    assert _functions_left_out(before, short) == functions
    assert len(short.bodies) == len(functions)
    assert short.restored(short.text) == before
    assert short.tree.marks == marked_tree(ast.parse(short.text)).marks
    # The shortened text is Python, so it can be edited like any other.
    edited = rewrite(short.text, short.plan).text
    assert short.restored(edited) == _text(after)
    assert rewrite(before, plan_for(before, *wishes)).text == _text(after)


INNER = [
    (
        "the inner functions of one that is edited",
        f"def outer():\n    sa.x\n    def inner():{DEEP}\n    def other(): pass\n",
        ["inner"],
    ),
    (
        "the outermost alone",
        f"sa.x\ndef outer():\n    x = 1\n    def inner():{DEEP}\n",
        ["outer"],
    ),
    ("a body that starts on the line of its def", "def f(): g(\n\n\n\n\n)\nsa.x\n", []),
    (
        "a body whose first line is a decorator",
        "def f():\n    @a\n    def g():\n        b\n    x = 2\n\n    y = 3\nsa.x\n",
        [],
    ),
    ("a short body, far down", "\n\n\n\n\n\ndef f():\n    return 1\nsa.x\n", []),
    ("a word that stands for bodies", f"def f():{LONG}sa.x\n# nsroute_elided_0\n", []),
    ("carriage returns", f"def f():{LONG}sa.x\n".replace("\n", "\r\n"), ["f"]),
    ("the end of a file", f"sa.x\ndef f():{LONG}".rstrip(), ["f"]),
]


@pytest.mark.parametrize(
    ("text", "functions"), [c[1:] for c in INNER], ids=[c[0] for c in INNER]
)
def test_which_bodies_are_left_out(text: str, functions: list[str]) -> None:
    short = _elided(text, Read("sa.x"))
    assert _functions_left_out(text, short) == functions
    assert short.restored(short.text) == text
    assert rewrite(text, plan_for(text, Read("sa.x"))).text == text.replace(
        "sa.x", "get_exec().kernel.x"
    )


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("    nsroute_elided_0", "        nsroute_elided_0"),
        ("    nsroute_elided_0\n", "    pass\n"),
        ("    nsroute_elided_0\n", "    nsroute_elided_0\n    nsroute_elided_0\n"),
        ("nsroute_elided_0", "nsroute_elided_0, 1"),
        ("nsroute_elided_0", "nsroute_elided_1"),
    ],
)
def test_a_body_without_a_place_is_noticed(old: str, new: str) -> None:
    text = f"def f():{LONG}def g():{LONG}sa.x\n"
    short = _elided(text, Read("sa.x"))
    with pytest.raises(Misplaced):
        short.restored(short.text.replace(old, new, 1))
