"""Which files a tree holds: what git knows, or a walk that honours ``.gitignore``."""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

from codemod.project.ignoring import Rules, is_ignored, outer_rules, read_rules

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
    rules = outer_rules(root)
    _walk_folder(str(root), "", rules, listing)
    _drop_known_links(root, listing)
    return listing


def _walk_folder(
    top: str, folder: str, rules: tuple[Rules, ...], listing: Listing
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
        own = read_rules(
            [Path(top, folder, ".gitignore")], base=f"{folder}/" if folder else ""
        )
        rules = rules if own is None else (*rules, own)
    below = []
    for name, entry in entries.items():
        path = f"{folder}/{name}" if folder else name
        kind = _kind(entry)
        if kind == "folder":
            if name in JUNK or is_ignored(f"{path}/", rules):
                continue
            below.append(path)
        elif kind in ("file", "link") and not is_ignored(path, rules):
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
