"""Which files a tree holds, in a checkout and out of one."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

import pytest

import codemod
from codemod.project import ProjectError, open_project

REPOSITORY = str(Path(codemod.__file__).parents[1])


def write(root: Path, *names: str) -> Path:
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x = 1\n")
    return root


def git(root: Path, *arguments: str) -> None:
    subprocess.run(
        ["git", "-c", "user.name=t", "-c", "user.email=t@t", *arguments],
        cwd=root,
        check=True,
        capture_output=True,
    )


def checkout(root: Path) -> Path:
    root.mkdir(parents=True, exist_ok=True)
    git(root, "init", "-q")
    return root


def commit(root: Path) -> Path:
    git(root, "add", "-A")
    git(root, "commit", "-qm", "files")
    return root


def paths(root: Path, **options: Iterable[str]) -> list[str]:
    return [file.path for file in open_project(root, **options).files]


@pytest.fixture(params=["git", "no git"])
def top(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """An empty root that is a checkout, or is not: the rules are the same."""
    root = tmp_path / "top"
    root.mkdir()
    return checkout(root) if request.param == "git" else root


def test_only_python_sorted_by_path(top: Path) -> None:
    write(top, "b.py", "a/c.py", "a/b/z.py", "a.py", "a/x.txt", "a/x.pyc", "A.py")
    assert paths(top) == ["A.py", "a.py", "a/b/z.py", "a/c.py", "b.py"]


def test_stubs_and_notebooks_are_counted(top: Path) -> None:
    write(top, "a.py", "a.pyi", "b.pyi", "n.ipynb", "README.md")
    assert open_project(top).skipped == {"notebook": 1, "pyi": 2}


def test_gitignore_at_every_level(top: Path) -> None:
    write(top, "gen/a.py", "pkg/gen/a.py", "pkg/keep/a.py", "pkg/keep/b.py", "c.py")
    write(top, "pkg/build/a.py", "pkg/deep/build/keep.py", "docs/conf.py")
    (top / ".gitignore").write_text("/gen/\nbuild/\n# a comment\n\ndocs/*\n")
    (top / "pkg/keep/.gitignore").write_text("*.py\n!b.py\n")
    (top / "docs/.gitignore").write_text("!conf.py\n")
    assert paths(top) == ["c.py", "docs/conf.py", "pkg/gen/a.py", "pkg/keep/b.py"]


def test_a_pattern_git_does_not_understand_is_left_out(top: Path) -> None:
    write(top, "a.py", "b.py")
    (top / ".gitignore").write_text("a.py\n///\n[\n!\n")
    assert paths(top) == ["b.py"]


def test_virtual_environments_are_not_the_project(top: Path) -> None:
    write(top, "a.py", "odd/lib/python3.11/site-packages/x.py", "odd/pyvenv.cfg")
    assert paths(top) == ["a.py"]


def test_names_with_spaces_quotes_and_newlines(top: Path) -> None:
    names = ["a b/c d.py", "it's.py", 'q"uote.py', "new\nline.py", "ünï/é漢.py"]
    write(top, *names)
    assert paths(top) == sorted(names)


def test_a_name_that_is_not_utf_8_is_a_problem(top: Path) -> None:
    write(top, "a.py")
    try:
        Path(top, os.fsdecode(b"b\xff.py")).write_text("x = 1\n")
    except OSError:  # a file system that refuses such names cannot have one
        return
    project = open_project(top)
    assert [file.path for file in project.files] == ["a.py"]
    assert [error.file for error in project.errors] == ["b\\udcff.py"]


@pytest.mark.parametrize("content", [(), ("x.py/inner.py",)], ids=["empty", "filled"])
def test_a_directory_named_like_a_source_file(
    top: Path, content: tuple[str, ...]
) -> None:
    write(top, "a.py", *content)
    (top / "x.py").mkdir(exist_ok=True)
    project = open_project(top)
    assert [file.path for file in project.files] == ["a.py", *content]
    assert [(e.file, e.line) for e in project.errors] == [("x.py", 0)]
    assert "is a directory" in project.errors[0].message
    assert open_project(top, exclude=["x.py/"]).errors == ()


def test_an_ignored_directory_named_like_a_source_file_is_nobodys_problem(
    top: Path,
) -> None:
    write(top, "a.py", "x.py/inner.py")
    (top / ".gitignore").write_text("x.py/\n")
    assert open_project(top).errors == ()


class TestSymlinks:
    def test_out_of_the_root(self, top: Path, tmp_path: Path) -> None:
        write(top, "a.py", "pkg/b.py")
        write(tmp_path / "outside", "o.py", "d/p.py")
        (top / "o.py").symlink_to(tmp_path / "outside/o.py")
        (top / "pkg/d").symlink_to(tmp_path / "outside/d")
        (top / "up").symlink_to("..")
        project = open_project(top)
        assert [file.path for file in project.files] == ["a.py", "pkg/b.py"]
        assert project.skipped == {"symlink": 3}

    def test_to_a_file_inside_is_not_listed_twice(self, top: Path) -> None:
        write(top, "a.py", "pkg/b.py")
        (top / "again.py").symlink_to("pkg/b.py")
        (top / "same").symlink_to("pkg")
        project = open_project(top)
        assert [file.path for file in project.files] == ["a.py", "pkg/b.py"]
        assert project.skipped == {}

    def test_loops_and_broken_ones(self, top: Path) -> None:
        write(top, "a.py", "pkg/b.py")
        (top / "pkg/self").symlink_to(".")
        (top / "round.py").symlink_to("round.py")
        (top / "broken.py").symlink_to("nowhere.py")
        project = open_project(top)
        assert [file.path for file in project.files] == ["a.py", "pkg/b.py"]
        assert project.skipped == {"symlink": 2}

    def test_a_root_that_is_a_symlink(self, top: Path, tmp_path: Path) -> None:
        write(top, "pkg/__init__.py")
        (tmp_path / "link").symlink_to(top)
        assert paths(tmp_path / "link") == ["pkg/__init__.py"]


def test_a_named_pipe_is_no_source_file(top: Path) -> None:
    write(top, "a.py")
    os.mkfifo(top / "pipe.py")
    assert paths(top) == ["a.py"]


class TestGlobs:
    CASES = {
        "exclude a folder": ((), ("tests/",), ["a.py", "gen/x_pb2.py", "src/b.py"]),
        "exclude by name": ((), ("*_pb2.py",), ["a.py", "src/b.py", "tests/t.py"]),
        "include": (("src/", "/a.py"), (), ["a.py", "src/b.py"]),
        "both": (("*.py",), ("src/**", "tests"), ["a.py", "gen/x_pb2.py"]),
        "nothing matches": (("no/",), (), []),
        "exclude all but": ((), ("*", "!a.py"), ["a.py"]),
    }

    @pytest.mark.parametrize(
        ("include", "exclude", "expected"), CASES.values(), ids=CASES
    )
    def test_globs(
        self,
        tmp_path: Path,
        include: tuple[str, ...],
        exclude: tuple[str, ...],
        expected: list[str],
    ) -> None:
        write(tmp_path, "a.py", "src/b.py", "tests/t.py", "gen/x_pb2.py")
        assert paths(tmp_path, include=include, exclude=exclude) == expected

    def test_what_is_excluded_still_names_the_rest(self, tmp_path: Path) -> None:
        write(tmp_path, "pkg/__init__.py", "pkg/src/b.py")
        project = open_project(tmp_path, exclude=["__init__.py"])
        assert [file.module for file in project.files] == ["pkg.src.b"]

    def test_a_bad_glob_is_named(self, tmp_path: Path) -> None:
        with pytest.raises(ProjectError, match=r"--exclude '!': bad glob"):
            open_project(tmp_path, exclude=["!"])


@pytest.mark.parametrize(
    ("name", "word"), [("missing", "does not exist"), ("file", "not a directory")]
)
def test_a_root_that_is_none(tmp_path: Path, name: str, word: str) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ProjectError, match=word):
        open_project(tmp_path / name)


class TestGit:
    def test_tracked_untracked_and_deleted(self, tmp_path: Path) -> None:
        root = commit(write(checkout(tmp_path), "a.py", "gone.py", "forced.py"))
        (root / ".gitignore").write_text("forced.py\nignored.py\n")
        write(root, "new.py", "ignored.py")
        (root / "gone.py").unlink()
        assert paths(root) == ["a.py", "forced.py", "new.py"]

    def test_a_root_below_the_top(self, tmp_path: Path) -> None:
        root = commit(write(checkout(tmp_path), "a.py", "python/pkg/b.py"))
        write(root, "python/c.py")
        assert paths(root / "python") == ["c.py", "pkg/b.py"]

    def test_a_root_that_is_ignored_as_a_whole_is_walked(self, tmp_path: Path) -> None:
        root = commit(write(checkout(tmp_path), "a.py"))
        (root / ".gitignore").write_text("build/\n")
        write(root, "build/wheel/pkg/b.py")
        assert paths(root / "build/wheel") == ["pkg/b.py"]

    def test_other_checkouts_inside_are_skipped(self, tmp_path: Path) -> None:
        library = commit(write(checkout(tmp_path / "library"), "lib.py"))
        root = commit(write(checkout(tmp_path / "root"), "a.py"))
        allow = ("-c", "protocol.file.allow=always")
        git(root, *allow, "submodule", "add", str(library), "third_party/lib")
        commit(write(checkout(root / "clone"), "b.py"))
        project = open_project(root)
        assert [file.path for file in project.files] == ["a.py"]
        assert project.skipped == {"submodule": 2}
        assert paths(root / "third_party/lib") == ["lib.py"]

    def test_a_merge_conflict_lists_a_file_once(self, tmp_path: Path) -> None:
        root = commit(write(checkout(tmp_path), "a.py"))
        git(root, "checkout", "-qb", "other")
        (root / "a.py").write_text("x = 2\n")
        commit(root)
        git(root, "checkout", "-q", "-")
        (root / "a.py").write_text("x = 3\n")
        commit(root)
        with pytest.raises(subprocess.CalledProcessError):
            git(root, "merge", "other")
        assert paths(root) == ["a.py"]

    def test_a_worktree(self, tmp_path: Path) -> None:
        root = commit(write(checkout(tmp_path / "root"), "a.py"))
        git(root, "worktree", "add", "-q", str(tmp_path / "tree"))
        assert paths(tmp_path / "tree") == ["a.py"]

    def test_a_tracked_folder_that_became_a_symlink(self, tmp_path: Path) -> None:
        root = commit(write(checkout(tmp_path / "root"), "a.py", "pkg/b.py"))
        outside = write(tmp_path / "outside", "b.py")
        (root / "pkg/b.py").unlink()
        (root / "pkg").rmdir()
        (root / "pkg").symlink_to(outside)
        assert paths(root) == ["a.py"]

    def test_the_repository_cannot_name_a_program_to_run(self, tmp_path: Path) -> None:
        root = commit(write(checkout(tmp_path / "root"), "a.py"))
        hook = tmp_path / "hook"
        hook.write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\n")
        hook.chmod(0o755)
        git(root, "config", "core.fsmonitor", str(hook))
        assert paths(root) == ["a.py"]
        assert not (tmp_path / "ran").exists()

    def test_run_from_a_hook_of_another_repository(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        root = commit(write(checkout(tmp_path / "root"), "a.py"))
        other = commit(write(checkout(tmp_path / "other"), "b.py"))
        monkeypatch.setenv("GIT_DIR", str(other / ".git"))
        monkeypatch.setenv("GIT_INDEX_FILE", str(other / ".git/index"))
        assert paths(root) == ["a.py"]

    def test_without_the_git_program_the_rules_still_hold(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        root = checkout(tmp_path)
        write(root, "pkg/a.py", "pkg/gen.py", "pkg/own.py", "pkg/out.py")
        (root / ".gitignore").write_text("gen.py\n")
        (root / ".git/info/exclude").write_text("/pkg/out.py\n")
        (root / "pkg/.gitignore").write_text("/own.py\n")
        assert paths(root / "pkg") == ["a.py"]
        monkeypatch.setenv("PATH", "")
        assert paths(root / "pkg") == ["a.py"]
        assert paths(root) == ["pkg/a.py"]

    def test_an_owner_git_does_not_trust(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        root = commit(write(checkout(tmp_path), "a.py"))
        monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
        monkeypatch.setenv("GIT_CONFIG_GLOBAL", "/dev/null")
        monkeypatch.setenv("GIT_CONFIG_SYSTEM", "/dev/null")
        with pytest.raises(subprocess.CalledProcessError):
            git(root, "ls-files")
        assert paths(root) == ["a.py"]


def test_junk_is_not_walked(tmp_path: Path) -> None:
    junk = ["__pycache__", "node_modules", ".tox", ".venv", "venv", ".mypy_cache"]
    write(tmp_path, "a.py", *(f"{name}/j.py" for name in junk))
    write(tmp_path, "lib/venv/__init__.py", ".github/tool.py")
    assert paths(tmp_path) == [".github/tool.py", "a.py", "lib/venv/__init__.py"]


@pytest.mark.parametrize("in_git", [True, False], ids=["git", "no git"])
def test_a_folder_nobody_may_read_is_a_problem(in_git: bool) -> None:
    """Run as a user who may not: root may read anything."""
    code = (
        "import os\n"
        "from pathlib import Path\n"
        "from codemod.project import open_project\n"
        "import pathspec\n"
        "os.chmod('secret', 0)\n"
        "if os.getuid() == 0: os.setuid(65534)\n"
        "project = open_project(Path('.'))\n"
        "print([f.path for f in project.files], project.errors)\n"
    )
    environment = {
        **os.environ,
        "PYTHONPATH": REPOSITORY,
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": "safe.directory",
        "GIT_CONFIG_VALUE_0": "*",
    }
    with tempfile.TemporaryDirectory() as folder:
        root = write(Path(folder), "a.py", "secret/b.py")
        if in_git:
            commit(checkout(root))
        root.chmod(0o755)
        done = subprocess.run(
            [sys.executable, "-c", code],
            cwd=root,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        (root / "secret").chmod(0o755)
    assert "['a.py']" in done.stdout, done.stderr
    assert "file='secret'" in done.stdout
    assert "Permission denied" in done.stdout
