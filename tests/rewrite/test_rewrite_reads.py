"""Reads: what they become, and that everything around them stays as it was.

Every case turns all reads named in it into ones of ``get_exec().kernel``, or of
``ns().k`` where a line is short.
"""

from __future__ import annotations

import subprocess
from textwrap import dedent

import pytest
from interpreters import INTERPRETERS
from rewrite_support import Import, Read, rewritten

ONE_LINE = [
    # Any expression can be the base.
    ("y = sa.x", "y = ns().k.x", ["sa.x"]),
    ("y = get_server_args().x", "y = ns().k.x", ["get_server_args().x"]),
    ("y = self.server_args.x", "y = ns().k.x", ["self.server_args.x"]),
    ("y = rc.get(a, *b).x", "y = ns().k.x", ["rc.get(a, *b).x"]),
    ("y = (z := get()).x", "y = ns().k.x", ["(z := get()).x"]),
    ("y = (a if b else c).x", "y = ns().k.x", ["(a if b else c).x"]),
    ("y = (a or b).x", "y = ns().k.x", ["(a or b).x"]),
    # What follows the read is nobody's business.
    ("y = sa.x.y[0].z(1)", "y = ns().k.x.y[0].z(1)", ["sa.x"]),
    ("sa.x.append(1)", "ns().k.x.append(1)", ["sa.x"]),
    # Chosen parentheses and spaces stay, needed ones go.
    ("y = (sa).x", "y = (ns()).k.x", ["sa.x"]),
    ("y = ((sa.x))", "y = ((ns().k.x))", ["sa.x"]),
    ("y = sa . x", "y = ns() . k.x", ["sa.x"]),
    ("y = get_server_args( ).x", "y = ns( ).k.x", ["get_server_args().x"]),
    # Words need a space where a bracket needed none.
    ("y = not(sa.x)", "y = not(ns().k.x)", ["sa.x"]),
    ("y = not(a or b).x", "y = not(ns().k.x)", ["(a or b).x"]),
    ("y = a in(sa).x", "y = a in(ns()).k.x", ["sa.x"]),
    ("y = lambda:sa.x", "y = lambda:ns().k.x", ["sa.x"]),
    (
        "print(sa.x)if sa.y else(z)",
        "print(ns().k.x)if ns().k.y else(z)",
        ["sa.x", "sa.y"],
    ),
    (
        'y = getattr(sa,"x")if a else b',
        "y = (ns().k.x)if a else b",
        ["getattr(sa, 'x')"],
    ),
    (
        'y = 1 + getattr(sa,"x")if a else b',
        "y = (1 + ns().k.x)if a else b",
        ["getattr(sa, 'x')"],
    ),
    ('y = sa["x"]and a', "y = (ns().k.x)and a", ["sa['x']"]),
    (
        'y = [q for q in sa["x"]if q]',
        "y = [q for q in (ns().k.x)if q]",
        ["sa['x']"],
    ),
    # Where a read can stand.
    ("y = a[sa.x:sa.y]", "y = a[ns().k.x:ns().k.y]", ["sa.x", "sa.y"]),
    ("f(*sa.x, **sa.y)", "f(*ns().k.x, **ns().k.y)", ["sa.x", "sa.y"]),
    ("y = {sa.x: 1, **sa.y}", "y = {ns().k.x: 1, **ns().k.y}", ["sa.x", "sa.y"]),
    (
        "y = [a for a in sa.x if sa.y]",
        "y = [a for a in ns().k.x if ns().k.y]",
        ["sa.x", "sa.y"],
    ),
    ("y: sa.x = sa.y", "y: ns().k.x = ns().k.y", ["sa.x", "sa.y"]),
    ("a = 1; y = sa.x; b = 2", "a = 1; y = ns().k.x; b = 2", ["sa.x"]),
    ("global a; sa.x", "global a; ns().k.x", ["sa.x"]),
    ("del sa.x[0]", "del ns().k.x[0]", ["sa.x"]),
    ("assert sa.x, sa.y", "assert ns().k.x, ns().k.y", ["sa.x", "sa.y"]),
    ("a < sa.x < sa.y", "a < ns().k.x < ns().k.y", ["sa.x", "sa.y"]),
    # f-strings, also in the format and inside each other.
    ('f"{sa.x}"', 'f"{ns().k.x}"', ["sa.x"]),
    ('f"{sa.x!r:>{sa.y}}"', 'f"{ns().k.x!r:>{ns().k.y}}"', ["sa.x", "sa.y"]),
    ("""f'a{f"{sa.x}"}b'""", """f'a{f"{ns().k.x}"}b'""", ["sa.x"]),
    ('"a" f"{sa.x}" "b"', '"a" f"{ns().k.x}" "b"', ["sa.x"]),
    (
        "f\"{getattr(sa, 'x', 1)}\"",
        "f\"{getattr(ns().k, 'x', 1)}\"",
        ["getattr(sa, 'x', 1)"],
    ),
    # `=` in an f-string prints the source: what is printed stays.
    ('f"{sa.x=}"', 'f"sa.x={ns().k.x!r}"', ["sa.x"]),
    ('f"{ sa.x = }"', 'f" sa.x = { ns().k.x!r}"', ["sa.x"]),
    ('f"{sa.x=!s}"', 'f"sa.x={ns().k.x!s}"', ["sa.x"]),
    ('f"{sa.x=:>5}"', 'f"sa.x={ns().k.x:>5}"', ["sa.x"]),
    ('f"{a=:>{sa.x}}"', 'f"{a=:>{ns().k.x}}"', ["sa.x"]),
    ('f"{ {1: sa.x}=}"', 'f" {{1: sa.x}}={ {1: ns().k.x}!r}"', ["sa.x"]),
    # getattr keeps its shape with a default, and is a plain path without.
    (
        'getattr(sa, "x", None)',
        'getattr(ns().k, "x", None)',
        ["getattr(sa, 'x', None)"],
    ),
    ("getattr (sa , 'x',3)", "getattr (ns().k , 'x',3)", ["getattr(sa, 'x', 3)"]),
    ('getattr(self.sa, "x")', "ns().k.x", ["getattr(self.sa, 'x')"]),
    ('(getattr(sa, "x"))', "(ns().k.x)", ["getattr(sa, 'x')"]),
    ('getattr(sa, "class")', 'getattr(ns().k, "class")', ["getattr(sa, 'class')"]),
    (
        'getattr(sa, "x", getattr(sa, "y", sa.z))',
        'getattr(ns().k, "x", getattr(ns().k, "y", ns().k.z))',
        ["getattr(sa, 'x', getattr(sa, 'y', sa.z))", "getattr(sa, 'y', sa.z)", "sa.z"],
    ),
    # Subscripts and .get.
    ('sa["x"]', "ns().k.x", ["sa['x']"]),
    ('(sa["x"])', "(ns().k.x)", ["sa['x']"]),
    ("sa['class']", "getattr(ns().k, 'class')", ["sa['class']"]),
    ('sa.get("x")', 'getattr(ns().k, "x", None)', ["sa.get('x')"]),
    ('sa.get("x",)', 'getattr(ns().k, "x", None,)', ["sa.get('x')"]),
    ("sa.get('x', 3)", "getattr(ns().k, 'x', 3)", ["sa.get('x', 3)"]),
    ("sa.get('x', default=3)", "getattr(ns().k, 'x', 3)", ["sa.get('x', default=3)"]),
]


@pytest.mark.parametrize(("before", "after", "reads"), ONE_LINE)
def test_one_line(before: str, after: str, reads: list[str]) -> None:
    wishes = [Read(text, "ns()", "k") for text in reads]
    assert rewritten(f"{before}\n", *wishes) == f"{after}\n"


BLOCKS = {
    "return": (
        """
        def f():
            return(get().x)
        """,
        """
        def f():
            return(get_exec().kernel.x)
        """,
        ["get().x"],
    ),
    "return without a space": (
        """
        def f():
            return(a or b).x
        """,
        """
        def f():
            return(get_exec().kernel.x)
        """,
        ["(a or b).x"],
    ),
    "yield and await": (
        """
        async def f():
            await sa.x
            yield(sa).y
        """,
        """
        async def f():
            await get_exec().kernel.x
            yield(get_exec()).kernel.y
        """,
        ["sa.x", "sa.y"],
    ),
    "decorator": (
        """
        @sa.x(sa.y)
        def f(a=sa.z): pass
        """,
        """
        @get_exec().kernel.x(get_exec().kernel.y)
        def f(a=get_exec().kernel.z): pass
        """,
        ["sa.x", "sa.y", "sa.z"],
    ),
    "match subject and guard": (
        """
        match sa.x:
            case [1, *_] if sa.y:  # one
                pass
        """,
        """
        match get_exec().kernel.x:
            case [1, *_] if get_exec().kernel.y:  # one
                pass
        """,
        ["sa.x", "sa.y"],
    ),
    "chain over lines": (
        """
        x = (
            get_server_args()  # why
            .attention_backend  # what
        )
        """,
        """
        x = (
            get_exec()  # why
            .kernel.attention_backend  # what
        )
        """,
        ["get_server_args().attention_backend"],
    ),
    "chain with a trailing dot": (
        """
        x = (get_server_args().  # why
             attention_backend)
        """,
        """
        x = (get_exec().  # why
             kernel.attention_backend)
        """,
        ["get_server_args().attention_backend"],
    ),
    "comments inside the base": (
        """
        x = (
            rc  # context
            .get_server_args(  # getter
            )
            .x
        )
        """,
        """
        x = (
            # context
            get_exec(  # getter
            )
            .kernel.x
        )
        """,
        ["rc.get_server_args().x"],
    ),
    "comments in the parentheses of the base": (
        """
        x = (
            # above
            sa  # beside
            # below
        ).x
        """,
        """
        x = (
            # above
            get_exec()  # beside
            # below
        ).kernel.x
        """,
        ["sa.x"],
    ),
    "continued lines": (
        """
        x = sa \\
            .x + \\
            sa. \\
            y
        """,
        """
        x = get_exec() \\
            .kernel.x + \\
            get_exec(). \\
            kernel.y
        """,
        ["sa.x", "sa.y"],
    ),
    "getattr over lines": (
        """
        x = getattr(
            sa,  # record
            "x",  # field
            None,  # default
        )
        """,
        """
        x = getattr(
            get_exec().kernel,  # record
            "x",  # field
            None,  # default
        )
        """,
        ["getattr(sa, 'x', None)"],
    ),
    "getattr over lines, without a default": (
        """
        x = getattr(
            sa,
            "x",
        )
        """,
        """
        x = get_exec().kernel.x
        """,
        ["getattr(sa, 'x')"],
    ),
    "comments of a getattr without a default": (
        """
        x = getattr(
            sa,  # record
            "x",  # field
        )
        """,
        """
        x = (
            # record
            # field
            get_exec().kernel.x
        )
        """,
        ["getattr(sa, 'x')"],
    ),
    "comments of a getattr in a function": (
        """
        def f():
            return getattr(
                sa,  # record
                "x",
            )
        """,
        """
        def f():
            return (
                # record
                get_exec().kernel.x
            )
        """,
        ["getattr(sa, 'x')"],
    ),
    "a comment inside brackets inside brackets": (
        """
        x = (
            (sa[  # why
                "x"])
        )
        """,
        """
        x = (
            # why
            (get_exec().kernel.x)
        )
        """,
        ["sa['x']"],
    ),
    "get over lines": (
        """
        x = sa.get(
            "x",  # field
            3,
        )
        y = sa.get(
            "y"
        )
        """,
        """
        x = getattr(
            get_exec().kernel,
            "x",  # field
            3,
        )
        y = getattr(
            get_exec().kernel,
            "y",
            None
        )
        """,
        ["sa.get('x', 3)", "sa.get('y')"],
    ),
    "a printed source over lines": (
        """
        f'''{sa.x
        =}'''
        """,
        """
        f'''sa.x
        ={get_exec().kernel.x!r}'''
        """,
        ["sa.x"],
    ),
    "comments around get": (
        """
        x = (
            sa  # record
            .get(  # how
                "x"  # field
            )
        )
        """,
        """
        x = (
            # record
            getattr(  # how
                get_exec().kernel,
                "x",
                None  # field
            )
        )
        """,
        ["sa.get('x')"],
    ),
}


@pytest.mark.parametrize("name", BLOCKS)
def test_several_lines(name: str) -> None:
    before, after, reads = BLOCKS[name]
    assert rewritten(dedent(before), *map(Read, reads)) == dedent(after)


@pytest.mark.parametrize(
    ("accessor", "path", "after"),
    [
        ("get_cfg()", "", "y = get_cfg().x\n"),
        ("settings", "", "y = settings.x\n"),
        ("settings", "a.b", "y = settings.a.b.x\n"),
        ("ctx.get_exec()", "a", "y = ctx.get_exec().a.x\n"),
    ],
)
def test_accessor_and_path(accessor: str, path: str, after: str) -> None:
    assert rewritten("y = sa.x\n", Read("sa.x", accessor, path)) == after


def test_a_written_out_string_prints_the_same() -> None:
    for field in ("sa.x=", " sa . x = ", "sa.x=!s", "sa.x=:>9", "[sa.x, 'a']="):
        before = f'text = f"<{{{field}}}>"\n'
        after = rewritten(before, Read("sa.x", "new", ""))
        assert after != before
        assert _text_of(before) == _text_of(after)


def _text_of(source: str) -> str:
    names: dict[str, object] = {}
    # Two objects with one value, so that only the printed source could tell them.
    exec("class C: x = 'v'\nsa = new = C\n" + source, names)
    return str(names["text"])


@pytest.mark.parametrize("python", INTERPRETERS)
def test_results_compile(python: str) -> None:
    afters = [after for _, after, _ in ONE_LINE]
    afters += [dedent(after) for _, after, _ in BLOCKS.values()]
    program = f"for text in {afters!r}: compile(text, 'x.py', 'exec')"
    subprocess.run([python, "-c", program], check=True)


def test_reads_and_import_in_one_plan() -> None:
    before = "from app.context import get_args\n\n\ndef f():\n    return get_args().x\n"
    after = rewritten(before, Read("get_args().x"), Import("get_exec"))
    assert after == (
        "from app.context import get_args, get_exec\n\n\n"
        "def f():\n    return get_exec().kernel.x\n"
    )
