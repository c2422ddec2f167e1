"""A tree is dirty when tracked files below the root have uncommitted changes."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from codemod.delivery import GitError, git_state


def _git(folder: Path, *arguments: str) -> None:
    identity = ["-c", "user.email=a@b.c", "-c", "user.name=A"]
    protocol = ["-c", "protocol.file.allow=always"]
    command = ["git", *identity, *protocol, *arguments]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A checkout with one commit: ``pkg/x.py`` and ``top.py``."""
    root = tmp_path / "repo"
    (root / "pkg").mkdir(parents=True)
    (root / "pkg" / "x.py").write_text("x = 1\n")
    (root / "top.py").write_text("t = 1\n")
    _git(root, "init", "-q")
    _git(root, "add", ".")
    _git(root, "commit", "-qm", "first")
    return root


def test_a_fresh_commit_is_clean(repository: Path) -> None:
    assert git_state(repository) == "clean"


def _edit(root: Path) -> None:
    (root / "pkg" / "x.py").write_text("x = 2\n")


def _stage(root: Path) -> None:
    _edit(root)
    _git(root, "add", "pkg/x.py")


def _delete(root: Path) -> None:
    (root / "pkg" / "x.py").unlink()


def _add(root: Path) -> None:
    (root / "pkg" / "new.py").touch()
    _git(root, "add", "pkg/new.py")


@pytest.mark.parametrize("change", [_edit, _stage, _delete, _add])
def test_a_change_of_a_tracked_file_is_dirty(
    repository: Path, change: Callable[[Path], None]
) -> None:
    change(repository)
    assert git_state(repository) == "dirty"
    assert git_state(repository / "pkg") == "dirty"


def test_untracked_files_are_not_dirt(repository: Path) -> None:
    (repository / "pkg" / "new.py").touch()
    assert git_state(repository) == "clean"


def test_changes_outside_the_root_do_not_count(repository: Path) -> None:
    (repository / "top.py").write_text("t = 2\n")
    assert git_state(repository / "pkg") == "clean"
    assert git_state(repository) == "dirty"


def test_a_changed_submodule_is_not_dirt(repository: Path, tmp_path: Path) -> None:
    library = tmp_path / "library"
    library.mkdir()
    (library / "a.py").touch()
    _git(library, "init", "-q")
    _git(library, "add", ".")
    _git(library, "commit", "-qm", "first")
    _git(repository, "submodule", "add", "-q", str(library), "lib")
    _git(repository, "commit", "-qm", "submodule")
    (repository / "lib" / "a.py").write_text("a = 1\n")
    assert git_state(repository) == "clean"


def test_outside_a_checkout_is_no_repo(tmp_path: Path) -> None:
    assert git_state(tmp_path) == "not a repo"


def test_without_git_is_no_repo(
    repository: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert git_state(repository) == "not a repo"


def test_the_repository_of_a_running_hook_is_not_asked(
    repository: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("GIT_DIR", str(repository / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(repository))
    _edit(repository)
    assert git_state(tmp_path) == "not a repo"


def test_git_that_will_not_answer_is_an_error(repository: Path) -> None:
    (repository / ".git" / "index").write_bytes(b"broken")
    with pytest.raises(GitError, match=r"cannot tell whether .* has uncommitted"):
        git_state(repository)
