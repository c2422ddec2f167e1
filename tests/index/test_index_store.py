"""The cache: quick when right, and never believed when anything is wrong with it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import codemod
from codemod.index.store import FOLDER

PACK = """
[pack]
name = "small"
[record]
calls = ["app.context:get_config"]
[routes.fields]
size = "pool"
[accessors]
pool = "app.context:get_pool"
"""
USER = "from app.context import get_config\ndef f():\n    return get_config().size\n"


def project(root: Path) -> Path:
    files = {
        "nsroute.toml": PACK,
        "app/__init__.py": "",
        "app/context.py": "def get_config(): ...\ndef get_pool(): ...\n",
        "app/user.py": USER,
        "app/far.py": "X = 1\n",
    }
    for path, text in files.items():
        (root / path).parent.mkdir(exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")
    return root


def scan(root: Path) -> codemod.api.ScanResult:
    return codemod.scan(root, None, codemod.Options(jobs=1))


def test_a_second_scan_parses_nothing_and_says_the_same(tmp_path: Path) -> None:
    first, second = scan(project(tmp_path)), scan(tmp_path)
    assert first.summary.files_parsed == first.summary.files == 4
    assert second.summary.files_parsed == 0
    assert second.reads == first.reads
    assert second.reads[-1].replacement == "get_pool().size"


def test_one_changed_file_is_one_parsed_file(tmp_path: Path) -> None:
    scan(project(tmp_path))
    (tmp_path / "app/user.py").write_text(USER + "\n# more\n", encoding="utf-8")
    assert scan(tmp_path).summary.files_parsed == 1


def test_a_changed_pack_is_not_answered_from_the_old_one(tmp_path: Path) -> None:
    scan(project(tmp_path))
    changed = PACK.replace("get_config", "get_other")
    (tmp_path / "nsroute.toml").write_text(changed, encoding="utf-8")
    assert scan(tmp_path).reads == ()


def test_the_cache_is_not_seen_by_git(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    scan(project(tmp_path))
    listed = subprocess.run(
        ["git", "status", "--porcelain", "--untracked-files=all"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert (tmp_path / FOLDER / "facts").exists()
    assert FOLDER not in listed


def _truncate(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:-7])


def _flip(file: Path) -> None:
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 0xFF
    file.write_bytes(bytes(data))


def _empty(file: Path) -> None:
    file.write_bytes(b"")


def _foreign(file: Path) -> None:
    file.write_bytes(b"SQLite format 3\0" * 100)


def _folder(file: Path) -> None:
    file.unlink()
    file.mkdir()


def _gone(file: Path) -> None:
    file.unlink()


@pytest.mark.parametrize(
    "spoil",
    [_truncate, _flip, _empty, _foreign, _folder, _gone],
    ids=lambda f: f.__name__,
)
def test_a_spoilt_cache_is_as_good_as_none(
    tmp_path: Path, spoil: Callable[[Path], None]
) -> None:
    first = scan(project(tmp_path))
    spoil(tmp_path / FOLDER / "facts")
    again = scan(tmp_path)
    assert again.reads == first.reads
    assert again.summary.files_parsed == 4


def test_a_file_in_the_place_of_the_folder_costs_only_time(tmp_path: Path) -> None:
    project(tmp_path)
    (tmp_path / FOLDER).write_text("not a folder", encoding="utf-8")
    assert len(scan(tmp_path).reads) == len(scan(tmp_path).reads) > 0
    assert (tmp_path / FOLDER).read_text(encoding="utf-8") == "not a folder"


def test_runs_at_once_all_say_the_same(tmp_path: Path) -> None:
    project(tmp_path)
    code = (
        "import codemod, sys\n"
        "result = codemod.scan(sys.argv[1], None, codemod.Options(jobs=1))\n"
        "print([(r.file, r.line, r.replacement) for r in result.reads])\n"
    )
    running = [
        subprocess.Popen(
            [sys.executable, "-c", code, str(tmp_path)],
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(4)
    ]
    outputs = {process.communicate()[0] for process in running}
    assert len(outputs) == 1
    assert "get_pool().size" in outputs.pop()
    assert scan(tmp_path).summary.files_parsed == 0


def test_no_cache_leaves_nothing_behind(tmp_path: Path) -> None:
    project(tmp_path)
    codemod.scan(tmp_path, None, codemod.Options(cache=False, jobs=1))
    assert not (tmp_path / FOLDER).exists()
