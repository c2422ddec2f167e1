"""What git says about the tree that is about to be changed."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Literal

GitState = Literal["clean", "dirty", "not a repo"]

# A hook that runs us hands down variables that name its own repository (the list is
# that of `git rev-parse --local-env-vars`).
_LOCAL = frozenset(
    {
        "GIT_ALTERNATE_OBJECT_DIRECTORIES",
        "GIT_COMMON_DIR",
        "GIT_CONFIG",
        "GIT_CONFIG_COUNT",
        "GIT_CONFIG_PARAMETERS",
        "GIT_DIR",
        "GIT_GRAFT_FILE",
        "GIT_IMPLICIT_WORK_TREE",
        "GIT_INDEX_FILE",
        "GIT_INTERNAL_SUPER_PREFIX",
        "GIT_NAMESPACE",
        "GIT_NO_REPLACE_OBJECTS",
        "GIT_OBJECT_DIRECTORY",
        "GIT_PREFIX",
        "GIT_REPLACE_REF_BASE",
        "GIT_SHALLOW_FILE",
        "GIT_WORK_TREE",
    }
)


class GitError(Exception):
    """Git is there but would not answer; the message is a sentence for a person."""


def git_state(root: Path) -> GitState:
    """Tell whether tracked files at or below ``root`` have uncommitted changes.

    Staged and unstaged changes, deletions and conflicts count. Untracked files and
    submodules do not: they are in nobody's way, since only tracked or new content of
    this checkout is written. Changes outside ``root`` do not count either. Without git
    on the machine, or outside a work tree, the answer is ``"not a repo"``.

    Raises GitError when git refuses, for instance a checkout of another owner
    (``safe.directory``): then nobody knows whether changes would be mixed up.
    """
    try:
        inside = _git(root, "rev-parse", "--is-inside-work-tree")
    except FileNotFoundError:
        return "not a repo"
    if inside.returncode != 0:
        if b"not a git repository" in inside.stderr.lower():
            return "not a repo"
        raise GitError(_refusal(root, inside))
    if inside.stdout.strip() != b"true":
        return "not a repo"
    status = _git(
        root,
        "status",
        "--porcelain=v1",
        "-z",
        "--untracked-files=no",
        "--ignore-submodules=all",
        "--",
        ".",
    )
    if status.returncode != 0:
        raise GitError(_refusal(root, status))
    return "dirty" if status.stdout else "clean"


def local_environment() -> dict[str, str]:
    """The environment for a git that is to ask this checkout and no other.

    A dry question must not take the index lock from a person's own git, and refusals
    are recognised by their English text.
    """
    environment = {k: v for k, v in os.environ.items() if k not in _LOCAL}
    return environment | {"GIT_OPTIONAL_LOCKS": "0", "LC_ALL": "C"}


def _git(root: Path, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        # The checkout's own configuration could name a program to run here.
        # Looking must not refresh the index, which would run a hook too.
        [
            *("git", "--no-optional-locks", "-c", "core.fsmonitor=false"),
            *("-c", f"core.hooksPath={os.devnull}", *arguments),
        ],
        cwd=root,
        env=local_environment(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )


def _refusal(root: Path, done: subprocess.CompletedProcess[bytes]) -> str:
    said = os.fsdecode(done.stderr).strip() or f"exit code {done.returncode}"
    return f"git cannot tell whether {root} has uncommitted changes: {said}"
