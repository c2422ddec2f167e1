"""The files of a project as they were at another revision, from git."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Collection
from pathlib import Path


class RevisionError(Exception):
    """git cannot say what a revision holds; the message is for a person."""


def base_texts(root: Path, revision: str, paths: Collection[str]) -> dict[str, bytes]:
    """What files had in them where this branch left ``revision``, if something else.

    The working tree counts as the branch, files that git does not know yet too. Of a
    renamed file the old content is given under its new path; a new file was empty.
    Raises RevisionError without git, outside a repository, and for an unknown revision.
    """
    base = _git(root, "merge-base", revision, "HEAD").decode().strip()
    listed = _git(
        root, "diff", "--relative", "--name-status", "-z", "-M", base, "--", "."
    )
    found: dict[str, bytes] = {}
    parts = iter(os.fsdecode(listed).split("\0"))
    for status in parts:
        if not status:
            continue
        old = new = next(parts)
        if status[0] in "RC":
            new = next(parts)
        if new not in paths or status[0] == "D":
            continue
        found[new] = b"" if status[0] == "A" else _git(root, "show", f"{base}:./{old}")
    others = _git(root, "ls-files", "--others", "--exclude-standard", "-z")
    for path in os.fsdecode(others).split("\0"):
        if path in paths:
            found[path] = b""
    return found


def _git(root: Path, *arguments: str) -> bytes:
    environment = {k: v for k, v in os.environ.items() if k != "GIT_DIR"}
    environment["LC_ALL"] = "C"
    try:
        done = subprocess.run(
            ["git", *arguments], cwd=root, capture_output=True, env=environment
        )
    except FileNotFoundError:
        raise RevisionError("--diff-base needs git, which is not installed") from None
    if done.returncode != 0:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        why = said[0] if said else "they share no history"
        what = " ".join(arguments[:2])
        raise RevisionError(f"git {what} failed: {why}")
    return done.stdout
