"""A small project with a pack, and the real command run on it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

REPOSITORY = Path(__file__).parents[2]

PACK = """\
[pack]
name = "shop"

[record]
class = "app.config:Config"
calls = ["app.context:get_config"]
attributes = ["config"]
owners = ["app.context", "app.config"]

[accessors]
cache = "app.context:get_cache"
net = "app.context:get_net"
"""

FILES: dict[str, str] = {
    "nsroute.toml": PACK,
    "app/__init__.py": "",
    "app/config.py": """\
from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated


@dataclass(frozen=True)
class NS:
    path: str


@dataclass
class Config:
    size: Annotated[int, NS("cache")] = 10
    policy: Annotated[str, NS("cache")] = "lru"
    host: Annotated[str, NS("net.http")] = "localhost"
    port: Annotated[int, NS("net.http")] = 80
    debug: bool = False

    @property
    def url(self) -> str:
        return f"http://{self.host}:{self.port}"
""",
    "app/context.py": """\
from __future__ import annotations

from app.config import Config

_config = Config()


def get_config() -> Config:
    return _config


def get_cache() -> Config:
    return _config


class Net:
    http = _config


def get_net() -> type[Net]:
    return Net
""",
    "app/cache.py": """\
from app.context import get_config


def room(used: int) -> int:
    return get_config().size - used


def describe(config) -> str:
    return f"{config.policy} of {get_config().size}"
""",
    "app/server.py": """\
from dataclasses import asdict

from app import context

BANNER = context.get_config().host


def address() -> tuple[str, int]:
    config = context.get_config()
    return (
        config
        # the public one
        .host,
        config.port,
    )


def dump() -> dict:
    print(context.get_config().debug, context.get_config().url)
    return asdict(context.get_config())
""",
    "tool/__init__.py": "",
    "tool/main.py": """\
from app.context import get_config


def main() -> None:
    print(get_config().port)
""",
}


def write(folder: Path, files: Mapping[str, str | bytes]) -> Path:
    """Put files into a folder; text as UTF-8, its line ends as they are."""
    for path, content in files.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content.encode() if isinstance(content, str) else content)
    return folder


def git(folder: Path, *arguments: str) -> str:
    """What git prints; a person's own settings play no part."""
    settings = ["-c", "user.name=T", "-c", "user.email=t@example.invalid"]
    done = subprocess.run(
        ["git", *settings, *arguments], cwd=folder, check=True, capture_output=True
    )
    return done.stdout.decode()


def commit(folder: Path) -> Path:
    """Make the folder a git repository with all of it committed."""
    git(folder, "init", "--quiet")
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message", "start")
    return folder


def environment(extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """The environment of a run: no colour of the person's, the package at hand."""
    plain = {
        name: value
        for name, value in os.environ.items()
        if name not in ("NO_COLOR", "FORCE_COLOR", "COLUMNS", "PYTHONPATH")
    }
    return plain | {"PYTHONPATH": str(REPOSITORY)} | dict(extra or {})


def nsroute(
    folder: Path, *arguments: str, env: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run the command in a process of its own, in ``folder``."""
    return subprocess.run(
        [sys.executable, "-m", "codemod.cli", *arguments],
        cwd=folder,
        env=environment(env),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        encoding="utf-8",
    )


def result_of(folder: Path, *arguments: str) -> Any:
    """The JSON that a command prints."""
    return json.loads(nsroute(folder, *arguments, "--format", "json").stdout)
