"""The object read from is a parameter, in this function or one around it.

Reads of this form are listed and never converted: see the reasons ``parameter`` and
``backfill``.
"""

from __future__ import annotations

CODE = "parameter"
SUMMARY = "The object came in as a parameter."
BEFORE = """\
def size(config):
    return config.pool_size  # -> parameter
"""
AFTER = """\
def size(config):
    return config.pool_size  # -> parameter
"""
