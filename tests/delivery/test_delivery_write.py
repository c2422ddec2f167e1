"""A file is replaced whole or left alone, and never outside the root."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from codemod.delivery import write_file

OLD, NEW = b"old = 1\r\n", b"new = 1\r\n"


def _names(folder: Path) -> list[str]:
    return sorted(entry.name for entry in folder.iterdir())


def test_the_content_is_replaced_and_nothing_else_is_left(tmp_path: Path) -> None:
    file = tmp_path / "pkg" / "x.py"
    file.parent.mkdir()
    file.write_bytes(OLD)
    assert write_file(tmp_path, "pkg/x.py", NEW, OLD) is None
    assert file.read_bytes() == NEW
    assert _names(file.parent) == ["x.py"]


@pytest.mark.parametrize("mode", [0o644, 0o755, 0o600, 0o444, 0o4755])
def test_mode_bits_are_kept(tmp_path: Path, mode: int) -> None:
    file = tmp_path / "x.py"
    file.write_bytes(OLD)
    file.chmod(mode)
    assert write_file(tmp_path, "x.py", NEW, OLD) is None
    assert stat.S_IMODE(file.stat().st_mode) == mode


def test_a_new_file_gets_the_mode_of_a_new_file(tmp_path: Path) -> None:
    (tmp_path / "like.py").touch()
    assert write_file(tmp_path, "x.py", NEW, None) is None
    assert (tmp_path / "x.py").read_bytes() == NEW
    assert (tmp_path / "x.py").stat().st_mode == (tmp_path / "like.py").stat().st_mode


def test_a_file_that_changed_is_left(tmp_path: Path) -> None:
    file = tmp_path / "x.py"
    file.write_bytes(b"someone else's\n")
    problem = write_file(tmp_path, "x.py", NEW, OLD)
    assert problem is not None
    assert "changed while we ran" in problem.message
    assert file.read_bytes() == b"someone else's\n"
    assert _names(tmp_path) == ["x.py"]


def test_a_file_that_is_gone_is_not_made_again(tmp_path: Path) -> None:
    problem = write_file(tmp_path, "x.py", NEW, OLD)
    assert problem is not None
    assert "deleted while we ran" in problem.message
    assert _names(tmp_path) == []


def test_a_directory_of_that_name_is_left(tmp_path: Path) -> None:
    (tmp_path / "x.py").mkdir()
    problem = write_file(tmp_path, "x.py", NEW, OLD)
    assert problem is not None
    assert "directory" in problem.message


def test_an_existing_file_is_not_taken_for_a_new_one(tmp_path: Path) -> None:
    (tmp_path / "x.py").write_bytes(OLD)
    problem = write_file(tmp_path, "x.py", NEW, None)
    assert problem is not None
    assert "exists already" in problem.message


def test_a_link_inside_the_root_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real.py").write_bytes(OLD)
    (tmp_path / "x.py").symlink_to("real.py")
    assert write_file(tmp_path, "x.py", NEW, OLD) is None
    assert (tmp_path / "x.py").is_symlink()
    assert (tmp_path / "real.py").read_bytes() == NEW


@pytest.mark.parametrize(
    "path", ["link.py", "folder/x.py", "../x.py", "pkg/../../x.py"]
)
def test_nothing_outside_the_root_is_written(tmp_path: Path, path: str) -> None:
    outside = tmp_path / "outside"
    root = tmp_path / "root"
    (root / "pkg").mkdir(parents=True)
    outside.mkdir()
    for file in (outside / "x.py", tmp_path / "x.py"):
        file.write_bytes(OLD)
    (root / "link.py").symlink_to(outside / "x.py")
    (root / "folder").symlink_to(outside)
    problem = write_file(root, path, NEW, OLD)
    assert problem is not None
    assert problem.file == path
    assert (outside / "x.py").read_bytes() == OLD
    assert (tmp_path / "x.py").read_bytes() == OLD
    assert _names(outside) == ["x.py"]


def test_an_absolute_path_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "x.py"
    file.write_bytes(OLD)
    assert write_file(tmp_path / "root", str(file), NEW, OLD) is not None
    assert file.read_bytes() == OLD


def test_a_root_that_is_itself_a_link_is_fine(tmp_path: Path) -> None:
    (tmp_path / "root").mkdir()
    (tmp_path / "root" / "x.py").write_bytes(OLD)
    (tmp_path / "link").symlink_to("root")
    assert write_file(tmp_path / "link", "x.py", NEW, OLD) is None
    assert (tmp_path / "root" / "x.py").read_bytes() == NEW


def test_a_failure_leaves_no_temporary_file(tmp_path: Path) -> None:
    """A limit on file size fails the write half way, as a full disk does."""
    file = tmp_path / "x.py"
    file.write_bytes(OLD)
    program = (
        "import resource, signal, sys\n"
        "from pathlib import Path\n"
        "from codemod.delivery import write_file\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))\n"
        f"print(write_file(Path(sys.argv[1]), 'x.py', b'x' * 5000, {OLD!r}).message)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path)],
        capture_output=True,
        text=True,
        check=True,
    )
    assert "cannot be written: File too large" in done.stdout
    assert file.read_bytes() == OLD
    assert _names(tmp_path) == ["x.py"]


def test_the_owner_is_kept(tmp_path: Path) -> None:
    """Anyone can give a file to another of their groups, root to anybody."""
    owner, group = os.geteuid(), os.getgroups()[-1] if os.getgroups() else os.getegid()
    if owner == 0:
        owner, group = 12345, 54321
    file = tmp_path / "x.py"
    file.write_bytes(OLD)
    os.chown(file, owner, group)
    assert write_file(tmp_path, "x.py", NEW, OLD) is None
    assert (file.stat().st_uid, file.stat().st_gid) == (owner, group)


def test_killed_at_any_moment_the_file_is_whole(tmp_path: Path) -> None:
    """A process that writes without pause is killed again and again."""
    size = 300_000
    contents = {b"a" * size, b"b" * size}
    file = tmp_path / "x.py"
    file.write_bytes(b"a" * size)
    program = (
        "import sys\n"
        "from pathlib import Path\n"
        "from codemod.delivery import write_file\n"
        f"old, new = b'a' * {size}, b'b' * {size}\n"
        "root = Path(sys.argv[1])\n"
        "if (root / 'x.py').read_bytes() == new:\n"
        "    old, new = new, old\n"
        "print('ready', flush=True)\n"
        "while write_file(root, 'x.py', new, old) is None:\n"
        "    old, new = new, old\n"
    )
    for number in range(8):
        with subprocess.Popen(
            [sys.executable, "-c", program, str(tmp_path)], stdout=subprocess.PIPE
        ) as process:
            assert process.stdout is not None
            assert process.stdout.readline() == b"ready\n"
            time.sleep(0.003 + 0.004 * number)
            process.send_signal(signal.SIGKILL)
        assert process.returncode == -signal.SIGKILL
        assert file.read_bytes() in contents


#: The command's own way of writing, interrupted right after a file was made.
INTERRUPTED = """\
import os, pathlib, sys
made = os.open
def opened(name, flags, *more, **keys):
    found = made(name, flags, *more, **keys)
    if ".nsroute-" in str(name):
        raise KeyboardInterrupt
    return found
os.open = opened
from codemod.delivery import write_file
write_file(pathlib.Path(sys.argv[1]), "x.py", b"new\\n", b"old\\n")
"""


def test_an_interrupt_right_after_the_file_was_made_leaves_none(
    tmp_path: Path,
) -> None:
    (tmp_path / "x.py").write_bytes(b"old\n")
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED, str(tmp_path)], capture_output=True
    )
    assert b"KeyboardInterrupt" in done.stderr
    assert _names(tmp_path) == ["x.py"]
    assert (tmp_path / "x.py").read_bytes() == b"old\n"


def test_what_a_killed_run_left_goes_with_the_next(tmp_path: Path) -> None:
    stray = ".nsroute-0123456789abcdef"
    others = [".nsroute-notes", ".nsroute-0123456789abcdef.py", "nsroute-0123"]
    folder = ".nsroute-fedcba9876543210"
    link = ".nsroute-00000000000000aa"
    (tmp_path / "x.py").write_bytes(OLD)
    for name in (stray, *others):
        (tmp_path / name).write_bytes(b"half")
    (tmp_path / folder).mkdir()
    (tmp_path / link).symlink_to("nsroute-0123")
    assert write_file(tmp_path, "x.py", NEW, OLD) is None
    assert _names(tmp_path) == sorted(["x.py", *others, folder, link])


#: Makes a temporary file as a run does, and holds it until told to go on.
HOLDS = """\
import pathlib, sys
from codemod.delivery.strays import temporary_file
with temporary_file(pathlib.Path(sys.argv[1])) as (name, file):
    print(name, flush=True)
    sys.stdin.readline()
"""


def test_what_a_running_run_needs_stays(tmp_path: Path) -> None:
    (tmp_path / "x.py").write_bytes(OLD)
    with subprocess.Popen(
        [sys.executable, "-c", HOLDS, str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as other:
        assert other.stdin is not None and other.stdout is not None
        name = Path(other.stdout.readline().strip()).name
        assert write_file(tmp_path, "x.py", NEW, OLD) is None
        assert _names(tmp_path) == [name, "x.py"]
        other.stdin.write("\n")
    assert _names(tmp_path) == ["x.py"]


def test_killed_again_and_again_a_run_leaves_one_file_at_most(tmp_path: Path) -> None:
    (tmp_path / "x.py").write_bytes(OLD)
    for _ in range(3):
        with subprocess.Popen(
            [sys.executable, "-c", HOLDS, str(tmp_path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        ) as process:
            assert process.stdout is not None
            process.stdout.readline()
            process.send_signal(signal.SIGKILL)
        assert len(_names(tmp_path)) == 2
    assert write_file(tmp_path, "x.py", NEW, OLD) is None
    assert _names(tmp_path) == ["x.py"]
