"""Repositories that are set up otherwise: they work, or are refused with a word."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.series import support
from tests.series.support import CACHE, FILES, PACK, commit, git, nsroute, titles, write

BOTH = ["Read cache through its namespace", "Read net through its namespace"]


def branch(folder: Path, *more: str) -> str:
    """Make the branch ``ns``; what was said on stderr. Nothing else may change."""
    before = support.state(folder)
    done = nsroute(folder, "apply", "--branch", "ns", *more)
    assert done.returncode == 0, done.stderr
    assert support.state(folder) == before
    return done.stderr


def test_a_detached_head(tmp_path: Path) -> None:
    folder = commit(write(tmp_path / "shop", FILES))
    git(folder, "checkout", "--quiet", "--detach")
    branch(folder)
    assert titles(folder, "ns") == BOTH


def test_a_worktree(tmp_path: Path) -> None:
    main = commit(write(tmp_path / "shop", FILES))
    folder = tmp_path / "other"
    git(main, "worktree", "add", "--quiet", "-b", "work", str(folder))
    before = support.state(main)
    branch(folder)
    assert titles(main, "ns") == BOTH
    assert support.state(main) == before


def test_a_root_below_the_top_with_other_work_beside_it(tmp_path: Path) -> None:
    top = tmp_path / "top"
    commit(
        write(top, {f"py/{path}": data for path, data in FILES.items()} | {"a": "1"})
    )
    branch(top / "py")
    assert titles(top, "ns") == BOTH
    changed = git(top, "diff", "--name-only", "main", "ns").splitlines()
    assert changed == ["py/app/cache.py", "py/app/server.py", "py/tool.py"]


def test_a_submodule_stays_and_is_a_repository_of_its_own(tmp_path: Path) -> None:
    inner = commit(write(tmp_path / "inner", FILES))
    outer = commit(write(tmp_path / "outer", {**FILES, "tool.py": "x = 1\n"}))
    allow = ("-c", "protocol.file.allow=always")
    git(outer, *allow, "submodule", "--quiet", "add", str(inner), "lib")
    git(outer, "commit", "--quiet", "--message", "lib")
    branch(outer)
    assert git(outer, "diff", "--name-only", "main", "ns").splitlines() == [
        "app/cache.py",
        "app/server.py",
    ]
    branch(outer / "lib")
    assert titles(outer / "lib", "ns") == BOTH


def test_a_sparse_checkout_is_refused(tmp_path: Path) -> None:
    folder = commit(write(tmp_path / "shop", {**FILES, "far/away.py": "x = 1\n"}))
    git(folder, "sparse-checkout", "set", "app")
    before = support.state(folder)
    done = nsroute(folder, "apply", "--branch", "ns")
    assert done.returncode == 2
    assert "a sparse checkout leaves out 1 Python file" in done.stderr
    assert "far/away.py" in done.stderr
    assert support.state(folder) == before


def test_a_sparse_checkout_is_refused_in_place_unless_forced(tmp_path: Path) -> None:
    folder = commit(write(tmp_path / "shop", {**FILES, "far/away.py": "x = 1\n"}))
    git(folder, "sparse-checkout", "set", "app")
    before = support.state(folder)
    done = nsroute(folder, "apply")
    assert done.returncode == 2
    assert "a sparse checkout leaves out 1 Python file" in done.stderr
    assert "--force goes on all the same" in done.stderr
    assert support.state(folder) == before
    assert nsroute(folder, "apply", "--force").returncode == 0
    assert "get_cache().size" in (folder / "app/cache.py").read_text()


def in_place(folder: Path) -> list[str]:
    """What is different after a run in place; nothing but files may be."""
    before = support.state(folder)
    done = nsroute(folder, "apply")
    assert done.returncode == 0, done.stderr
    changed = git(folder, "diff", "--name-only", "--ignore-submodules").splitlines()
    git(folder, "checkout", "--quiet", "--", ".")
    assert support.state(folder)[1:5] == before[1:5]
    return changed


def test_in_place_in_a_worktree_with_a_detached_head_and_beside_a_submodule(
    tmp_path: Path,
) -> None:
    all_three = ["app/cache.py", "app/server.py", "tool.py"]
    main = commit(write(tmp_path / "shop", FILES))
    git(main, "checkout", "--quiet", "--detach")
    assert in_place(main) == all_three
    other = tmp_path / "other"
    git(main, "worktree", "add", "--quiet", "-b", "work", str(other))
    assert in_place(other) == all_three
    assert (main / "tool.py").read_text() == FILES["tool.py"]
    outer = commit(write(tmp_path / "outer", {**FILES, "tool.py": "x = 1\n"}))
    allow = ("-c", "protocol.file.allow=always")
    git(outer, *allow, "submodule", "--quiet", "add", str(main), "lib")
    git(outer, "commit", "--quiet", "--message", "lib")
    assert in_place(outer) == ["app/cache.py", "app/server.py"]
    assert git(outer / "lib", "status", "--porcelain", "-uno") == ""
    assert in_place(outer / "lib") == all_three


def test_a_sparse_checkout_of_all_python_files_works(tmp_path: Path) -> None:
    folder = commit(write(tmp_path / "shop", {**FILES, "docs/big.txt": "x\n"}))
    git(folder, "sparse-checkout", "set", "app")
    branch(folder)
    assert titles(folder, "ns") == BOTH
    assert "docs/big.txt" in git(folder, "ls-tree", "-r", "--name-only", "ns")


@pytest.mark.parametrize("setting", ["true", "input", "false"])
def test_autocrlf(tmp_path: Path, setting: str) -> None:
    folder = commit(write(tmp_path / "shop", FILES), f"core.autocrlf={setting}")
    if setting == "true":
        for path in ("app/cache.py", "tool.py"):
            (folder / path).unlink()
        git(folder, "checkout", "--quiet", "--", ".")
        assert b"\r\n" in (folder / "tool.py").read_bytes()
    branch(folder)
    assert titles(folder, "ns") == BOTH
    stat = git(folder, "diff", "--numstat", "main", "ns", "--", "tool.py").split()
    assert stat == ["2", "2", "tool.py"]
    done = nsroute(folder, "apply", "--patches", "../out")
    assert done.returncode == 0, done.stderr
    clone = tmp_path / "clone"
    git(folder, "clone", "--quiet", "--branch", "main", str(folder), str(clone))
    git(clone, "am", "--quiet", *sorted(map(str, (tmp_path / "out").glob("*.patch"))))
    assert git(clone, "rev-parse", "HEAD^{tree}") == git(
        folder, "rev-parse", "ns^{tree}"
    )


def test_line_ends_that_git_would_change_are_named(tmp_path: Path) -> None:
    crlf = {"app/cache.py": CACHE.replace("\n", "\r\n")}
    folder = commit(write(tmp_path / "shop", {**FILES, **crlf}))
    write(folder, {".gitattributes": "*.py text=auto\n*.py text\n"})
    git(folder, "add", ".gitattributes")
    git(folder, "commit", "--quiet", "--message", "attributes")
    done = nsroute(folder, "apply", "--branch", "ns", "--force")
    assert done.returncode in (1, 2)
    assert "app/cache.py" in done.stderr


def test_no_commit_yet(tmp_path: Path) -> None:
    folder = write(tmp_path / "shop", FILES)
    git(folder, "init", "--quiet", "--initial-branch=main")
    done = nsroute(folder, "apply", "--branch", "ns")
    assert done.returncode == 2
    assert "has no commit yet: make the first one" in done.stderr
    assert nsroute(folder, "apply").returncode == 0
    assert "get_cache().size" in (folder / "app/cache.py").read_text()


def test_untracked_files_stay_out_of_commits_and_are_named(tmp_path: Path) -> None:
    folder = commit(write(tmp_path / "shop", FILES))
    write(folder, {"new.py": CACHE})
    done = nsroute(folder, "apply", "--branch", "ns")
    assert done.returncode == 1
    assert "new.py: left as it was (untracked)" in done.stderr
    assert titles(folder, "ns") == BOTH
    assert (folder / "new.py").read_text() == CACHE


def test_force_takes_head_and_leaves_uncommitted_files_alone(tmp_path: Path) -> None:
    folder = commit(write(tmp_path / "shop", FILES))
    write(folder, {"app/cache.py": CACHE + "# mine\n"})
    refused = nsroute(folder, "apply", "--branch", "ns")
    assert refused.returncode == 2
    assert "has uncommitted changes" in refused.stderr
    done = nsroute(folder, "apply", "--branch", "ns", "--force")
    assert done.returncode == 1
    assert "app/cache.py: left as it was (uncommitted)" in done.stderr
    changed = git(folder, "diff", "--name-only", "main", "ns").splitlines()
    assert changed == ["app/server.py", "tool.py"]


def test_hooks_and_signing_play_no_part(tmp_path: Path) -> None:
    folder = _with_hooks(tmp_path / "shop")
    for path in (folder / ".git/hooks").iterdir():
        assert os.access(path, os.X_OK)
    branch(folder)
    done = nsroute(folder, "apply", "--patches", "../out")
    assert done.returncode == 0, done.stderr
    assert not (folder / "ran").exists()
    first = (tmp_path / "out").glob("0001*").__next__().read_text()
    assert "Subject: [PATCH 1/2] Read cache through its namespace\n" in first
    assert "Signed-off-by" not in first
    assert "--- a/app/cache.py\n+++ b/app/cache.py\n" in first


def _with_hooks(folder: Path) -> Path:
    commit(write(folder, FILES))
    hooks = folder / ".git/hooks"
    hooks.mkdir(exist_ok=True)
    for name in (
        *(
            "pre-commit",
            "commit-msg",
            "post-commit",
            "post-checkout",
            "post-index-change",
        ),
        *("reference-transaction", "pre-auto-gc", "post-rewrite", "prepare-commit-msg"),
    ):
        (hooks / name).write_text(f"#!/bin/sh\ntouch '{folder}/ran'\nexit 1\n")
        (hooks / name).chmod(0o755)
    for setting in (
        *("commit.gpgSign=true", "gpg.program=false", "format.signOff=true"),
        *("format.subjectPrefix=X", "diff.noprefix=true", "format.attach=x"),
        *("diff.mnemonicPrefix=true", "format.coverLetter=false", "user.name=Zoe"),
    ):
        git(folder, "config", *setting.split("=", 1))
    return folder


def test_verify_and_external_work_below_the_top_in_a_worktree(tmp_path: Path) -> None:
    pack = (
        f"{PACK}\n[verify]\ncommand = 'test -f app/cache.py && git log -1'\n"
        "[[step]]\nname = 'note'\ncommand = 'echo \"# noted\" >> tool.py'\n"
        "[[step]]\nname = 'reads'\nsplit = 'namespace'\n"
    )
    files = {f"py/{p}": d for p, d in {**FILES, "nsroute.toml": pack}.items()}
    top = commit(write(tmp_path / "top", files))
    folder = tmp_path / "other"
    git(top, "worktree", "add", "--quiet", "-b", "work", str(folder))
    branch(folder / "py")
    assert titles(top, "ns") == ["Run note", *BOTH]
    assert git(top, "show", "ns:py/tool.py").endswith("# noted\n")
