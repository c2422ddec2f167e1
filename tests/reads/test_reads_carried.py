"""A star takes a new import along (7.11): not where it would hide another name."""

from __future__ import annotations

from pathlib import Path

import pytest
from reads_support import decisions, scan

READ = (
    "def f():\n    from app.context import get_config\n"
    "    return get_config().pool_size\n"
)
POOL = "get_pool().pool_size"
#: What the read becomes under the name that is taken when the first one is not free.
SECOND = "get_pool_namespace().pool_size"

OWN = "def get_pool():\n    return 5\n"
SAME = "from app.context import get_pool\n"

# The files beside app.mod, what stands before its read, and what becomes of the read.
CARRIED: dict[str, tuple[dict[str, str], str, str]] = {
    "nobody takes all": ({"app/other.py": OWN}, "", POOL),
    "somebody takes all and has none": (
        {"app/taker.py": "from app.mod import *\n"},
        "",
        POOL,
    ),
    "and has another": ({"app/taker.py": OWN + "from app.mod import *\n"}, "", SECOND),
    "and has the same": ({"app/taker.py": SAME + "from app.mod import *\n"}, "", POOL),
    "all of another module": (
        {"app/taker.py": OWN + "from app.config import *\n"},
        "",
        POOL,
    ),
    "by way of one that has none": (
        {
            "app/between.py": "from app.mod import *\n",
            "app/taker.py": OWN + "from app.between import *\n",
        },
        "",
        SECOND,
    ),
    "by way of two": (
        {
            "app/a.py": "from app.mod import *\n",
            "app/b.py": "from app.a import *\n",
            "app/taker.py": OWN + "from app.b import *\n",
        },
        "",
        SECOND,
    ),
    "after one that does not mention it": (
        {
            "app/a_first.py": "from app.mod import *\n",
            "app/taker.py": OWN + "from app.mod import *\n",
        },
        "",
        SECOND,
    ),
    "after one that has the same": (
        {
            "app/a_first.py": SAME + "from app.mod import *\n",
            "app/taker.py": OWN + "from app.mod import *\n",
        },
        "",
        SECOND,
    ),
    "beside one that takes all of another": (
        {
            "app/a_first.py": OWN + "from app.config import *\n",
            "app/taker.py": OWN + "from app.mod import *\n",
        },
        "",
        SECOND,
    ),
    "in a circle": (
        {
            "app/a.py": "from app.mod import *\nfrom app.b import *\n",
            "app/b.py": "from app.a import *\n",
        },
        "",
        POOL,
    ),
    "what is exported is said, without it": (
        {"app/taker.py": OWN + "from app.mod import *\n"},
        "__all__ = ['f']\n",
        POOL,
    ),
    "what is exported is said, with it": (
        {"app/taker.py": OWN + "from app.mod import *\n"},
        "__all__ = ['f', 'get_pool']\n",
        SECOND,
    ),
}


@pytest.mark.parametrize("name", CARRIED)
def test_what_a_star_takes_along(tmp_path: Path, name: str) -> None:
    files, head, expected = CARRIED[name]
    found = decisions(scan(tmp_path, {**files, "app/mod.py": head + READ}))
    assert found == [f"get_config().pool_size -> {expected}"]


# Another module, and what becomes of reads by the getter, by an alias, and by another
# record's getter in app.mod.
REBOUND: dict[str, tuple[str, list[str]]] = {
    "nothing is bound": ("import app.mod\n", [POOL, POOL]),
    "the alias": ("import app.mod\napp.mod.ask = len\n", [POOL, "ambiguous"]),
    "the alias, by its name": (
        "import app.mod\nsetattr(app.mod, 'ask', len)\n",
        [POOL, "ambiguous"],
    ),
    "the alias, to the getter": (
        "import app.mod\nfrom app.context import get_config\n"
        "app.mod.ask = get_config\n",
        [POOL, POOL],
    ),
    "another name": ("import app.mod\napp.mod.call = len\n", [POOL, POOL]),
    "the getter, which is the record by the pack's word": (
        "import app.context\napp.context.get_config = len\n",
        [POOL, POOL],
    ),
}


@pytest.mark.parametrize("name", REBOUND)
def test_a_name_that_is_bound_elsewhere(tmp_path: Path, name: str) -> None:
    other, expected = REBOUND[name]
    text = (
        "from app.context import get_config\nask = get_config\n\n\n"
        "def f():\n    return get_config().pool_size, ask().pool_size\n"
    )
    found = decisions(scan(tmp_path, {"app/other.py": other, "app/mod.py": text}))
    reads = ("get_config().pool_size", "ask().pool_size")
    assert found == [f"{r} -> {e}" for r, e in zip(reads, expected)]
