"""What a scan says a read becomes is what stands in the file afterwards."""

from __future__ import annotations

from pathlib import Path

import pytest
from reads_support import PACK, decisions, scan, write

import codemod

HEAD = "from app.context import get_config, settings\n"

# An expression with one read, and what becomes of it.
EXPRESSIONS = [
    ("settings.pool_size", "get_pool().pool_size"),
    ("(settings).pool_size", "(get_pool()).pool_size"),
    ("( (settings) ).pool_size", "( (get_pool()) ).pool_size"),
    ("settings . backend", "get_exec() . kernel.backend"),
    ("(c := settings).pool_size", "get_pool().pool_size"),
    ("(settings if x else get_config()).backend", "get_exec().kernel.backend"),
    ("(settings\n        .pool_size)", "(get_pool()\n        .pool_size)"),
    (
        "(\n        # why\n        settings\n    ).backend",
        "(\n        # why\n        get_exec()\n    ).kernel.backend",
    ),
    ("settings['backend']", "get_exec().kernel.backend"),
    ("(settings)['pool_size']", "(get_pool()).pool_size"),
    ("getattr(settings, 'pool_size')", "get_pool().pool_size"),
    ("getattr((settings), 'pool_size')", "(get_pool()).pool_size"),
    ("getattr(settings, 'backend', 3)", "getattr(get_exec().kernel, 'backend', 3)"),
    (
        "getattr( ( settings ) , 'backend' , (3) )",
        "getattr( ( get_exec() ).kernel , 'backend' , (3) )",
    ),
    (
        "getattr((c := settings), 'pool_size', 3)",
        "getattr(get_pool(), 'pool_size', 3)",
    ),
    (
        "getattr(\n        settings,\n        'backend',\n        3,\n    )",
        "getattr(\n        get_exec().kernel,\n        'backend',\n        3,\n    )",
    ),
    ("settings.get('pool_size')", "getattr(get_pool(), 'pool_size', None)"),
    ("settings.get('backend', 3)", "getattr(get_exec().kernel, 'backend', 3)"),
    ("settings.get(('pool_size'))", "getattr(get_pool(), ('pool_size'), None)"),
    (
        "(settings).get ( ('pool_size') , (3) )",
        "getattr ( (get_pool()), ('pool_size') , (3) )",
    ),
    (
        "settings.get(\n        'backend'\n    )",
        "getattr(\n        get_exec().kernel,\n        'backend',\n        None\n    )",
    ),
    (
        "(settings.get\n        ('backend', 3))",
        "(getattr\n        (get_exec().kernel, 'backend', 3))",
    ),
]


@pytest.mark.parametrize(("before", "after"), EXPRESSIONS)
def test_the_replacement(tmp_path: Path, before: str, after: str) -> None:
    root = write(tmp_path, {"app/mod.py": f"{HEAD}def f(x):\n    return {before}\n"})
    plan = codemod.diff(root, None, codemod.Options(cache=False, jobs=1))
    (read,) = (r for r in plan.analysis.result.reads if r.file == "app/mod.py")
    (change,) = (c for c in plan.changes if c.path == "app/mod.py")
    assert change.after.decode().endswith(f"def f(x):\n    return {after}\n")
    assert read.replacement is not None
    assert before.replace(read.text, read.replacement) == after


# A module before and after, for where an import is needed and where not.
IMPORTS = [
    (
        "imported where it is read",
        HEAD + "def f():\n    from app.context import get_pool\n"
        "    return settings.pool_size, get_pool, get_config\n",
        "from app.context import get_config\n"
        "def f():\n    from app.context import get_pool\n"
        "    return get_pool().pool_size, get_pool, get_config\n",
        PACK,
    ),
    (
        "defined in the module",
        HEAD + "def get_pool(): ...\ndef f():\n"
        "    return settings.pool_size, get_config\n",
        "from app.context import get_config\ndef get_pool(): ...\ndef f():\n"
        "    return get_pool().pool_size, get_config\n",
        PACK.replace("app.context:get_pool", "app.mod:get_pool"),
    ),
    (
        "an object and not a call",
        HEAD + "def f():\n    return settings.pool_size, get_config\n",
        "from app.context import POOL, get_config\n"
        "def f():\n    return POOL.pool_size, get_config\n",
        PACK.replace('"app.context:get_pool"', '{ object = "app.context:POOL" }'),
    ),
]


@pytest.mark.parametrize(
    ("before", "after", "pack"), [c[1:] for c in IMPORTS], ids=[c[0] for c in IMPORTS]
)
def test_an_accessor_is_imported_where_it_has_to_be(
    tmp_path: Path, before: str, after: str, pack: str
) -> None:
    root = write(tmp_path, {"app/mod.py": before}, pack)
    plan = codemod.diff(root, None, codemod.Options(cache=False, jobs=1))
    (change,) = (c for c in plan.changes if c.path == "app/mod.py")
    assert change.after.decode() == after


WALRUS = [
    (
        "every read of the name converts",
        "def f():\n    return (c := get_config()).pool_size + c.workers\n",
        [
            "(c := get_config()).pool_size -> get_pool().pool_size",
            "c.workers -> get_pool().workers",
        ],
    ),
    (
        "the name is read as a whole",
        "def f():\n    return (c := get_config()).pool_size, c\n"
        "def g():\n    return get_config().pool_size\n",
        [
            "(c := get_config()).pool_size -> ambiguous",
            "get_config().pool_size -> get_pool().pool_size",
        ],
    ),
    (
        "a read of the name is kept",
        "def f():\n    return (c := get_config()).pool_size, c.debug, c.workers\n",
        [
            "(c := get_config()).pool_size -> ambiguous",
            "c.debug -> unrouted",
            "c.workers -> get_pool().workers",
        ],
    ),
    (
        "two names, one of them read as a whole",
        "def f():\n    (c := get_config()).pool_size\n"
        "    return (d := get_config()).workers, d\n",
        [
            "(c := get_config()).pool_size -> get_pool().pool_size",
            "(d := get_config()).workers -> ambiguous",
        ],
    ),
]


@pytest.mark.parametrize(
    ("text", "expected"), [c[1:] for c in WALRUS], ids=[c[0] for c in WALRUS]
)
def test_a_read_that_binds_a_name(
    tmp_path: Path, text: str, expected: list[str]
) -> None:
    result = scan(tmp_path, {"app/mod.py": HEAD + text})
    assert decisions(result) == expected
    kept = [r for r in result.reads if r.reason == "ambiguous"]
    assert all("read as a whole" in str(read.why) for read in kept)
