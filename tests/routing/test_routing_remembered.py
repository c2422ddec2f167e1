"""Routes from the cache are the routes that would be read now."""

from __future__ import annotations

from pathlib import Path

import pytest

from codemod.packs import PackError, load_pack
from codemod.project import open_project
from codemod.routing import RouteTable, build_routes, remembered_routes

_PACK = """
[record]
class = "app.config:Config"
calls = ["app.context:get_config"]
[accessors]
exec = "app.context:get_exec"
"""
_BASE = (
    "from typing import Annotated\nfrom app.marks import NS\n"
    'class Base:\n    alpha: Annotated[int, NS("exec")]\n'
)
_CONFIG = "from app.base import Base\n\nclass Config(Base):\n    beta: int\n"


def _project(root: Path) -> Path:
    files = {
        "nsroute.toml": _PACK,
        "app/__init__.py": "",
        "app/base.py": _BASE,
        "app/config.py": _CONFIG,
        "app/context.py": "",
    }
    for path, text in files.items():
        (root / path).parent.mkdir(exist_ok=True)
        (root / path).write_text(text)
    return root


def _both(root: Path, routes_from: str | None = None) -> tuple[RouteTable, RouteTable]:
    pack = load_pack(str(root / "nsroute.toml"), root)
    project = open_project(root)
    return (
        remembered_routes(project, pack, routes_from, True),
        build_routes(project, pack, routes_from),
    )


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        ("app/base.py", "alpha", "gamma"),
        ("app/base.py", "class", "import os\nclass"),
        ("app/config.py", "beta: int", "delta: int\n    def beta(self): ..."),
        ("app/config.py", "app.base import Base", "app.other import Base"),
        ("nsroute.toml", "[accessors]", "# A line more.\n[accessors]"),
        ("nsroute.toml", "[accessors]", '[routes.fields]\nbeta = "exec"\n[accessors]'),
    ],
)
def test_a_change_of_anything_that_was_read_is_seen(
    tmp_path: Path, path: str, old: str, new: str
) -> None:
    root = _project(tmp_path)
    (root / "app/other.py").write_text(_BASE.replace("alpha", "omega"))
    first, read = _both(root)
    assert first == read
    assert _both(root)[0] == read
    text = (root / path).read_text()
    assert old in text
    (root / path).write_text(text.replace(old, new))
    again, read = _both(root)
    assert again == read
    assert again.digest == read.digest


def test_a_file_that_was_looked_for_and_comes_is_seen(tmp_path: Path) -> None:
    (tmp_path / "beside").mkdir()
    beside = _project(tmp_path / "beside")
    (tmp_path / "root").mkdir()
    root = _project(tmp_path / "root")
    (beside / "app/base.py").unlink()
    where = f"{beside / 'app/config.py'}:Config"
    first, _ = _both(root, where)
    assert first.lines["alpha"][0] == "app/base.py"
    (beside / "app/base.py").write_text(_BASE.replace("alpha", "theirs"))
    again, read = _both(root, where)
    assert again == read
    assert "theirs" in again.fields


def test_an_error_is_not_remembered(tmp_path: Path) -> None:
    root = _project(tmp_path)
    (root / "app/config.py").write_text("class Config(:\n")
    for _ in range(2):
        with pytest.raises(PackError, match="syntax error"):
            _both(root)
    (root / "app/config.py").write_text(_CONFIG)
    assert "alpha" in _both(root)[0].fields


def test_a_cache_that_makes_no_sense_is_not_taken(tmp_path: Path) -> None:
    root = _project(tmp_path)
    first, _ = _both(root)
    store = root / ".nsroute_cache" / "routes"
    store.write_bytes(store.read_bytes()[:-3] + b"xyz")
    assert _both(root)[0] == first
