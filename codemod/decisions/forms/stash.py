"""A class binds an attribute of its instances to the record and reads it later.

It is the record only if every assignment to the attribute in the class, its known bases
and its subclasses binds it, in other modules too. The attribute itself stays; only
reads through it move.
"""

from __future__ import annotations

CODE = "stash"
SUMMARY = "An instance attribute is bound from the getter."
BEFORE = """\
from app.context import get_config


class Engine:
    def __init__(self):
        self._conf = get_config()

    def size(self):
        return self._conf.pool_size  # -> convert
"""
AFTER = """\
from app.context import get_config, get_pool


class Engine:
    def __init__(self):
        self._conf = get_config()

    def size(self):
        return get_pool().pool_size  # -> convert
"""
