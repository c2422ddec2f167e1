"""Which files a tree holds: what git knows, or a walk that honours ``.gitignore``."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pathspec

JUNK = frozenset(
    {
        "__pycache__",
        "node_modules",
        ".git",
        ".hg",
        ".svn",
        ".venv",
        ".tox",
        ".nox",
        ".eggs",
        ".mypy_cache",
        ".pytest_cache",
        ".ruff_cache",
    }
)
VENV_NAMES = frozenset({"venv", "env"})

# What points git at another repository than the one that holds the root; a hook that
# runs us would otherwise hand down its own (from git rev-parse --local-env-vars).
_GIT_LOCAL = (
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_PREFIX",
    "GIT_COMMON_DIR",
    "GIT_NAMESPACE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
)


@dataclass(slots=True)
class Listing:
    """Paths relative to the root, with ``/``, in no order.

    ``files`` are regular files of every kind, ``links`` symlinks that lead to
    nothing listed, ``folders`` are directories named like a source file, ``nested``
    the checkouts inside this one, and ``closed`` maps directories that cannot be read
    to why not.
    """

    files: list[str] = field(default_factory=list)
    links: list[str] = field(default_factory=list)
    folders: list[str] = field(default_factory=list)
    nested: list[str] = field(default_factory=list)
    closed: dict[str, str] = field(default_factory=dict)


def list_tree(root: Path) -> Listing:
    """Everything below ``root``, by git where it is a checkout and git will say.

    Git says nothing when it is not installed, when it does not trust the owner of
    the checkout (``safe.directory``), or when the whole root is ignored, as an
    unpacked wheel in ``build/`` is; then the tree is walked.
    """
    names = _git_names(root)
    if names:
        return _sort_out(root, names)
    return _walk(root)


def _git_names(root: Path) -> list[str]:
    environment = {k: v for k, v in os.environ.items() if k not in _GIT_LOCAL}
    environment["GIT_OPTIONAL_LOCKS"] = "0"
    command = [
        "git",
        # The checkout's own configuration could name a program to run here.
        "-c",
        "core.fsmonitor=false",
        "ls-files",
        "-z",
        "--cached",
        "--others",
        "--exclude-standard",
    ]
    try:
        done = subprocess.run(
            command,
            cwd=root,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
        )
    except OSError:
        return []
    if done.returncode != 0:
        return []
    return list(dict.fromkeys(os.fsdecode(done.stdout).split("\0")[:-1]))


def _sort_out(root: Path, names: list[str]) -> Listing:
    """What each name of git's is on disk; what is not there is left out."""
    listing = Listing()
    kinds = _Kinds(str(root), listing.closed)
    for name in names:
        if name.endswith("/"):  # a checkout git does not look into
            listing.nested.append(name[:-1])
            continue
        kind = kinds.of(name)
        if kind == "file":
            listing.files.append(name)
        elif kind == "link":
            listing.links.append(name)
        elif kind == "folder":
            listing.nested.append(name)
    listing.folders = _not_ignored(root, kinds.python_folders)
    _drop_known_links(root, listing)
    return listing


class _Kinds:
    """What paths are on disk, reading each directory once.

    A path below a symlink is nothing: whatever is there belongs somewhere else.
    """

    def __init__(self, root: str, closed: dict[str, str]) -> None:
        self._root = root
        self._closed = closed
        self._folders: dict[str, dict[str, str]] = {}
        self.python_folders: list[str] = []

    def of(self, name: str) -> str | None:
        folder, _, base = name.rpartition("/")
        return self._folder(folder).get(base)

    def _folder(self, folder: str) -> dict[str, str]:
        known = self._folders.get(folder)
        if known is None:
            real = not folder or self.of(folder) == "folder"
            known = self._folders[folder] = self._read(folder) if real else {}
        return known

    def _read(self, folder: str) -> dict[str, str]:
        found: dict[str, str] = {}
        try:
            with os.scandir(os.path.join(self._root, folder)) as entries:  # noqa: PTH118
                for entry in entries:
                    found[entry.name] = kind = _kind(entry)
                    if kind == "folder" and entry.name.endswith(".py"):
                        below = f"{folder}/{entry.name}" if folder else entry.name
                        self.python_folders.append(below)
        except (FileNotFoundError, NotADirectoryError):
            return {}  # deleted since git saw it
        except OSError as error:
            self._closed[folder] = error.strerror or str(error)
            return {}
        # A virtual environment nobody told git to ignore is no part of the project.
        return {} if folder and "pyvenv.cfg" in found else found


def _kind(entry: os.DirEntry[str]) -> str:
    if entry.is_symlink():
        return "link"
    if entry.is_dir(follow_symlinks=False):
        return "folder"
    return "file" if entry.is_file(follow_symlinks=False) else "other"


def _not_ignored(root: Path, folders: list[str]) -> list[str]:
    """Without those that git ignores; asked only when there are any at all."""
    if not folders:
        return []
    done = subprocess.run(
        ["git", "-c", "core.fsmonitor=false", "check-ignore", "-z", "--stdin"],
        cwd=root,
        env={k: v for k, v in os.environ.items() if k not in _GIT_LOCAL},
        input=b"\0".join(os.fsencode(f) for f in folders) + b"\0",
        capture_output=True,
        check=False,
    )
    ignored = set(os.fsdecode(done.stdout).split("\0"))
    return [folder for folder in folders if folder not in ignored]


def _drop_known_links(root: Path, listing: Listing) -> None:
    """Forget symlinks to what is listed under its own name, or to folders inside."""
    if not listing.links:
        return
    top = os.path.realpath(root)
    known = set(listing.files)
    left = []
    for link in listing.links:
        real = os.path.realpath(root / link)
        inside = os.path.relpath(real, top).replace(os.sep, "/")
        outside = inside == ".." or inside.startswith("../")
        if outside or not (inside in known or Path(real).is_dir()):
            left.append(link)
    listing.links = left


def _walk(root: Path) -> Listing:
    listing = Listing()
    rules = _outer_rules(root)
    _walk_folder(str(root), "", rules, listing)
    _drop_known_links(root, listing)
    return listing


@dataclass(frozen=True, slots=True)
class _Rules:
    """The ``.gitignore`` of one directory.

    Names reach it without ``base``, where it stands below the root, or with ``outer``
    in front, where the root stands below it.
    """

    spec: pathspec.GitIgnoreSpec
    base: str = ""
    outer: str = ""


def _walk_folder(
    top: str, folder: str, rules: tuple[_Rules, ...], listing: Listing
) -> None:
    try:
        with os.scandir(os.path.join(top, folder)) as scan:  # noqa: PTH118
            entries = {entry.name: entry for entry in scan}
    except OSError as error:
        listing.closed[folder] = error.strerror or str(error)
        return
    if folder and "pyvenv.cfg" in entries:
        return
    if folder and ".git" in entries:
        listing.nested.append(folder)
        return
    if ".gitignore" in entries:
        text = _read_rules(os.path.join(top, folder, ".gitignore"))  # noqa: PTH118
        rules = (*rules, _Rules(_spec(text), base=f"{folder}/" if folder else ""))
    below = []
    for name, entry in entries.items():
        path = f"{folder}/{name}" if folder else name
        kind = _kind(entry)
        if kind == "folder":
            if name in JUNK or _ignored(f"{path}/", rules):
                continue
            below.append(path)
        elif kind in ("file", "link") and not _ignored(path, rules):
            (listing.files if kind == "file" else listing.links).append(path)
    for path in below:
        name = path.rpartition("/")[2]
        if name in VENV_NAMES and not _has_init(top, path):
            continue
        if name.endswith(".py"):
            listing.folders.append(path)
        _walk_folder(top, path, rules, listing)


def _has_init(top: str, folder: str) -> bool:
    return Path(top, folder, "__init__.py").is_file()


def _ignored(path: str, rules: tuple[_Rules, ...]) -> bool:
    """By the innermost file that has a word on it (gitignore(5), "Pattern format")."""
    for rule in reversed(rules):
        name = rule.outer + path.removeprefix(rule.base)
        result = rule.spec.check_file(name)
        if result.include is not None:
            return result.include
    return False


def _outer_rules(root: Path) -> tuple[_Rules, ...]:
    """Rules of the checkout that the root stands in, for when git does not answer.

    None when they leave out the root itself: who names it wants to see it.
    """
    top = next((d for d in (root, *root.parents) if (d / ".git").exists()), None)
    if top is None:
        return ()
    found: tuple[_Rules, ...] = ()
    chain = [d for d in (root, *root.parents) if d.is_relative_to(top)]
    for folder in reversed(chain):
        outer = "" if folder == root else f"{root.relative_to(folder).as_posix()}/"
        lines = []
        if folder == top:
            lines += _read_rules(str(top / ".git" / "info" / "exclude"))
        if folder != root:  # the walk reads the root's own
            lines += _read_rules(str(folder / ".gitignore"))
        found = (*found, _Rules(_spec(lines), outer=outer))
        below = (d for d in chain if d != folder and d.is_relative_to(folder))
        names = (f"{d.relative_to(folder).as_posix()}/" for d in below)
        if any(map(found[-1].spec.match_file, names)):
            return ()
    return found


def _read_rules(path: str) -> list[str]:
    try:
        text = Path(path).read_bytes().decode("utf-8", "replace")
    except OSError:
        return []
    return text.splitlines()


def _spec(lines: Iterable[str]) -> pathspec.GitIgnoreSpec:
    """Lines git would not understand are left out, as git does."""
    import pathspec

    return pathspec.GitIgnoreSpec.from_lines(_valid(lines))


def _valid(lines: Iterable[str]) -> Iterator[str]:
    import pathspec

    for line in lines:
        try:
            pathspec.GitIgnoreSpec.from_lines([line])
        except ValueError:
            continue
        yield line
