"""A small project with a record, and what a scan says of one module in it."""

from __future__ import annotations

import textwrap
from pathlib import Path

import codemod
from codemod.model import Read, ScanResult

PACK = """
[pack]
name = "small"
description = "a record of three fields"

[record]
class = "app.config:Config"
calls = ["app.context:get_config"]
objects = ["app.context:settings"]
attributes = ["config"]
access = ["attribute", "getattr", "subscript", "get"]
owners = ["app.context", "app.config"]

[routes]
from = "app.config:Config"

[accessors]
pool = "app.context:get_pool"
exec = "app.context:get_exec"
"""

CONFIG = """
from dataclasses import dataclass
from typing import Annotated


class NS:
    def __init__(self, path):
        self.path = path


@dataclass
class Config:
    pool_size: Annotated[int, NS("pool")] = 4
    backend: Annotated[str, NS("exec.kernel")] = "fast"
    workers: Annotated[int, NS("pool")] = 2
    debug: bool = False

    @property
    def label(self):
        return f"{self.backend}-{self.pool_size}"

    def is_large(self, limit=3):
        return self.pool_size > limit
"""

CONTEXT = """
from types import SimpleNamespace

_config = None


def get_config():
    if _config is None:
        raise LookupError("not published")
    return _config


class _Settings:
    def __getattr__(self, name):
        return getattr(get_config(), name)


settings = _Settings()


def publish(config):
    global _config
    _config = config


def get_pool():
    config = get_config()
    return SimpleNamespace(pool_size=config.pool_size, workers=config.workers)


def get_exec():
    return SimpleNamespace(kernel=SimpleNamespace(backend=get_config().backend))
"""


def write(root: Path, files: dict[str, str], pack: str = PACK) -> Path:
    """Write the small project with more files in it; their texts are dedented."""
    base = {
        "nsroute.toml": pack,
        "app/__init__.py": "",
        "app/config.py": CONFIG,
        "app/context.py": CONTEXT,
    }
    for path, text in {**base, **files}.items():
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(textwrap.dedent(text).lstrip("\n"), encoding="utf-8")
    return root


def scan(root: Path, files: dict[str, str], pack: str = PACK) -> ScanResult:
    """Scan the small project with some files added."""
    write(root, files, pack)
    return codemod.scan(root, None, codemod.Options(cache=False, jobs=1))


def decisions(result: ScanResult, path: str = "app/mod.py") -> list[str]:
    """One line for each read of a file: its text, then what becomes of it."""
    return [_line(read) for read in result.reads if read.file == path]


def _line(read: Read) -> str:
    outcome = read.replacement if read.decision == "convert" else read.reason
    return f"{' '.join(read.text.split())} -> {' '.join(str(outcome).split())}"
