"""What is kept, with which reason, and in which order reasons are asked."""

from __future__ import annotations

from pathlib import Path

import pytest
from reads_support import PACK, decisions, scan

HEAD = "from app.context import get_config\n"
POOL = "get_pool().pool_size"

#: What an attribute that holds the record is taken from, and why the read then stays.
ON_THE_WAY = {
    "o": None,
    "o.engine": None,
    "o[0]": None,
    "o[k].engine": None,
    "o[k['a'], -1]": None,
    "(o if k else self)": None,
    "getattr(o, 'engine')": None,
    "getattr(o, 'engine', None)": None,
    "super()": None,
    "getattr(o, 'engine', k())": "side-effect",
    "getattr(o, k)": "side-effect",
    "o()": "side-effect",
    "o.pop()": "side-effect",
    "o.pop().engine": "side-effect",
    "o[k.pop()]": "side-effect",
    "o[k.pop():]": "side-effect",
    "(e := o)": "side-effect",
    "o[(e := k)]": "side-effect",
    "o[[k.pop() for _ in o][0]]": "side-effect",
    "o[f'{k()}']": "side-effect",
    "(o or k())": "side-effect",
    "(lambda: o)()": "side-effect",
}

CASES = [
    (
        "suppressed on its line",
        HEAD
        + "def f():\n    return get_config().pool_size  # nsroute: keep[live] why\n",
        ["get_config().pool_size -> suppressed"],
    ),
    (
        "suppressed at the end of a wrapped line",
        HEAD + "def f():\n    return (\n        get_config().pool_size\n"
        "    )  # nsroute: keep[live] why\n",
        ["get_config().pool_size -> suppressed"],
    ),
    (
        "a comment without a reason or a text suppresses nothing",
        HEAD + "def f():\n    a = get_config().pool_size  # nsroute: keep\n"
        "    return get_config().workers  # nsroute: keep[live]\n",
        [
            f"get_config().pool_size -> {POOL}",
            "get_config().workers -> get_pool().workers",
        ],
    ),
    (
        "a keep comment in a string suppresses nothing",
        HEAD + "def f():\n"
        "    return get_config().pool_size, '# nsroute: keep[live] why'\n",
        [f"get_config().pool_size -> {POOL}"],
    ),
    (
        "annotated parameter",
        "from app.config import Config\ndef f(c: Config):\n    return c.pool_size\n",
        ["c.pool_size -> parameter"],
    ),
    *(
        (
            f"parameter annotated {annotation}",
            "from typing import Optional, Union\nimport app.config as k\n"
            f"from app.config import Config\ndef f(c: {annotation}):\n"
            "    return c.pool_size\n",
            ["c.pool_size -> parameter"],
        )
        for annotation in (
            '"Config"',
            "Optional[Config]",
            "Optional['Config']",
            "Config | None",
            "k.Config",
            "Union[int, Config]",
        )
    ),
    (
        "parameter named like the attribute",
        "def f(config):\n    return config.pool_size\n",
        ["config.pool_size -> parameter"],
    ),
    (
        "parameter with the getter as its default",
        HEAD + "def f(c=get_config()):\n    return c.pool_size\n",
        ["c.pool_size -> parameter"],
    ),
    (
        "parameter of a lambda",
        "f = lambda config: config.pool_size\n",
        ["config.pool_size -> parameter"],
    ),
    (
        "closure over a parameter",
        "def f(config):\n    def g():\n        return config.pool_size\n    return g\n",
        ["config.pool_size -> parameter"],
    ),
    (
        "alias of a parameter",
        "def f(config):\n    c = config\n    return c.pool_size\n",
        ["c.pool_size -> parameter"],
    ),
    ("parameter of no note", "def f(c):\n    return c.pool_size\n", []),
    *(
        (
            f"back-filled by {kind}",
            HEAD + f"def f(c=None):\n{text}    return c.pool_size\n",
            ["c.pool_size -> backfill"],
        )
        for kind, text in [
            ("if", "    if c is None:\n        c = get_config()\n"),
            ("or", "    c = c or get_config()\n"),
            ("the conditional", "    c = get_config() if c is None else c\n"),
            ("a walrus", "    if c or (c := get_config()): pass\n"),
        ]
    ),
    (
        "back-filled under another name",
        HEAD + "def f(c=None):\n    d = c or get_config()\n    return d.pool_size\n",
        ["d.pool_size -> backfill"],
    ),
    (
        "other reads in a back-filling function convert",
        HEAD + "def f(c=None):\n    c = c or get_config()\n"
        "    return c.pool_size, get_config().workers\n",
        [
            "c.pool_size -> backfill",
            "get_config().workers -> get_pool().workers",
        ],
    ),
    *(
        (
            f"written by {kind}",
            HEAD + f"def f(xs):\n    {text}\n",
            ["get_config().pool_size -> write-target"],
        )
        for kind, text in [
            ("assignment", "get_config().pool_size = 1"),
            ("augmented assignment", "get_config().pool_size += 1"),
            ("annotation", "get_config().pool_size: int = 1"),
            ("del", "del get_config().pool_size"),
            ("for", "for get_config().pool_size in xs: pass"),
            ("with", "with xs as get_config().pool_size: pass"),
            ("unpacking", "a, get_config().pool_size = xs"),
        ]
    ),
    (
        "a write into the field's own value reads the field",
        HEAD + "def f():\n    get_config().backend.x = 1\n",
        ["get_config().backend -> get_exec().kernel.backend"],
    ),
    *(
        (f"at import: {kind}", HEAD + text, ["get_config().pool_size -> import-time"])
        for kind, text in [
            ("module level", "N = get_config().pool_size\n"),
            ("class body", "class A:\n    n = get_config().pool_size\n"),
            ("decorator", "@str(get_config().pool_size)\ndef f(): pass\n"),
            ("default value", "def f(n=get_config().pool_size): pass\n"),
            ("lambda default", "f = lambda n=get_config().pool_size: n\n"),
            ("comprehension", "N = [get_config().pool_size for _ in 'a']\n"),
            ("base class", "class A(str(get_config().pool_size)): pass\n"),
            ("under if", "if 1:\n    N = get_config().pool_size\n"),
            ("a lambda that is called", "N = (lambda: get_config().pool_size)()\n"),
        ]
    ),
    *(
        (f"not at import: {kind}", HEAD + text, [f"get_config().pool_size -> {POOL}"])
        for kind, text in [
            ("lambda body", "f = lambda: get_config().pool_size\n"),
            ("method", "class A:\n    def f(self):\n        get_config().pool_size\n"),
            (
                "class body in a function",
                "def f():\n    class A:\n        n = get_config().pool_size\n",
            ),
            (
                "default value in a function",
                "def f():\n    def g(n=get_config().pool_size): pass\n",
            ),
        ]
    ),
    *(
        (
            f"guarded by {kind}",
            HEAD + f"def f(xs):\n    try:\n        return get_config().pool_size\n"
            f"    {handler}:\n        return 0\n",
            ["get_config().pool_size -> guarded"],
        )
        for kind, handler in [
            ("its error", "except LookupError"),
            ("a bare except", "except"),
            ("a wider error", "except Exception"),
            ("a tuple", "except (KeyError, LookupError)"),
            ("a name only running tells", "except xs"),
        ]
    ),
    (
        "guarded where its alias is bound",
        HEAD + "def f():\n    try:\n        c = get_config()\n    except LookupError:\n"
        "        return 0\n    return c.pool_size\n",
        ["c.pool_size -> guarded"],
    ),
    (
        "guarded by suppress",
        HEAD + "from contextlib import suppress\ndef f():\n"
        "    with suppress(LookupError):\n        return get_config().pool_size\n",
        ["get_config().pool_size -> guarded"],
    ),
    (
        "handlers, else and finally are not guarded by their own try",
        HEAD + "def f():\n    try:\n        pass\n    except LookupError:\n"
        "        get_config().pool_size\n    else:\n        get_config().pool_size\n"
        "    finally:\n        get_config().pool_size\n",
        [f"get_config().pool_size -> {POOL}"] * 3,
    ),
    (
        "a function inside a try runs outside of it",
        HEAD + "def f():\n    try:\n        def g():\n"
        "            return get_config().pool_size\n"
        "    except LookupError:\n        pass\n",
        [f"get_config().pool_size -> {POOL}"],
    ),
    (
        "derived",
        HEAD + "def f():\n    return get_config().label, get_config().is_large(2)\n",
        ["get_config().label -> derived", "get_config().is_large -> derived"],
    ),
    (
        "unrouted and unknown",
        HEAD + "def f():\n    return get_config().debug, get_config().nothing\n",
        ["get_config().debug -> unrouted", "get_config().nothing -> unrouted"],
    ),
    (
        "name taken in the module: the alias serves",
        HEAD + "def get_pool(): ...\ndef f():\n    return get_config().pool_size\n",
        ["get_config().pool_size -> get_pool_namespace().pool_size"],
    ),
    (
        "name taken in a scope: the alias serves the whole file",
        HEAD + "def f(get_pool):\n    return get_config().pool_size\n"
        "def g():\n    return get_config().pool_size\n",
        ["get_config().pool_size -> get_pool_namespace().pool_size"] * 2,
    ),
    (
        "both names taken",
        HEAD + "def f(get_pool, get_pool_namespace):\n"
        "    return get_config().pool_size\n",
        ["get_config().pool_size -> name-taken"],
    ),
    *(
        (f"on the way: {base}", f"def f(self, o, k):\n    return {read}\n", [result])
        for base, reason in ON_THE_WAY.items()
        for read in [f"{base}.config.pool_size"]
        for result in [f"{read} -> {reason or POOL}"]
    ),
    (
        "on the way: awaited, yielded",
        "async def f(o):\n    x = (await o).config.workers\n"
        "    return (yield o).config.pool_size\n",
        [
            "(await o).config.workers -> side-effect",
            "(yield o).config.pool_size -> side-effect",
        ],
    ),
    (
        "on the way: the getter alone does nothing else",
        HEAD + "def f(o):\n    a = get_config().workers, get_config(o).workers\n"
        "    b = getattr(get_config(), 'pool_size')\n"
        "    return a, b, get_config().config.pool_size\n",
        [
            "get_config().workers -> get_pool().workers",
            "get_config(o).workers -> ambiguous",
            f"getattr(get_config(), 'pool_size') -> {POOL}",
            f"get_config().config.pool_size -> {POOL}",
        ],
    ),
    (
        "on the way: an alias of it keeps its own line",
        "def f(o):\n    c = o.pop().config\n    return c.pool_size\n",
        [f"c.pool_size -> {POOL}"],
    ),
    (
        "on the way: a derived member, a write and what has no route",
        "def f(o):\n    o.pop().config.workers = 1\n"
        "    return o.pop().config.label, o.pop().config.debug\n",
        [
            "o.pop().config.workers -> write-target",
            "o.pop().config.label -> side-effect",
            "o.pop().config.debug -> unrouted",
        ],
    ),
    (
        "the accessor is imported already",
        HEAD + "from app.context import get_pool\n"
        "def f():\n    return get_config().pool_size\n",
        [f"get_config().pool_size -> {POOL}"],
    ),
]

MORE_KEEPS = """
[[keep]]
reason = "per-engine"
why = "Each engine has its own."
modules = ["app.mod"]
functions = ["Engine.*"]
fields = ["pool_*"]

[[keep]]
reason = "elsewhere"
why = "Kept by form."
forms = ["attribute", "alias:attribute"]
"""


@pytest.mark.parametrize(
    ("text", "expected"), [c[1:] for c in CASES], ids=[c[0] for c in CASES]
)
def test_kept_or_not(tmp_path: Path, text: str, expected: list[str]) -> None:
    assert decisions(scan(tmp_path, {"app/mod.py": text})) == expected


def test_guarded_converts_when_both_raise_the_same(tmp_path: Path) -> None:
    same = PACK.replace(
        'calls = ["app', 'unpublished = "LookupError"\ncalls = ["app'
    ).replace("[accessors]", '[accessors]\nunpublished = "LookupError"')
    text = HEAD + (
        "def f():\n    try:\n        return get_config().pool_size\n"
        "    except LookupError:\n        return 0\n"
    )
    assert decisions(scan(tmp_path, {"app/mod.py": text}, same)) == [
        f"get_config().pool_size -> {POOL}"
    ]


def test_a_handler_that_cannot_catch_it_guards_nothing(tmp_path: Path) -> None:
    record_only = PACK.replace(
        'calls = ["app', 'unpublished = "LookupError"\ncalls = ["app'
    )
    text = HEAD + (
        "def f():\n    try:\n        return get_config().pool_size\n"
        "    except (TypeError, OSError):\n        return 0\n"
    )
    assert decisions(scan(tmp_path, {"app/mod.py": text}, record_only)) == [
        f"get_config().pool_size -> {POOL}"
    ]


def test_pack_entries_select_by_all_they_name(tmp_path: Path) -> None:
    text = HEAD + (
        "class Engine:\n    def f(self, o):\n"
        "        a = get_config().pool_size\n"
        "        b = get_config().workers\n"
        "        c = o.config\n"
        "        return a, b, o.config.backend, c.workers\n"
        "def g():\n    return get_config().pool_size\n"
    )
    found = decisions(scan(tmp_path, {"app/mod.py": text}, PACK + MORE_KEEPS))
    assert found == [
        "get_config().pool_size -> per-engine",
        "get_config().workers -> get_pool().workers",
        "o.config.backend -> elsewhere",
        "c.workers -> elsewhere",
        f"get_config().pool_size -> {POOL}",
    ]


def test_owners_keep_their_reads(tmp_path: Path) -> None:
    result = scan(tmp_path, {})
    assert set(decisions(result, "app/context.py")) == {
        "config.pool_size -> owner",
        "config.workers -> owner",
        "get_config().backend -> owner",
    }


def test_an_import_that_would_close_a_cycle_goes_into_the_function(
    tmp_path: Path,
) -> None:
    files = {
        "app/mod.py": (
            "def f():\n    from app.context import get_config\n"
            "    return get_config().pool_size\n"
            "g = lambda o: o.config.pool_size\n"
        ),
        "app/context.py": "import app.mod\ndef get_config(): ...\n",
    }
    assert decisions(scan(tmp_path, files)) == [
        f"get_config().pool_size -> {POOL}",
        "o.config.pool_size -> name-taken",
    ]


def test_a_handler_that_would_swallow_what_the_accessor_raises(tmp_path: Path) -> None:
    differs = PACK.replace(
        'calls = ["app', 'unpublished = "LookupError"\ncalls = ["app'
    ).replace("[accessors]", '[accessors]\nunpublished = "AttributeError"')
    text = HEAD + (
        "def f():\n    try:\n        return get_config().pool_size\n"
        "    except AttributeError:\n        return 0\n"
    )
    assert decisions(scan(tmp_path, {"app/mod.py": text}, differs)) == [
        "get_config().pool_size -> guarded"
    ]


def test_two_accessors_of_one_name_do_not_share_it(tmp_path: Path) -> None:
    pack = PACK.replace('"app.context:get_exec"', '"app.more:get_pool"')
    text = HEAD + (
        "def f():\n    return get_config().pool_size, get_config().backend\n"
    )
    files = {"app/mod.py": text, "app/more.py": "def get_pool(): ...\n"}
    assert decisions(scan(tmp_path, files, pack)) == [
        f"get_config().pool_size -> {POOL}",
        "get_config().backend -> get_pool_namespace().kernel.backend",
    ]


def test_names_given_read_by_read_are_not_given_again(tmp_path: Path) -> None:
    pack = PACK.replace('"app.context:get_exec"', '"app.more:get_pool"')
    text = HEAD + (
        "def f(get_pool):\n    return get_config().pool_size\n"
        "def g(get_pool_namespace):\n    return get_config().pool_size\n"
        "def h():\n    return get_config().backend\n"
    )
    files = {"app/mod.py": text, "app/more.py": "def get_pool(): ...\n"}
    result = scan(tmp_path, files, pack)
    assert decisions(result) == [
        "get_config().pool_size -> get_pool_namespace().pool_size",
        f"get_config().pool_size -> {POOL}",
        "get_config().backend -> name-taken",
    ]
    (kept,) = (r for r in result.reads if r.reason == "name-taken")
    assert kept.why == "get_pool_namespace means another accessor in this file."


def test_the_last_name_that_was_tried_is_named(tmp_path: Path) -> None:
    text = HEAD + (
        "def get_pool_namespace(): ...\n"
        "def f(get_pool):\n    return get_config().pool_size\n"
    )
    (read,) = (
        r for r in scan(tmp_path, {"app/mod.py": text}).reads if r.file == "app/mod.py"
    )
    assert read.reason == "name-taken"
    assert read.why == "get_pool_namespace means something else in app.mod."


@pytest.mark.parametrize(
    ("accessor", "outcome"),
    [
        ('"app.context:get_pool"', "name-taken"),
        ('{ object = "app.context:POOL" }', "POOL.pool_size"),
    ],
)
def test_a_pattern_may_hold_a_dotted_name_and_no_call(
    tmp_path: Path, accessor: str, outcome: str
) -> None:
    pack = PACK.replace('"app.context:get_pool"', accessor)
    text = "from app.context import settings\ndef f(x):\n    match x:\n"
    text += "        case settings.pool_size: return 1\n"
    assert decisions(scan(tmp_path, {"app/mod.py": text}, pack)) == [
        f"settings.pool_size -> {outcome}"
    ]


def test_a_star_import_can_take_a_name(tmp_path: Path) -> None:
    files = {
        "app/mod.py": HEAD
        + "from app.more import *\ndef f():\n    return get_config().pool_size\n",
        "app/more.py": "def get_pool(): ...\n",
    }
    assert decisions(scan(tmp_path, files)) == [
        "get_config().pool_size -> get_pool_namespace().pool_size"
    ]


PRIVATE = """
[record]
objects = ["app.context:settings"]
access = ["attribute", "getattr", "subscript", "get"]

[routes.fields]
__secret = "pool"

[accessors]
pool = "app.context:get_pool"
"""


def test_what_would_become_a_private_name_of_its_class(tmp_path: Path) -> None:
    text = """\
from app.context import settings


def plain():
    return settings["__secret"], settings.__secret


class Vault:
    def open(self):
        return (
            settings["__secret"],
            getattr(settings, "__secret"),
            getattr(settings, "__secret", 1),
            settings.get("__secret"),
            settings.__secret,
        )
"""
    result = scan(tmp_path, {"app/mod.py": text}, PRIVATE)
    assert decisions(result) == [
        'settings["__secret"] -> get_pool().__secret',
        "settings.__secret -> get_pool().__secret",
        'settings["__secret"] -> name-taken',
        'getattr(settings, "__secret") -> name-taken',
        'getattr(settings, "__secret", 1) -> getattr(get_pool(), "__secret", 1)',
        'settings.get("__secret") -> getattr(get_pool(), "__secret", None)',
        # A read of the field _Vault__secret, which has no route.
        "settings.__secret -> unrouted",
    ]
