"""The getter is called and the field is taken off the result at once.

The getter is followed through imports of every spelling (``from`` imports, ``as``,
relative ones, the module's own name, re-exports) to its definition; a function of the
same name from another module is another record. ``getattr`` with a literal name reads
like an attribute.
"""

from __future__ import annotations

CODE = "call"
SUMMARY = "The getter is called and the field taken off the result."
BEFORE = """\
import app.context as context
from app.context import get_config as conf


def shape():
    return conf().pool_size, context.get_config().workers  # -> convert
"""
AFTER = """\
from app.context import get_pool


def shape():
    return get_pool().pool_size, get_pool().workers  # -> convert
"""
