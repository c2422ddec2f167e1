"""Both syntax trees count the same nodes in the same order.

The files are those of the standard libraries on this machine: they hold every
statement and expression there is, written by hundreds of people.
"""

from __future__ import annotations

import ast
import gc
import random
import subprocess
import sys
import sysconfig
import warnings
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent

import libcst as cst
import pytest
from interpreters import INTERPRETERS

from codemod.analysis.source_order import ordered_children, walk_in_order
from codemod.model import Anchor
from codemod.rewrite.anchors import locate, marked_tree

FILES = 60
LARGEST = 25_000  # bytes: many files rather than few large ones

TRICKY = """
@a.deco(b.c)
@d.e
async def f(a: b.c = d.e, /, f: g.h = i.j, *k: l.m, n: o.p = q.r, s, **t: u.v) -> w.x:
    y.z: a.b = c.d
    e.f, g.h = i.j[k.l:m.n:o.p, ..., q.r]
    s.t += u.v
    for w.x in y.z: a.b
    else: c.d
    async with e.f as g.h, i.j() as (k.l, m.n): o.p
    try: q.r
    except s.t as u: v.w
    except (x.y, z.a): b.c
    else: d.e
    finally: f.g
    raise h.i from j.k
async def g():
    return [await a.b async for c.d in e.f if g.h if i.j for k.l in m.n]
class A(b.c, *d.e, metaclass=f.g, **h.i):
    j = k.l
x = {a.b: c.d, **e.f, g.h: i.j}
y = {a.b: c.d for e.f in g.h}
z = a.b if c.d else e.f
f(a.b, *c.d, e=f.g, *h.i, j=k.l, **m.n)(o.p)
lambda a=b.c, *d, e=f.g, **h: i.j
a.b < c.d <= e.f is not g.h
f"{a.b!r:>{c.d}}{e.f}" f"{g.h}" "i" f"{j.k:{l.m}{n.o}}"
(p := q.r).s
not a.b and c.d or -e.f
del a.b, c.d[e.f]
assert a.b, c.d
import a.b.c as d, e
from a.b import c as d, e
from . import f
match a.b:
    case c.d | {"e": f.g, h.i: j.k, **rest} if l.m: n.o
    case P.q(r.s, t=u.v, w=[x.y, *_]) as z: a.b
    case -1 | None | "s": c.d
while a.b: c.d
else: e.f
with a.b: c.d
print(a.b, file=c.d) ; e.f ; g.h
"""

NEWER = {
    (3, 11): "try: a.b\nexcept* c.d as e: f.g\na.b[*c.d]\ndef f(*a: *b.c): d.e\n",
    (3, 12): (
        "type A[T: a.b, *Ts, **P] = c.d\n"
        "def f[T: a.b](x: c.d) -> e.f: g.h\n"
        "class C[T: (a.b, c.d)](e.f, g=h.i): j.k\n"
        'f"{a.b["c.d"]:{f"{e.f}"}}"\n'
    ),
    (3, 13): "type A[T: a.b = c.d, *Ts = e.f, **P = g.h] = i.j\n",
}


def _same_marks(text: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tree = ast.parse(text)
    assert locate(cst.parse_module(text), ()).marks == marked_tree(tree).marks


def test_every_construct_of_the_oldest_python() -> None:
    _same_marks(TRICKY)


def _newer() -> list[str]:
    return [text for version, text in NEWER.items() if sys.version_info >= version]


@pytest.mark.parametrize("text", _newer() or [TRICKY])
def test_every_construct_of_newer_pythons(text: str) -> None:
    _same_marks(text)


def _library_files() -> Iterator[Path]:
    """Yield files of each interpreter's library, the same ones every time."""
    chooser = random.Random(2)
    for python in INTERPRETERS:
        program = "import sysconfig; print(sysconfig.get_paths()['stdlib'])"
        done = subprocess.run([python, "-c", program], capture_output=True, text=True)
        library = Path(done.stdout.strip() or sysconfig.get_paths()["stdlib"])
        files = sorted(
            path
            for path in library.rglob("*.py")
            if "site-packages" not in path.parts and path.stat().st_size < LARGEST
        )
        yield from chooser.sample(files, min(FILES, len(files)))


@pytest.fixture
def no_collector() -> Iterator[None]:
    """Trees of small objects keep the garbage collector busy for nothing."""
    gc.disable()
    yield
    gc.enable()


@pytest.mark.usefixtures("no_collector")
def test_standard_libraries() -> None:
    seen = 0
    for path in _library_files():
        try:
            text = path.read_text(encoding="utf-8")
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                tree = ast.parse(text)
            module = cst.parse_module(text)
        except (SyntaxError, UnicodeDecodeError, ValueError, cst.ParserSyntaxError):
            continue
        assert locate(module, ()).marks == marked_tree(tree).marks, path
        seen += 1
    assert seen > FILES / 2


def test_the_order_is_that_of_the_source() -> None:
    # Positions inside f-strings are wrong before Python 3.12, so there are none.
    tree = ast.parse(TRICKY.replace('f"', '"'))
    positions = [
        (node.lineno, node.col_offset)
        for node in walk_in_order(tree)
        if isinstance(node, ast.Name)
    ]
    assert positions == sorted(positions)


def test_every_child_is_met_once() -> None:
    for node in ast.walk(ast.parse(TRICKY)):
        plain = [
            child
            for child in ast.iter_child_nodes(node)
            if not isinstance(
                child,
                (ast.expr_context, ast.operator, ast.unaryop, ast.boolop, ast.cmpop),
            )
        ]
        assert {*map(id, ordered_children(node))} == {*map(id, plain)}
        assert len(ordered_children(node)) == len(plain)


def test_anchors_find_their_nodes() -> None:
    text = dedent(
        """
        import os
        x = a.b(c.d)
        def f(): return (y := x[0])
        """
    )
    anchors = {
        Anchor("import", 0): cst.Import,
        Anchor("attribute", 1): cst.Attribute,
        Anchor("call", 0): cst.Call,
        Anchor("assign", 0): cst.Assign,
        Anchor("function", 0): cst.FunctionDef,
        Anchor("walrus", 0): cst.NamedExpr,
        Anchor("subscript", 0): cst.Subscript,
    }
    located = locate(cst.parse_module(text), [*anchors, Anchor("call", 1)])
    assert {key: type(node) for key, node in located.nodes.items()} == anchors
    attribute = located.nodes[Anchor("attribute", 1)]
    assert isinstance(attribute, cst.Attribute)
    assert attribute.attr.value == "d"
