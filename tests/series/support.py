"""A small project with steps in its pack, real git, and the real command."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

REPOSITORY = Path(__file__).parents[2]

PACK = """\
[pack]
name = "shop"
description = "The shop's settings, read through namespaces."

[record]
class = "app.config:Config"
calls = ["app.context:get_config"]
owners = ["app.context", "app.config"]

[accessors]
cache = "app.context:get_cache"
net = "app.context:get_net"
"""

RECORD: dict[str, str | bytes] = {
    "app/__init__.py": "",
    "app/config.py": """\
from dataclasses import dataclass
from typing import Annotated


class NS:
    def __init__(self, path):
        self.path = path


@dataclass
class Config:
    size: Annotated[int, NS("cache")] = 10
    policy: Annotated[str, NS("cache")] = "lru"
    host: Annotated[str, NS("net.http")] = "localhost"
    port: Annotated[int, NS("net.http")] = 80
""",
    "app/context.py": """\
from app.config import Config

_config = Config()


def get_config():
    return _config


def get_cache():
    return _config


class Net:
    http = _config


def get_net():
    return Net
""",
}

CACHE = """\
from app.context import get_config


def room(used):
    return get_config().size - used
"""
SERVER = """\
from app.context import get_config


def address():
    config = get_config()
    return config.host, config.port, config.size
"""
TOOL = """\
from app.context import get_config


def main():
    print(get_config().port)
"""

FILES: dict[str, str | bytes] = {
    "nsroute.toml": PACK,
    **RECORD,
    "app/cache.py": CACHE,
    "app/server.py": SERVER,
    "tool.py": TOOL,
}


def write(folder: Path, files: Mapping[str, str | bytes]) -> Path:
    """Put files into a folder; text as UTF-8, its line ends as they are."""
    for path, content in files.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content.encode() if isinstance(content, str) else content)
    return folder


def environment(extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """The environment of a run: a person with a name, and no settings of this machine.

    ``HOME`` is not changed, since caches of tools are there; git looks elsewhere.
    """
    plain = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("GIT_") and name not in ("FORCE_COLOR", "PYTHONPATH")
    }
    mine = {
        "PYTHONPATH": str(REPOSITORY),
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_SYSTEM": os.devnull,
        "GIT_AUTHOR_NAME": "Ann",
        "GIT_AUTHOR_EMAIL": "ann@example.org",
        "GIT_COMMITTER_NAME": "Ann",
        "GIT_COMMITTER_EMAIL": "ann@example.org",
    }
    return plain | mine | dict(extra or {})


def git(folder: Path, *arguments: str, data: bytes | None = None) -> str:
    """What git prints; a failure is one of the test. Commits are of one date."""
    dates = dict.fromkeys(("GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"), "1600000000 +0000")
    done = subprocess.run(
        ["git", *arguments],
        cwd=folder,
        env=environment(dates),
        input=data,
        stdin=subprocess.DEVNULL if data is None else None,
        capture_output=True,
    )
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode("utf-8", "surrogateescape")


def commit(folder: Path, *settings: str) -> Path:
    """Make the folder a git repository with all of it committed."""
    git(folder, "init", "--quiet", "--initial-branch=main", "--template=")
    for setting in settings:
        git(folder, "config", *setting.split("=", 1))
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message", "start")
    return folder


def nsroute(
    folder: Path,
    *arguments: str,
    env: Mapping[str, str] | None = None,
    answers: str = "",
) -> subprocess.CompletedProcess[str]:
    """Run the command in a process of its own, in ``folder``."""
    return subprocess.run(
        [sys.executable, "-m", "codemod.cli", *arguments],
        cwd=folder,
        env=environment(env),
        input=answers,
        capture_output=True,
        text=True,
        encoding="utf-8",
        errors="surrogateescape",
    )


def state(folder: Path) -> tuple[str, ...]:
    """All of a checkout that a run must leave as it was, whatever it delivers."""
    index = folder / git(folder, "rev-parse", "--git-path", "index").strip()
    # A look that refreshes the index would run a hook of the checkout by itself.
    look = ("--no-optional-locks", "status", "--porcelain=v1", "--branch")
    status = git(folder, *look, "--ignored", "-uall")
    return (
        "".join(s for s in status.splitlines(True) if ".nsroute_cache/" not in s),
        git(folder, "stash", "list"),
        git(folder, "worktree", "list", "--porcelain"),
        git(folder, "symbolic-ref", "--quiet", "HEAD") if _on_branch(folder) else "",
        git(folder, "ls-files", "--stage", "-v"),
        index.read_bytes().hex() if index.exists() else "",
    )


def _on_branch(folder: Path) -> bool:
    head = git(folder, "rev-parse", "--git-path", "HEAD").strip()
    return (folder / head).read_text().startswith("ref:")


def titles(folder: Path, branch: str, base: str = "main") -> list[str]:
    """The commits of a branch, first to last."""
    listed = git(folder, "log", "--reverse", "--format=%s", f"{base}..{branch}")
    return listed.splitlines()
