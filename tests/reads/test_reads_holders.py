"""Whether the object that a read goes by, by one of the pack's attributes, has it."""

from __future__ import annotations

from pathlib import Path

import pytest
from reads_support import decisions, scan

POOL = "get_pool().pool_size"

#: What classes there are, beside the record's own.
CLASSES = """\
from typing import Any, ClassVar, Optional, Protocol, Union
from app.config import Config
import app.context as context


class Sub(Config): ...
class Other: ...
class Sized(Protocol): ...


"""

# How a class has the attribute, and whether a read of it may be of another object.
HELD = {
    "pass": False,
    "config: Config": False,
    "config: Sub": False,
    "config: 'Config'": False,
    "config: Optional[Config]": False,
    "config: Union[Other, Config]": False,
    "config: Sized": False,
    "config: Any": False,
    "config: int": False,
    "config: ClassVar[Config] = None": False,
    "config = None": False,
    "config = context.get_config()": False,
    "config: Other": True,
    "config: 'Other'": True,
    "config: Optional[Other]": True,
    "config: Other | None = None": True,
    "config: ClassVar[Other]": True,
    "config = Other()": True,
    "def __init__(self, c): self.config = c": False,
    "def __init__(self, config: Config): self.config = config": False,
    "def __init__(self, config: Sized): self.config = config": False,
    "def __init__(self, config: Other): self.config = config": True,
    "def __init__(self, c): self.config: Other = c": True,
    "def __init__(self, c): self.config = Other()": True,
    "def __init__(self, c): self.config = Config()": True,
}

# How a function comes by an object of such a class.
RECEIVERS = {
    "def f(x: Holder):\n    return x.config.pool_size\n": "x.config.pool_size",
    "def f(x: 'Optional[Holder]'):\n    return x.config.pool_size\n": (
        "x.config.pool_size"
    ),
    "def f():\n    x = Holder(1)\n    return x.config.pool_size\n": (
        "x.config.pool_size"
    ),
    "class Engine:\n    def __init__(self, x: Holder):\n        self.x = x\n"
    "    def f(self):\n        return self.x.config.pool_size\n": (
        "self.x.config.pool_size"
    ),
    "class Engine:\n    def __init__(me):\n        me.x = Holder(2)\n"
    "    def f(self):\n        return self.x.config.pool_size\n": (
        "self.x.config.pool_size"
    ),
    "class Engine:\n    x: 'Holder'\n"
    "    def f(self):\n        return self.x.config.pool_size\n": (
        "self.x.config.pool_size"
    ),
    "class Below(Holder):\n    def f(self):\n        return self.config.pool_size\n": (
        "self.config.pool_size"
    ),
}


@pytest.mark.parametrize("function", RECEIVERS)
@pytest.mark.parametrize("held", HELD)
def test_what_a_class_has(tmp_path: Path, held: str, function: str) -> None:
    text = f"{CLASSES}class Holder:\n    {held}\n\n\n{function}"
    found = decisions(scan(tmp_path, {"app/mod.py": text}))
    result = "ambiguous" if HELD[held] else POOL
    assert f"{RECEIVERS[function]} -> {result}" in found


@pytest.mark.parametrize(
    ("head", "read", "expected"),
    [
        ("import logging", "logging.config.pool_size", None),
        ("import logging.config", "logging.config.pool_size", None),
        ("import logging as log", "log.config.pool_size", None),
        ("import torch", "torch._dynamo.config.pool_size", "ambiguous"),
        ("import torch._dynamo as d", "d.config.pool_size", "ambiguous"),
        ("from torch import _dynamo", "_dynamo.config.pool_size", "ambiguous"),
        ("from flask import current_app", "current_app.config.pool_size", "ambiguous"),
        ("from app.engines import engine", "engine.config.pool_size", POOL),
        ("import app.engines", "app.engines.engine.config.pool_size", POOL),
        ("", "engine.config.pool_size", POOL),
    ],
)
def test_what_an_import_has(
    tmp_path: Path, head: str, read: str, expected: str | None
) -> None:
    """Objects of the project may hold its record, modules of others do not."""
    files = {
        "app/engines.py": "engine = object()\n",
        "app/mod.py": f"{head}\n\n\ndef f():\n    return {read}\n",
    }
    wanted = [] if expected is None else [f"{read} -> {expected}"]
    assert decisions(scan(tmp_path, files)) == wanted
