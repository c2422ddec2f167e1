"""What the world's Python has taught us, in small."""

from __future__ import annotations

from pathlib import Path

import pytest

from codemod import api

PACK = """\
[pack]
name = "small"
[record]
objects = ["app.config:settings", "os:environ"]
access = ["attribute", "subscript", "get"]
[accessors]
pool = "app.spaces:pool"
web = { object = "app.spaces:settings" }
[routes.fields]
size = "pool"
host = "web.http"
http = "pool"
"""

SPELLED_ALIKE = (
    # An accessor is called like the record, its namespace like another field.
    """\
from app import config


def address():
    return config.settings.host
""",
    """\
from app.spaces import settings


def address():
    return settings.http.host
""",
)
LOCAL_NAME = (
    # A local name is called like the accessor, and its value is rewritten.
    """\
from app.config import settings as given


def size():
    return given.size


def address():
    pool = given.host
    return pool
""",
    """\
from app.spaces import pool, settings


def size():
    return pool().size


def address():
    pool = settings.http.host
    return pool
""",
)
LOCAL_RECORD_NAME = (
    # A local name is called like the record, and its value is rewritten.
    """\
from app import config as c


def length():
    settings = c.settings.host
    return settings.size
""",
    """\
from app.spaces import settings as settings_namespace


def length():
    settings = settings_namespace.http.host
    return settings.size
""",
)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param(*SPELLED_ALIKE, id="accessor and record are spelled alike"),
        pytest.param(*LOCAL_RECORD_NAME, id="a local name is spelled like the record"),
        pytest.param(*LOCAL_NAME, id="a local name is spelled like the accessor"),
    ],
)
def test_a_file_as_the_world_has_it(tmp_path: Path, before: str, after: str) -> None:
    for path, text in {
        "nsroute.toml": PACK,
        "app/__init__.py": "",
        "app/config.py": "class settings:\n    size = host = http = 1\n",
        "app/spaces.py": "",
        "app/mod.py": before,
    }.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")
    plan = api.plan(tmp_path, options=api.Options(jobs=1, cache=False))
    assert plan.rolled_back == ()
    assert [change.after.decode() for change in plan.changes] == [after]


def test_a_name_that_is_bound_by_way_of_itself_again_and_again(tmp_path: Path) -> None:
    steps = "".join(f"    found = found.where(a{n})\n" for n in range(30))
    text = (
        "from app.config import settings\n\n\n"
        f"def rows(*a):\n    found = settings\n{steps}    return found.size\n\n\n"
        "def size():\n    return settings.size\n"
    )
    for path, content in {"nsroute.toml": PACK, "app/mod.py": text}.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(content, encoding="utf-8")
    # There are thirty factorial ways to follow it.
    result = api.scan(tmp_path, options=api.Options(jobs=1, cache=False))
    reads = [(read.text, read.reason) for read in result.reads]
    assert reads[-2:] == [("found.size", "ambiguous"), ("settings.size", None)]


def test_a_word_that_means_the_record_elsewhere(tmp_path: Path) -> None:
    """``io`` is the record in one module, found after another was scanned."""
    for path, content in {
        "nsroute.toml": PACK,
        "app/__init__.py": "",
        "app/config.py": "class settings:\n    size = host = http = 1\n",
        "app/facade.py": "from app.config import settings as io\n",
        "app/user.py": "from app.facade import io\n\n\ndef f():\n    return io.size\n",
        "app/mod.py": (
            "import io\n\nfrom app.config import settings\n\n\n"
            "def g():\n    out = io.StringIO()\n    return out, settings.size\n"
        ),
    }.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(content, encoding="utf-8")
    plan = api.plan(tmp_path, options=api.Options(jobs=1, cache=False))
    assert plan.rolled_back == ()
    assert [change.path for change in plan.changes] == ["app/mod.py", "app/user.py"]


def test_a_dead_binding_that_is_spelled_like_a_read(tmp_path: Path) -> None:
    """``io.StringIO()`` is a record, and ``io`` the name of another one elsewhere."""
    for path, content in {
        "nsroute.toml": PACK.replace(
            "[accessors]", 'calls = ["io:StringIO"]\n[accessors]'
        ),
        "app/__init__.py": "",
        "app/config.py": "class settings:\n    size = host = http = 1\n",
        "app/facade.py": "from app.config import settings as io\n",
        "app/user.py": "from app.facade import io\n\n\ndef f():\n    return io.size\n",
        "app/mod.py": (
            "import io\n\n\n"
            "def g():\n    out = io.StringIO()\n    return out.size\n\n\n"
            "def h():\n    kept = io.StringIO()\n    return kept\n"
        ),
    }.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(content, encoding="utf-8")
    plan = api.plan(tmp_path, options=api.Options(jobs=1, cache=False))
    assert plan.rolled_back == ()
    changed = {change.path: change.after.decode() for change in plan.changes}
    assert changed["app/mod.py"] == (
        "import io\n\nfrom app.spaces import pool\n\n\n"
        "def g():\n    return pool().size\n\n\n"
        "def h():\n    kept = io.StringIO()\n    return kept\n"
    )
