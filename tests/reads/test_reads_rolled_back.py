"""A file that LibCST cannot parse is left whole and named; the others are done."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from reads_support import write

import codemod

HEAD = "from app.context import get_config\n\n\n"
GOOD = HEAD + "def f():\n    return get_config().pool_size\n"


@pytest.mark.parametrize(
    "statement",
    [
        "(c): object = get_config()",
        "(c): object",
        "(o.c): object = 1",
        "class A(metaclass=type, *o): pass",
    ],
)
def test_what_libcst_cannot_parse(tmp_path: Path, statement: str) -> None:
    """Python takes these; LibCST's grammar does not (seen with 1.9)."""
    text = HEAD + f"def f(o):\n    {statement}\n    return get_config().pool_size\n"
    ast.parse(text)
    root = write(tmp_path, {"app/mod.py": text, "app/good.py": GOOD})
    before = (root / "app/mod.py").read_bytes()
    options = codemod.Options(cache=False, jobs=1)
    plan = codemod.diff(root, None, options)
    applied = codemod.apply_in_place(plan)
    assert [problem.file for problem in plan.rolled_back] == ["app/mod.py"]
    assert "LibCST cannot parse" in plan.rolled_back[0].message
    assert [problem.file for problem in applied.failed] == ["app/mod.py"]
    assert applied.written == ("app/good.py",)
    assert (root / "app/mod.py").read_bytes() == before
    left = codemod.scan(root, None, options).reads
    open_reads = [read.file for read in left if read.decision == "convert"]
    assert open_reads == ["app/mod.py"], "it is still said that a read is left"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("get_config().debug.config.pool_size", "get_pool().pool_size"),
        ("o.config.debug.config.backend", "get_exec().kernel.backend"),
        ("o[o.config.debug].config.pool_size", "get_pool().pool_size"),
        (
            "getattr(o.config.debug.config, 'workers', o.config.debug)",
            "getattr(get_pool(), 'workers', o.config.debug)",
        ),
        (
            "(\n        o.config.debug\n        .config.pool_size\n    )",
            "(\n        get_pool().pool_size\n    )",
        ),
        ("o.config.workers.config.backend", "get_exec().kernel.backend"),
        (
            "getattr(o.config.workers.config, 'backend', o.config.pool_size)",
            "getattr(get_exec().kernel, 'backend', get_pool().pool_size)",
        ),
        (
            "(getattr(\n        o.config.workers.config, 'backend',\n"
            "        o.config.pool_size))",
            "(getattr(\n        get_exec().kernel, 'backend',\n"
            "        get_pool().pool_size))",
        ),
        (
            "o.config.workers.config.get('backend', o.config.pool_size)",
            "getattr(get_exec().kernel, 'backend', get_pool().pool_size)",
        ),
    ],
)
def test_reads_on_the_way_are_not_missed(
    tmp_path: Path, before: str, after: str
) -> None:
    """The file is written: what it was taken from is asked for no more."""
    text = HEAD + f"def f(o):\n    return {before}\n"
    root = write(tmp_path, {"app/mod.py": text})
    plan = codemod.diff(root, None, codemod.Options(cache=False, jobs=1))
    assert plan.rolled_back == ()
    (change,) = (c for c in plan.changes if c.path == "app/mod.py")
    new = change.after.decode()
    assert new.endswith(f"def f(o):\n    return {after}\n")
    # What only reads on the way would have needed is not imported.
    assert ("get_pool" in new) == ("get_pool" in after)
