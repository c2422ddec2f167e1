"""The record is an object that modules import, such as Django's ``settings``.

The pack names it under ``[record] objects``. A name that another module binds to the
record at its own level, and that is imported from there, is read the same way.
"""

from __future__ import annotations

CODE = "object"
SUMMARY = "An imported object is the record."
BEFORE = """\
from app.context import settings


def size():
    return settings.pool_size  # -> convert
"""
AFTER = """\
from app.context import get_pool


def size():
    return get_pool().pool_size  # -> convert
"""
