"""The project that faults are tried on, and what must be true of it after any of them.

Every file is whole, old or new, and the git state is as it was or complete.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from tests.series import support

#: Enough files for a delivery to take a while.
_MODULES = 40

_MODULE = '''\
"""Module {number}."""

from app.context import get_config


def room(used):
    config = get_config()
    return config.size - used, config.policy


def address():
    return get_config().host, get_config().port


{padding}'''

#: What a killed process may leave beside a file: no file of the person's.
TEMPORARY = ".nsroute-"


def files(modules: int = _MODULES, padding: int = 2000) -> dict[str, str | bytes]:
    """The sources of the project."""
    found = dict(support.FILES)
    for number in range(modules):
        text = _MODULE.format(
            number=number, padding="TABLE = (1, 2, 3)\n" * (padding // 18)
        )
        found[f"app/part{number % 4}/m{number}.py"] = text
    return found


@dataclass(frozen=True)
class Shop:
    """A repository of the project, and what it is before and after a run."""

    folder: Path

    @classmethod
    def made(cls, folder: Path, **how: int) -> Shop:
        """A new one, committed, with a cache that is up to date."""
        support.commit(support.write(folder, files(**how)))
        shop = cls(folder)
        done = shop.run("scan")
        assert done.returncode == 0, done.stderr
        return shop

    def copy(self, folder: Path) -> Shop:
        """The same at another place."""
        shutil.copytree(self.folder, folder, symlinks=True)
        # A copy has other times than the index says.
        support.git(folder, "update-index", "-q", "--refresh")
        return Shop(folder)

    def run(
        self,
        *arguments: str,
        env: Mapping[str, str] | None = None,
        before: Callable[[], None] | None = None,
    ) -> subprocess.CompletedProcess[str]:
        """The command, in its folder; ``before`` is called in the new process."""
        return subprocess.run(
            [sys.executable, "-m", "codemod.cli", *arguments],
            cwd=self.folder,
            env=support.environment(env),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            encoding="utf-8",
            errors="surrogateescape",
            preexec_fn=before,
        )

    def start(self, *arguments: str, env: Mapping[str, str]) -> subprocess.Popen[bytes]:
        """The command, started, with a process group of its own."""
        return subprocess.Popen(
            [sys.executable, "-m", "codemod.cli", *arguments],
            cwd=self.folder,
            env=support.environment(env),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    @cached_property
    def state(self) -> tuple[str, ...]:
        """The git state of the moment it is first asked for."""
        return support.state(self.folder)

    def contents(self) -> dict[str, bytes]:
        """Every file of the person's, by its path."""
        found = {}
        for folder, names, here in os.walk(self.folder):
            names[:] = [n for n in names if n not in (".git", ".nsroute_cache")]
            for name in here:
                path = Path(folder, name)
                if not name.startswith(TEMPORARY):
                    found[path.relative_to(self.folder).as_posix()] = path.read_bytes()
        return found

    def temporary(self) -> list[Path]:
        """What a killed process has left."""
        return [
            path
            for path in self.folder.rglob(f"{TEMPORARY}*")
            if ".git" not in path.parts
        ]

    def branches(self) -> dict[str, str]:
        """Branches and what they point to."""
        listed = support.git(
            self.folder, "for-each-ref", "--format=%(refname:short) %(objectname)"
        )
        return dict(line.split() for line in listed.splitlines())

    def is_sound(self) -> list[str]:
        """What git has to say against its own objects."""
        done = subprocess.run(
            ["git", "fsck", "--full", "--strict", "--no-dangling"],
            cwd=self.folder,
            env=support.environment(),
            capture_output=True,
            text=True,
        )
        return [] if done.returncode == 0 else [f"git fsck: {done.stderr.strip()}"]


def torn(
    now: Mapping[str, bytes], old: Mapping[str, bytes], new: Mapping[str, bytes]
) -> list[str]:
    """Files that are neither as they were nor as they become, lost or made up."""
    wrong = [f"lost: {path}" for path in old if path not in now]
    for path, data in now.items():
        if path not in old and path not in new:
            wrong.append(f"made up: {path}")
        elif data not in (old.get(path), new.get(path)):
            wrong.append(f"torn: {path}: {len(data)} bytes")
    return wrong
