"""A local or module-level name is bound to the record, and the field is read off it.

Every binding of the name in its scope must bind the record; copies, unpacking by
position, closures and the walrus are followed. When the last read through it is
converted and nothing else reads the name, the binding goes too: a getter's call has no
effect.
"""

from __future__ import annotations

CODE = "alias"
SUMMARY = "A name is bound to the record."
BEFORE = """\
from app.context import get_config


def shape():
    config = get_config()
    return config.pool_size, config.workers  # -> convert
"""
AFTER = """\
from app.context import get_pool


def shape():
    return get_pool().pool_size, get_pool().workers  # -> convert
"""
