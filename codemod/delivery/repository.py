"""The repository that a series is made for: where it is, its HEAD, who commits.

Git is called with hooks, fsmonitor and a person's own index out of play: nothing here
runs a program that a checkout names, and nothing writes into the checkout.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from codemod.delivery.git import GitError, local_environment

_QUIET = (
    *("-c", "core.fsmonitor=false"),
    *("-c", f"core.hooksPath={os.devnull}"),
    *("-c", "core.safecrlf=false"),
    *("-c", "core.sparseCheckout=false"),
    *("-c", "index.sparse=false"),
    *("-c", "gc.auto=0"),
    *("-c", "maintenance.auto=false"),
    *("-c", "advice.detachedHead=false"),
    *("-c", "i18n.commitEncoding=utf-8"),
)

_IDENT = re.compile(r"(?P<name>.*?) ?<(?P<email>[^<>\n]*)>(?: (?P<date>\d+ [+-]\d+))?")


@dataclass(frozen=True, slots=True)
class Identity:
    """Who makes a commit and when; ``date`` as git has it, seconds and zone."""

    name: str
    email: str
    date: str

    def environment(self) -> dict[str, str]:
        """The variables by which git takes this for author and committer alike."""
        found = {}
        for role in ("AUTHOR", "COMMITTER"):
            found[f"GIT_{role}_NAME"] = self.name
            found[f"GIT_{role}_EMAIL"] = self.email
            found[f"GIT_{role}_DATE"] = self.date
        return found


@dataclass(frozen=True, slots=True)
class Repository:
    """A checkout. ``prefix`` leads from ``top`` to the root: ``""``, ``python/``.

    ``git_dir`` is this checkout's own, ``objects`` the shared object folder, ``head``
    the commit that is checked out and ``hash_format`` ``sha1`` or ``sha256``.
    """

    root: Path
    top: Path
    git_dir: Path
    objects: Path
    prefix: str
    head: str
    hash_format: str

    def git(
        self,
        *arguments: str,
        env: Mapping[str, str] | None = None,
        data: bytes | None = None,
        config: Sequence[str] = (),
    ) -> bytes:
        """What git prints; raises GitError with git's own words when it fails."""
        return run_git(self.top, *config, *arguments, env=env, data=data)

    def untracked(self) -> frozenset[str]:
        """Python files, relative to the root, that git has not been told of."""
        return _names(
            run_git(
                self.root,
                *("ls-files", "-z", "--others", "--exclude-standard", "--", "*.py"),
            )
        )

    def uncommitted(self) -> frozenset[str]:
        """Files, relative to the root, that are not in HEAD as they are on disk."""
        return _names(
            run_git(
                self.root,
                *("diff", "--name-only", "--relative", "-z", "--no-renames"),
                *("--no-ext-diff", "--no-textconv", "--ignore-submodules=all", "HEAD"),
            )
        )

    def hidden(self) -> list[str]:
        """Python files that a sparse checkout leaves out, relative to the root."""
        listed = run_git(self.root, "ls-files", "-t", "-z", "--", "*.py")
        return [
            os.fsdecode(line[2:]) for line in listed.split(b"\0") if line[:1] == b"S"
        ]


def _names(listed: bytes) -> frozenset[str]:
    return frozenset(name for name in os.fsdecode(listed).split("\0") if name)


def open_repository(root: Path) -> Repository | None:
    """The repository that ``root`` is checked out in; None where there is none.

    Raises GitError for one that has no commit, is bare, or that git refuses.
    """
    try:
        run_git(root, "rev-parse", "--git-dir")
    except FileNotFoundError:
        return None
    except GitError as error:
        if "not a git repository" in str(error).lower():
            return None
        raise
    inside = run_git(root, "rev-parse", "--is-inside-work-tree")
    if inside.strip() != b"true":
        raise GitError(f"{root} is inside a git repository, but in no work tree of it")
    # One at a time: a path may have a line break in it.
    top, git_dir, prefix, hash_format = (
        os.fsdecode(run_git(root, "rev-parse", what)).removesuffix("\n")
        for what in (
            *("--show-toplevel", "--absolute-git-dir", "--show-prefix"),
            "--show-object-format",
        )
    )
    objects = os.fsdecode(run_git(root, "rev-parse", "--git-path", "objects"))
    try:
        head = run_git(root, "rev-parse", "--verify", "--quiet", "HEAD^{commit}")
    except GitError:
        raise GitError(
            f"{top} has no commit yet: make the first one, then there is something "
            "that the series can follow"
        ) from None
    return Repository(
        root=root,
        top=Path(top),
        git_dir=Path(git_dir),
        objects=(root / objects.removesuffix("\n")).resolve(),
        prefix=prefix,
        head=head.decode().strip(),
        hash_format=hash_format,
    )


def identity_of(
    folder: Path,
    author: str | None = None,
    date: str | None = None,
) -> Identity:
    """Author and date from git's configuration, unless they are given.

    ``author`` is ``Name <mail>``, ``date`` seconds since 1970 in UTC. Raises GitError
    when git does not know who the person is, or ``author`` is no such text.
    """
    if author is not None:
        match = _IDENT.fullmatch(author.strip())
        if match is None or not match["name"] or not match["email"]:
            raise GitError(f"{author!r} is not 'Name <mail@example.org>'")
        somebody = {"GIT_AUTHOR_NAME": "x", "GIT_AUTHOR_EMAIL": "x@x"}
        said = run_git(folder, "var", "GIT_AUTHOR_IDENT", env=somebody)
        now = date or said.decode("utf-8", "replace").rsplit("> ", 1)[1].strip()
        return Identity(match["name"], match["email"], _dated(now))
    try:
        said = run_git(
            folder, "-c", "user.useConfigOnly=true", "var", "GIT_AUTHOR_IDENT"
        )
    except GitError:
        raise GitError(
            "git does not know who you are: set user.name and user.email "
            "(git config --global), or give --author 'Name <mail>'"
        ) from None
    match = _IDENT.fullmatch(said.decode("utf-8", "surrogateescape").strip())
    assert match is not None, said
    return Identity(match["name"], match["email"], _dated(date or match["date"]))


def _dated(date: str) -> str:
    return date if " " in date else f"{date} +0000"


def date_of(repository: Repository) -> str:
    """The committer's date of HEAD: a date that the same input gives again."""
    shown = repository.git("show", "--no-patch", "--format=%ct", repository.head)
    return shown.decode().strip()


def branch_problem(repository: Repository, name: str) -> str | None:
    """Why no branch of this name can be made; None when it can."""
    try:
        repository.git("check-ref-format", f"refs/heads/{name}")
    except GitError:
        return f"{name!r} is no name for a branch"
    if name.startswith("-") or name == "HEAD":
        return f"{name!r} is no name for a branch"
    listed = repository.git("for-each-ref", "--format=%(refname)", "refs/heads")
    prefix = "refs/heads/"
    for other in os.fsdecode(listed).split():
        have = other.removeprefix(prefix)
        if have == name:
            return f"there is a branch {name} already: delete it, or name another"
        if have.startswith(f"{name}/") or name.startswith(f"{have}/"):
            return f"the branch {have} stands in the way of {name}"
    return None


def run_git(
    folder: Path,
    *arguments: str,
    env: Mapping[str, str] | None = None,
    data: bytes | None = None,
) -> bytes:
    """What git prints when it is run in ``folder``.

    Raises GitError when it fails, with what it says, and FileNotFoundError without git.
    """
    done = subprocess.run(
        ["git", *_QUIET, *arguments],
        cwd=folder,
        env=local_environment() | dict(env or {}),
        input=b"" if data is None else data,
        capture_output=True,
        check=False,
    )
    if done.returncode != 0:
        lines = os.fsdecode(done.stderr).strip().splitlines()
        said = "; ".join(lines) or f"exit code {done.returncode}"
        command = next((a for a in arguments if not _is_setting(a)), "")
        raise GitError(f"git {command} failed: {said}")
    return done.stdout


def _is_setting(argument: str) -> bool:
    return argument == "-c" or "=" in argument
