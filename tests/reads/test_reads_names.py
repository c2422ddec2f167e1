"""When a name is the record: scopes, imports, aliases, stashes."""

from __future__ import annotations

from pathlib import Path

import pytest
from reads_support import decisions, scan, write

import codemod

HEAD = "from app.context import get_config\n"
POOL = "get_pool().pool_size"

# Name of the case, the module's text, and a line for each read it has.
CASES = [
    (
        "direct",
        HEAD + "def f():\n    return get_config().pool_size\n",
        [f"get_config().pool_size -> {POOL}"],
    ),
    (
        "the namespace's path is kept",
        HEAD + "def f():\n    return get_config().backend\n",
        ["get_config().backend -> get_exec().kernel.backend"],
    ),
    (
        "imported under another name",
        "from app.context import get_config as g\ndef f():\n    return g().pool_size\n",
        [f"g().pool_size -> {POOL}"],
    ),
    (
        "through the module",
        "import app.context as c\ndef f():\n    return c.get_config().pool_size\n",
        [f"c.get_config().pool_size -> {POOL}"],
    ),
    (
        "through the full dotted name",
        "import app.context\ndef f():\n    return app.context.get_config().pool_size\n",
        [f"app.context.get_config().pool_size -> {POOL}"],
    ),
    (
        "relative import",
        "from .context import get_config\n"
        "def f():\n    return get_config().pool_size\n",
        [f"get_config().pool_size -> {POOL}"],
    ),
    (
        "relative module import",
        "from . import context\ndef f():\n    return context.get_config().pool_size\n",
        [f"context.get_config().pool_size -> {POOL}"],
    ),
    (
        "star import",
        "from app.context import *\ndef f():\n    return get_config().pool_size\n",
        [f"get_config().pool_size -> {POOL}"],
    ),
    (
        "the getter under a local name",
        HEAD + "def f():\n    g = get_config\n    return g().pool_size\n",
        [f"g().pool_size -> {POOL}"],
    ),
    (
        "a getter of the same name from elsewhere is another record",
        "from other import get_config\ndef f():\n    return get_config().pool_size\n",
        [],
    ),
    (
        "a getter of the same name beside the record's own",
        "from app.context import get_config as own\nfrom other import get_config\n"
        "def f():\n    return get_config().pool_size, own().pool_size\n",
        [f"own().pool_size -> {POOL}"],
    ),
    (
        "a getter of the same name defined here is another record",
        "def get_config(): ...\ndef f():\n    return get_config().pool_size\n",
        [],
    ),
    (
        "a getter that is one of two things",
        "try:\n    from app.context import get_config\n"
        "except ImportError:\n    from other import get_config\n"
        "def f():\n    return get_config().pool_size\n",
        ["get_config().pool_size -> ambiguous"],
    ),
    (
        "a getter called with arguments",
        HEAD + "def f(x):\n    return get_config(x).pool_size\n",
        ["get_config(x).pool_size -> ambiguous"],
    ),
    (
        "alias",
        HEAD + "def f():\n    c = get_config()\n    return c.pool_size\n",
        [f"c.pool_size -> {POOL}"],
    ),
    (
        "copy of an alias",
        HEAD + "def f():\n    a = get_config()\n    b = a\n    return b.pool_size\n",
        [f"b.pool_size -> {POOL}"],
    ),
    (
        "aliases in a circle",
        HEAD + "def f():\n    a = get_config()\n    b = a\n    a = b\n"
        "    return a.pool_size\n",
        [f"a.pool_size -> {POOL}"],
    ),
    (
        "annotated alias",
        HEAD + "def f():\n    c: object = get_config()\n    return c.pool_size\n",
        [f"c.pool_size -> {POOL}"],
    ),
    (
        "unpacked by position",
        HEAD + "def f():\n    n, c = 1, get_config()\n    return c.pool_size, n.pool\n",
        [f"c.pool_size -> {POOL}"],
    ),
    (
        "unpacked with a star: no position",
        HEAD + "def f():\n    *n, c = 1, get_config()\n    return c.pool_size\n",
        [],
    ),
    (
        "walrus",
        HEAD + "def f():\n    if (c := get_config()):\n        return c.pool_size\n",
        [f"c.pool_size -> {POOL}"],
    ),
    (
        "walrus in a comprehension binds around it",
        HEAD + "def f(xs):\n    [c := get_config() for x in xs]\n"
        "    return c.pool_size\n",
        [f"c.pool_size -> {POOL}"],
    ),
    (
        "module alias",
        HEAD + "C = get_config()\ndef f():\n    return C.pool_size\n",
        [f"C.pool_size -> {POOL}"],
    ),
    (
        "closure",
        HEAD + "def f():\n    c = get_config()\n    def g():\n"
        "        return c.pool_size\n    return g\n",
        [f"c.pool_size -> {POOL}"],
    ),
    (
        "closure over a name bound below",
        HEAD + "def f():\n    def g():\n        return c.pool_size\n"
        "    c = get_config()\n    return g\n",
        [f"c.pool_size -> {POOL}"],
    ),
    (
        "a class body is invisible to its methods",
        HEAD + "c = None\ndef f():\n    class A:\n        c = get_config()\n"
        "        def m(self):\n            return c.pool_size\n    return A\n",
        [],
    ),
    (
        "a second binding that is not the record",
        HEAD + "def f(x):\n    c = get_config()\n    if x:\n        c = x\n"
        "    return c.pool_size\n",
        ["c.pool_size -> backfill"],
    ),
    (
        "a second binding to something new",
        HEAD
        + "def f():\n    c = get_config()\n    c = dict()\n    return c.pool_size\n",
        ["c.pool_size -> ambiguous"],
    ),
    *(
        (
            f"a second binding by {kind}",
            HEAD + f"def f(xs):\n    c = get_config()\n{text}    return c.pool_size\n",
            ["c.pool_size -> ambiguous"],
        )
        for kind, text in [
            ("for", "    for c in xs: pass\n"),
            ("with", "    with xs as c: pass\n"),
            ("except", "    try: xs()\n    except ValueError as c: pass\n"),
            ("import", "    import c\n"),
            ("del", "    del c\n"),
            ("augmented assignment", "    c += 1\n"),
            ("def", "    def c(): pass\n"),
            ("class", "    class c: pass\n"),
            ("match", "    match xs:\n        case [c]: pass\n"),
            ("match star", "    match xs:\n        case [*c]: pass\n"),
            ("match rest", "    match xs:\n        case {**c}: pass\n"),
            ("match as", "    match xs:\n        case int() as c: pass\n"),
            ("unpacking", "    a, (b, c) = xs\n"),
            ("a walrus", "    print(c := xs())\n"),
            ("a nested nonlocal", "    def g():\n        nonlocal c\n        c = 1\n"),
        ]
    ),
    (
        "a comprehension's target is its own",
        HEAD + "def f(xs):\n    c = get_config()\n    [c for c in xs]\n"
        "    return c.pool_size\n",
        [f"c.pool_size -> {POOL}"],
    ),
    (
        "a lambda's parameter is its own",
        HEAD + "def f(xs):\n    c = get_config()\n    g = lambda c: c.pool_size\n"
        "    return c.pool_size, g\n",
        [f"c.pool_size -> {POOL}"],
    ),
    (
        "global in another function rebinds the module alias",
        HEAD + "C = get_config()\ndef g():\n    global C\n    C = 1\n"
        "def f():\n    return C.pool_size\n",
        ["C.pool_size -> ambiguous"],
    ),
    (
        "a declaration binds nothing",
        HEAD
        + "def f():\n    c: object\n    c = get_config()\n    return c.pool_size\n",
        [f"c.pool_size -> {POOL}"],
    ),
    (
        "either arm is the record",
        HEAD + "def f(x):\n    c = get_config() if x else get_config()\n"
        "    return c.pool_size\n",
        [f"c.pool_size -> {POOL}"],
    ),
    (
        "one arm is not",
        HEAD
        + "def f():\n    c = get_config() if 1 else None\n    return c.pool_size\n",
        ["c.pool_size -> ambiguous"],
    ),
    (
        "object",
        "from app.context import settings\ndef f():\n    return settings.pool_size\n",
        [f"settings.pool_size -> {POOL}"],
    ),
    (
        "object under another name and through its module",
        "from app import context\nfrom app.context import settings as s\n"
        "def f():\n    return s.pool_size, context.settings.workers\n",
        [f"s.pool_size -> {POOL}", "context.settings.workers -> get_pool().workers"],
    ),
    (
        "self and another object",
        "class A:\n    def f(self, o):\n"
        "        return self.config.pool_size, o.config.workers\n",
        [
            f"self.config.pool_size -> {POOL}",
            "o.config.workers -> get_pool().workers",
        ],
    ),
    (
        "alias of an attribute",
        "def f(o):\n    c = o.config\n    return c.pool_size\n",
        [f"c.pool_size -> {POOL}"],
    ),
    (
        "a module of that name is no attribute",
        "from app import config\nimport app\n"
        "def f():\n    return config.Config, app.config.Config\n",
        [],
    ),
    (
        "self.config given a new object in this class",
        "from copy import copy\nclass A:\n    def __init__(self, c):\n"
        "        self.config = copy(c)\n    def f(self):\n"
        "        return self.config.pool_size\n",
        ["self.config.pool_size -> ambiguous"],
    ),
    (
        "stash",
        HEAD + "class A:\n    def __init__(self):\n        self._c = get_config()\n"
        "    def f(self):\n        return self._c.pool_size\n",
        [f"self._c.pool_size -> {POOL}"],
    ),
    (
        "stash, an unknown field",
        HEAD + "class A:\n    def __init__(self):\n        self._c = get_config()\n"
        "    def f(self):\n        return self._c.nothing\n",
        ["self._c.nothing -> unrouted"],
    ),
    (
        "a stash on an unknown object, a member of the record",
        HEAD + "class A:\n    def __init__(self):\n        self._c = get_config()\n"
        "def f(a):\n    return a._c.nothing, a._c.label\n",
        ["a._c.label -> ambiguous"],
    ),
    (
        "stash by a class body",
        HEAD + "class A:\n    c = get_config()\n    def f(self):\n"
        "        return self.c.pool_size\n",
        [f"self.c.pool_size -> {POOL}"],
    ),
    (
        "stash that is set to something else too",
        HEAD + "class A:\n    def __init__(self):\n        self._c = get_config()\n"
        "    def g(self):\n        self._c = None\n"
        "    def f(self):\n        return self._c.pool_size\n",
        ["self._c.pool_size -> ambiguous"],
    ),
    (
        "stash that a subclass sets to something else",
        HEAD + "class A:\n    def __init__(self):\n        self._c = get_config()\n"
        "    def f(self):\n        return self._c.pool_size\n"
        "class B(A):\n    def g(self):\n        self._c = 1\n",
        ["self._c.pool_size -> ambiguous"],
    ),
    (
        "stash with a private name in two classes",
        HEAD + "class A:\n    def __init__(self):\n        self.__c = get_config()\n"
        "    def f(self):\n        return self.__c.pool_size\n"
        "class B(A):\n    def g(self):\n        self.__c = 1\n",
        [f"self.__c.pool_size -> {POOL}"],
    ),
    (
        "a stash on an unknown object",
        HEAD + "class A:\n    def __init__(self):\n        self._c = get_config()\n"
        "def f(a):\n    return a._c.pool_size, a._c.other\n",
        ["a._c.pool_size -> ambiguous"],
    ),
]


@pytest.mark.parametrize(
    ("text", "expected"), [c[1:] for c in CASES], ids=[c[0] for c in CASES]
)
def test_a_name_is_the_record(tmp_path: Path, text: str, expected: list[str]) -> None:
    assert decisions(scan(tmp_path, {"app/mod.py": text})) == expected


def test_re_exports_are_followed_to_the_definition(tmp_path: Path) -> None:
    files = {
        "app/api/__init__.py": "from app.context import get_config as conf\n",
        "app/again.py": "from app.api import *\n",
        "app/mod.py": (
            "from app.api import conf\nfrom app import again\n"
            "def f():\n    return conf().pool_size, again.conf().workers\n"
        ),
    }
    assert decisions(scan(tmp_path, files)) == [
        "conf().pool_size -> get_pool().pool_size",
        "again.conf().workers -> get_pool().workers",
    ]


def test_a_module_alias_is_followed_into_other_modules(tmp_path: Path) -> None:
    files = {
        "app/shared.py": "from app.context import get_config\nCONF = get_config()\n",
        "app/mod.py": (
            "from app.shared import CONF as c\nimport app.shared as s\n"
            "def f():\n    return c.pool_size, s.CONF.workers\n"
        ),
    }
    assert decisions(scan(tmp_path, files)) == [
        "c.pool_size -> get_pool().pool_size",
        "s.CONF.workers -> get_pool().workers",
    ]


def test_a_module_alias_that_another_module_rebinds(tmp_path: Path) -> None:
    files = {
        "app/shared.py": "from app.context import get_config\nCONF = get_config()\n",
        "app/test_it.py": "import app.shared\ndef t():\n    app.shared.CONF = 1\n",
        "app/mod.py": (
            "from app.shared import CONF\ndef f():\n    return CONF.pool_size\n"
        ),
    }
    assert decisions(scan(tmp_path, files)) == ["CONF.pool_size -> ambiguous"]


def test_a_stash_of_a_base_class_in_another_module(tmp_path: Path) -> None:
    files = {
        "app/base.py": (
            "from app.context import get_config\nclass Base:\n"
            "    def __init__(self):\n        self._c = get_config()\n"
        ),
        "app/middle.py": "from app.base import Base\nclass Middle(Base): pass\n",
        "app/mod.py": (
            "from app.middle import Middle\nclass Leaf(Middle):\n"
            "    def f(self):\n        return self._c.pool_size\n"
            "class Stranger:\n    def f(self):\n        return self._c.workers\n"
        ),
    }
    assert decisions(scan(tmp_path, files)) == [
        "self._c.pool_size -> get_pool().pool_size"
    ]


#: The head of a module that ``app.context`` imports, and whether the accessor, which
#: is there, may be imported at module level: as the head does already, or not at all.
CYCLES = {
    "imports nothing": ("", False),
    "imports something else": ("import os\n", False),
    "imports a sibling": ("from app import config\n", False),
    "imports the module": ("import app.context\n", True),
    "imports it from its package": ("from app import context\n", True),
    "imports a name of it": ("from app.context import get_config\n", True),
    "for the type checker": (
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n"
        "    from app.context import get_config\n",
        False,
    ),
    "in a function": (
        "def g():\n    from app.context import get_config\n    return get_config\n",
        False,
    ),
}


@pytest.mark.parametrize(("head", "at_level"), CYCLES.values(), ids=CYCLES)
def test_where_an_accessor_in_a_cycle_is_imported(
    head: str, at_level: bool, tmp_path: Path
) -> None:
    text = head + (
        "def f():\n    from app.context import get_config as g\n"
        "    return g().pool_size\n"
    )
    context = "import app.mod\ndef get_config(): ...\ndef get_pool(): ...\n"
    write(tmp_path, {"app/mod.py": text, "app/context.py": context})
    plan = codemod.diff(tmp_path, None, codemod.Options(cache=False, jobs=1))
    assert not plan.rolled_back
    (after,) = (c.after.decode() for c in plan.changes if c.path == "app/mod.py")
    body = after.partition("def f():\n")[2]
    assert ("get_pool\n" in body.partition("return")[0]) == (not at_level)
    assert "return get_pool().pool_size\n" in body
