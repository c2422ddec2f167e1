"""Hunk by hunk: what is refused is kept, and the file is whole all the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from codemod.transforms import TRANSFORMS
from tests.series.support import FILES, PACK, commit, nsroute, write

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


def reviewed(tmp_path: Path, name: str, answers: str, *arguments: str) -> Path:
    """The first example of a transform after a review with these answers."""
    made = TRANSFORMS[name].EXAMPLES[0]
    folder = commit(write(tmp_path / name, {**made.before, "nsroute.toml": made.pack}))
    done = nsroute(folder, "apply", "-i", *arguments, answers=answers)
    assert done.returncode == 0, done.stderr
    (tmp_path / "out").write_text(done.stdout)
    for path in folder.rglob("*.py"):
        compile(path.read_bytes(), path, "exec")
    return folder


FAR = "\n\n# far away\n" * 6


def far_apart(tmp_path: Path, pack: str, files: dict[str, str], answers: str) -> Path:
    """A repository after a review."""
    tmp_path.mkdir(exist_ok=True)
    folder = commit(write(tmp_path / "far", {**files, "nsroute.toml": pack}))
    done = nsroute(folder, "apply", "-i", answers=answers)
    assert done.returncode == 0, done.stderr
    (tmp_path / "out").write_text(done.stdout)
    for path in folder.rglob("*.py"):
        compile(path.read_bytes(), path, "exec")
    return folder


def test_derived_members_hunk_by_hunk(tmp_path: Path) -> None:
    code = (
        "from app.config import get_config\n\n\ndef f():\n"
        f"    return get_config().is_large\n{FAR}\n\ndef g():\n"
        "    return get_config().is_large\n"
    )
    made = TRANSFORMS["derived"].EXAMPLES[0]
    files = {**made.before, "app/use.py": code}
    folder = far_apart(tmp_path, made.pack, files, "n\nw\ny\n")
    found = (folder / "app/use.py").read_text()
    assert found == code.replace(
        "import get_config\n", "import get_config, is_large\n"
    ).replace("g():\n    return get_config().is_large", "g():\n    return is_large()")
    assert "becomes is_large()\n" in (tmp_path / "out").read_text()


def test_a_refused_writer_keeps_its_readers(tmp_path: Path) -> None:
    made = TRANSFORMS["writers"].EXAMPLES[0]
    folder = reviewed(tmp_path, "writers", "y\nn\n")
    for path in ("app/read.py", "app/write.py"):
        assert (folder / path).read_text() == made.before[path]
    folder = reviewed(tmp_path / "again", "writers", "n\ny\n")
    for path in ("app/read.py", "app/write.py"):
        assert (folder / path).read_text() == made.before[path]
    folder = reviewed(tmp_path / "both", "writers", "y\ny\n")
    assert "get_context().override" in (folder / "app/write.py").read_text()


def test_a_refused_patch_keeps_the_probe_that_it_patches(tmp_path: Path) -> None:
    folder = reviewed(tmp_path, "probes", "y\nn\n")
    use = (folder / "app/use.py").read_text()
    assert "return get_platform().lanes if fast() else 1" in use
    assert '@patch("app.use.fast"' in (folder / "tests/test_use.py").read_text()
    folder = reviewed(tmp_path / "again", "probes", "n\ny\n")
    assert (
        "machine.count_lanes() if fast() else 1" in (folder / "app/use.py").read_text()
    )
    assert '@patch("app.use.fast"' in (folder / "tests/test_use.py").read_text()


def test_a_refused_parameter_keeps_its_arguments(tmp_path: Path) -> None:
    made = TRANSFORMS["cleanup"].EXAMPLES[0]
    folder = reviewed(tmp_path, "cleanup", "y\nn\n")  # high.py, low.py
    assert (folder / "app/low.py").read_text() == made.before["app/low.py"]
    assert "return fits(words, config)" in (folder / "app/high.py").read_text()
    folder = reviewed(tmp_path / "again", "cleanup", "n\ny\n")
    assert (folder / "app/high.py").read_text() == made.before["app/high.py"]
    assert (folder / "app/low.py").read_text() == made.before["app/low.py"]


def test_an_unread_import_can_be_refused(tmp_path: Path) -> None:
    pack = f'{PACK}[cleanup]\n[[step]]\nname = "cleanup"\ntransform = "cleanup"\n'
    idle = "from app.context import get_config\n"
    inner = "def f():\n    from app.context import get_config\n\n    return 1\n"
    files = {**FILES, "app/a.py": idle, "app/b.py": inner}
    folder = far_apart(tmp_path, pack, files, "n\nw\ny\n")
    assert (folder / "app/a.py").read_text() == idle
    assert (folder / "app/b.py").read_text() == "def f():\n    return 1\n"
    out = (tmp_path / "out").read_text()
    assert "app/b.py:2:5: from app.context import get_config\n  goes\n" in out


def test_what_a_tool_changed_hunk_by_hunk(tmp_path: Path) -> None:
    numbers = "".join(f"x{n} = {n}\n" for n in range(30))
    command = "sed -i -e s/x3/y3/ -e s/x17/y17/ app/numbers.py; echo z > new.txt"
    pack = f'{PACK}[[step]]\nname = "tool"\ncommand = "{command}"\n'
    files = {**FILES, "app/numbers.py": numbers}
    folder = far_apart(tmp_path, pack, files, "y\nw\ny\nu\nn\nn\n")
    found = (folder / "app/numbers.py").read_text()
    assert found == numbers.replace("x3", "y3")
    assert not (folder / "new.txt").exists()
    assert "changed by the step's own tool" in (tmp_path / "out").read_text()


def test_a_tool_whose_half_does_not_compile_is_left(tmp_path: Path) -> None:
    numbers = "".join(f"x{n} = {n}\n" for n in range(30))
    script = 'sed -i -e \'s/ 3$/ """3/\' -e \'s/ 17/ 17"""/\' app/numbers.py'
    pack = f'{PACK}[[step]]\nname = "tool"\ncommand = "sh tool.sh"\n'
    files = {**FILES, "app/numbers.py": numbers, "tool.sh": script + "\n"}
    folder = far_apart(tmp_path, pack, files, "n\ny\n")
    assert (folder / "app/numbers.py").read_text() == numbers
    folder = far_apart(tmp_path / "both", pack, files, "y\ny\n")
    assert 'x3 = """3\n' in (folder / "app/numbers.py").read_text()
