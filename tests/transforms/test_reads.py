"""Reads of one name that a read binds convert in one step, or none of them."""

from __future__ import annotations

from pathlib import Path

import pytest
from transforms_support import run

from codemod.packs import Step
from codemod.transforms.samples import PACK, RECORD

POOL = Step("pool", ("reads",), namespaces=("pool",))
HEAD = "from app.config import get_config\n\n\ndef f():\n"
TWO = PACK.replace(
    'depth = "pool.queue"', 'depth = "queue"\nother = "queue.more"\nwritten = "queue"'
).replace(
    'pool = "app.config:get_pool"',
    'pool = "app.config:get_pool"\nqueue = "app.config:get_queue"',
)

WRITE = (
    "from app.config import get_config\n\n\n"
    "def g():\n    get_config().override('g', written=1)\n"
)

BOUND = {
    "another namespace": (
        "    a = (c := get_config()).size\n    return a, c.depth\n",
        "    a = get_pool().size\n    return a, get_queue().depth\n",
        [],
    ),
    "one that binds another name to it": (
        "    a = (c := get_config()).size\n    b = (d := c).depth\n"
        "    return a, b, d.other\n",
        None,
        [],
    ),
    "two in a row": (
        "    a = (c := get_config()).size\n"
        "    return a, (d := get_config()).depth, c.other, d.size\n",
        "    a = get_pool().size\n"
        "    return a, (d := get_config()).depth, get_queue().more.other, "
        "get_pool().size\n",
        [],
    ),
    "one that stays": (
        "    a = (c := get_config()).size\n"
        "    return a, c.depth  # nsroute: keep[live] it changes\n",
        None,
        [],
    ),
    "the name alone": (
        "    a = (c := get_config()).size\n    return a, c\n",
        None,
        [],
    ),
    "only the other is of the step": (
        "    a = (c := get_config()).depth\n    return a, c.size\n",
        "    a = (c := get_config()).depth\n    return a, get_pool().size\n",
        [],
    ),
    "one that changes with its writer": (
        "    a = (c := get_config()).size\n    return a, c.written\n",
        None,
        ["ambiguous"],
    ),
    "no other": (
        "    return (c := get_config()).size\n",
        "    return get_pool().size\n",
        [],
    ),
}


@pytest.mark.parametrize(("body", "after", "kept"), BOUND.values(), ids=BOUND)
def test_reads_of_a_bound_name(
    body: str, after: str | None, kept: list[str], tmp_path: Path
) -> None:
    config = RECORD["app/config.py"].replace("other: ", "written: int = 1\n    other: ")
    files = {
        **RECORD,
        "app/config.py": config,
        "app/use.py": HEAD + body,
        "app/write.py": WRITE,
    }
    done = run(tmp_path / "p", files, TWO, POOL)
    assert not done.failed
    assert done.kept == kept
    if after is None:
        assert done.after == {}
    else:
        assert done.after["app/use.py"].partition("def f():\n")[2] == after
