"""The record is held under one of the pack's ``attributes`` by ``self``.

The pack's word makes the attribute the record. Where the class, a base or a subclass
gives it a newly made object instead, the read is ambiguous.
"""

from __future__ import annotations

CODE = "self"
SUMMARY = "The record is held by self."
BEFORE = """\
class Engine:
    def __init__(self, config):
        self.config = config

    def size(self):
        return self.config.pool_size  # -> convert
"""
AFTER = """\
from app.context import get_pool


class Engine:
    def __init__(self, config):
        self.config = config

    def size(self):
        return get_pool().pool_size  # -> convert
"""
