"""A series as git commits, made aside: nothing is in the repository until the end.

Blobs, trees and commits go to an object folder of their own that borrows the
repository's, with an index of their own and a tree that holds the changed files alone.
Git itself turns files into blobs there, so line ends, filters and modes come out as
``git add`` would have it. A run that is killed here leaves a temporary folder, which
the next one takes away.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from codemod.delivery.git import GitError
from codemod.delivery.leftovers import locked_folder
from codemod.delivery.repository import Identity, Repository, run_git
from codemod.series.commit import Change, Commit

# Git's empty tree is known to every repository without being stored.
_FIXED = ("-c", "core.fileMode=true", "-c", "core.quotePath=true")


@dataclass(frozen=True, slots=True)
class Aside:
    """A bare repository in a temporary folder that borrows another's objects.

    ``folder`` holds ``repository.git``, the index and the tree of changed files.
    """

    folder: Path
    source: Repository | None

    @property
    def bare(self) -> Path:
        """The bare repository."""
        return self.folder / "repository.git"

    @property
    def tree(self) -> Path:
        """The work tree, which holds changed files alone."""
        return self.folder / "tree"

    def git(
        self,
        *arguments: str,
        data: bytes | None = None,
        identity: Identity | None = None,
    ) -> bytes:
        """Run git with the settings of the source, on the objects and index aside."""
        env = {
            "GIT_DIR": str(self.bare if self.source is None else self.source.git_dir),
            "GIT_WORK_TREE": str(self.tree),
            "GIT_INDEX_FILE": str(self.folder / "index"),
            "GIT_OBJECT_DIRECTORY": str(self.bare / "objects"),
        }
        if self.source is not None:
            borrowed = _quoted(self.source.objects)
            env["GIT_ALTERNATE_OBJECT_DIRECTORIES"] = borrowed
        if identity is not None:
            env |= identity.environment()
        return run_git(self.tree, *_FIXED, *arguments, env=env, data=data)

    def plain_git(self, *arguments: str, identity: Identity) -> bytes:
        """Run git on the bare repository, where no person's settings count."""
        env = identity.environment() | {
            "GIT_DIR": str(self.bare),
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_CONFIG_SYSTEM": os.devnull,
            "GIT_ATTR_NOSYSTEM": "1",
            "XDG_CONFIG_HOME": os.devnull,
        }
        return run_git(self.folder, *arguments, env=env)


@dataclass(frozen=True, slots=True)
class Made:
    """Commits that are made: ``base`` and, in order, the hash of each."""

    base: str
    hashes: tuple[str, ...]

    @property
    def tip(self) -> str:
        """The last commit, ``base`` when there is none."""
        return self.hashes[-1] if self.hashes else self.base


@contextmanager
def aside(source: Repository | None) -> Iterator[Aside]:
    """A place to make commits in, which is gone afterwards."""
    with locked_folder("nsroute-aside-") as folder:
        place = Aside(folder, source)
        place.tree.mkdir()
        form = "sha1" if source is None else source.hash_format
        run_git(
            folder,
            *("init", "--quiet", "--bare", "--template=", f"--object-format={form}"),
            str(place.bare),
        )
        if source is not None:
            info = place.bare / "objects" / "info"
            info.mkdir(exist_ok=True)
            borrowed = os.fsencode(_quoted(source.objects))
            (info / "alternates").write_bytes(borrowed + b"\n")
        yield place


def make_commits(place: Aside, commits: Sequence[Commit], identity: Identity) -> Made:
    """Make a commit of each of the series, in order, on HEAD.

    Without a repository the first parent is a commit of the files as they are. Raises
    GitError when a file is not in HEAD as it was read, or when git fails.
    """
    base, tree = _base(place, commits, identity)
    modes = _modes(place)
    hashes: list[str] = []
    for commit in commits:
        _stage(place, commit.changes, modes)
        new = place.git("write-tree").decode().strip()
        if new == tree:
            raise GitError(f"the commit {commit.name} changes nothing that git sees")
        parent = hashes[-1] if hashes else base
        message = (commit.message + "\n").encode("utf-8", "surrogateescape")
        made = place.git(
            *("commit-tree", new, "-p", parent), data=message, identity=identity
        )
        hashes.append(made.decode().strip())
        tree = new
    return Made(base, tuple(hashes))


def publish_branch(place: Aside, made: Made, name: str) -> None:
    """Bring the commits into the repository and let a new branch point to them.

    The branch is the last thing that is written. Raises GitError when it exists.
    """
    source = place.source
    assert source is not None
    wanted = f"{made.tip}\n^{made.base}\n".encode()
    pack = place.git(
        *("pack-objects", "--revs", "--stdout", "--quiet", "--delta-base-offset"),
        data=wanted,
    )
    source.git("unpack-objects", "-q", data=pack)
    absent = "0" * len(made.tip)
    source.git(
        *("update-ref", "-m", "nsroute: make the series"),
        *(f"refs/heads/{name}", made.tip, absent),
    )


def _base(
    place: Aside, commits: Sequence[Commit], identity: Identity
) -> tuple[str, str]:
    """The commit to start from and its tree, after making sure that it fits."""
    originals = _originals(commits)
    source = place.source
    if source is None:
        _stage(place, originals, {})
        tree = place.git("write-tree").decode().strip()
        made = place.git(
            "commit-tree", tree, data=b"The files as they were\n", identity=identity
        )
        return made.decode().strip(), tree
    place.git("read-tree", source.head)
    wanted = place.git("rev-parse", f"{source.head}^{{tree}}").decode().strip()
    _stage(place, originals, _modes(place))
    tree = place.git("write-tree").decode().strip()
    if tree != wanted:
        listed = place.git(
            "diff-tree", "-r", "-z", "--name-only", "--no-renames", wanted, tree
        )
        names = [n for n in os.fsdecode(listed).split("\0") if n]
        shown = ", ".join(names[:3]) + (", …" if len(names) > 3 else "")
        raise GitError(
            f"not in HEAD as on disk: {shown}: commit it first (if git status is "
            "clean, its line ends are not as .gitattributes wants them: "
            "git add --renormalize)"
        )
    return source.head, tree


def _originals(commits: Iterable[Commit]) -> list[Change]:
    """Each file that existed before the series, as it was."""
    found: dict[str, Change] = {}
    for commit in commits:
        for change in commit.changes:
            if change.path not in found:
                found[change.path] = Change(change.path, None, change.before)
    return [change for change in found.values() if change.after is not None]


def _modes(place: Aside) -> dict[str, str]:
    """The mode of every file in the index aside, by its path from the top."""
    found = {}
    for line in place.git("ls-files", "--stage", "-z").split(b"\0"):
        if line:
            head, _, name = line.partition(b"\t")
            found[os.fsdecode(name)] = head[:6].decode()
    return found


def _stage(place: Aside, changes: Iterable[Change], modes: dict[str, str]) -> None:
    """Put files into the index aside, as ``git add`` would make them blobs."""
    prefix = "" if place.source is None else place.source.prefix
    names = []
    for change in changes:
        name = prefix + change.path
        names.append(os.fsencode(name))
        file = place.tree / name
        file.unlink(missing_ok=True)
        if change.after is None:
            continue
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(change.after)
        is_executable = modes.get(name, "") == "100755" or change.executable
        file.chmod(0o755 if is_executable else 0o644)
        modes.setdefault(name, "100755" if is_executable else "100644")
    place.git(
        *("update-index", "--add", "--remove", "-z", "--stdin"),
        data=b"".join(name + b"\0" for name in names),
    )


def _quoted(path: Path) -> str:
    """A path for a list that colons or line breaks separate: git reads C quoting."""
    text = str(path)
    if not any(each in text for each in ':\n"#'):
        return text
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
