"""The record is held under one of the pack's ``attributes`` by an object other than
``self``.

Whether that object holds the published record is for the pack to say: keep the form,
or the modules and fields where it may not.
"""

from __future__ import annotations

CODE = "attribute"
SUMMARY = "The record is held by another object."
BEFORE = """\
def size(engine):
    return engine.config.pool_size  # -> convert
"""
AFTER = """\
from app.context import get_pool


def size(engine):
    return get_pool().pool_size  # -> convert
"""
