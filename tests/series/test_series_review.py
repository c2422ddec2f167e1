"""Hunk by hunk: what is refused is kept, and the file is whole all the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.series.support import FILES, commit, nsroute, write

ALL = FILES["app/server.py"]

#: The questions are, in this order: cache.py, server.py (commit cache); server.py,
#: tool.py (commit net).
CASES = [
    (
        "yes to everything",
        "y\ny\ny\ny\n",
        {
            "app/cache.py": "get_cache().size - used",
            "app/server.py": "return get_net().http.host, get_net().http.port, "
            "get_cache().size",
            "tool.py": "get_net().http.port",
        },
        ("app/server.py", "get_config"),
    ),
    (
        "no keeps the read, its import and its alias",
        "y\nn\ny\ny\n",
        {
            "app/server.py": "from app.context import get_config, get_net\n\n\n"
            "def address():\n    config = get_config()\n"
            "    return get_net().http.host, get_net().http.port, config.size",
        },
        ("app/server.py", "get_cache"),
    ),
    (
        "all takes what follows",
        "n\na\n",
        {
            "app/cache.py": "get_config().size - used",
            "app/server.py": "get_cache().size",
            "tool.py": "get_net()",
        },
        ("app/server.py", "get_config"),
    ),
    (
        "quit keeps what follows and writes what was taken",
        "y\nq\n",
        {
            "app/cache.py": "get_cache().size - used",
            "app/server.py": "config.host, config.port, config.size",
        },
        ("tool.py", "get_net"),
    ),
    (
        "undo asks again",
        "n\nu\ny\nn\nn\nn\n",
        {"app/cache.py": "get_cache().size - used"},
        ("app/server.py", "get_cache"),
    ),
]


@pytest.mark.parametrize(
    ("answers", "expected", "absent"),
    [case[1:] for case in CASES],
    ids=[case[0] for case in CASES],
)
def test_answers(
    tmp_path: Path, answers: str, expected: dict[str, str], absent: tuple[str, str]
) -> None:
    folder = commit(write(tmp_path / "shop", FILES))
    done = nsroute(folder, "apply", "--interactive", answers=answers)
    assert done.returncode == 0, done.stderr
    for path, text in expected.items():
        found = (folder / path).read_text()
        assert text in found, path
        compile(found, path, "exec")
    path, text = absent
    assert text not in (folder / path).read_text()


def test_why_shows_the_decision_and_help_the_keys(tmp_path: Path) -> None:
    folder = commit(write(tmp_path / "shop", FILES))
    done = nsroute(folder, "apply", "-i", answers="w\n?\nx\nq\n")
    assert done.returncode == 0, done.stderr
    assert "app/cache.py:5:12: get_config().size\n" in done.stdout
    assert "becomes get_cache().size\n" in done.stdout
    assert "size goes to cache; it is a call read" in done.stdout
    assert "undo: back to the hunk before" in done.stdout
    assert "x: none of y, n, a, q, u, w, ?" in done.stdout


def test_answers_that_end_too_soon_change_nothing(tmp_path: Path) -> None:
    folder = commit(write(tmp_path / "shop", FILES))
    done = nsroute(folder, "apply", "-i", answers="y\n")
    assert done.returncode == 2
    assert "the answers ended before the hunks did; nothing was written" in done.stderr
    assert (folder / "app/cache.py").read_text() == FILES["app/cache.py"]


def test_two_reads_in_one_hunk_are_one_question(tmp_path: Path) -> None:
    code = (
        "from app.context import get_config\n\n\ndef f():\n"
        "    return get_config().size\n" + "\n\n# far away\n" * 6 + "\n\ndef g():\n"
        "    return get_config().size, get_config().policy\n"
    )
    folder = commit(write(tmp_path / "shop", {**FILES, "app/far.py": code}))
    done = nsroute(folder, "apply", "-i", "app/far.py", answers="y\nn\n")
    assert done.returncode == 0, done.stderr
    found = (folder / "app/far.py").read_text()
    assert "import get_cache, get_config\n" in found
    assert "return get_cache().size\n" in found
    assert "return get_config().size, get_config().policy\n" in found
