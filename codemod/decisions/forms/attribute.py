"""The record is held under one of the pack's ``attributes`` by an object other than
``self``.

Whether that object holds the published record is for the pack to say: keep the form,
or the modules and fields where it may not. A read stays by itself where the project
shows that it does not: the class that the object is annotated with or made by, also
where it is an attribute of ``self``, puts another object there; or the object comes
from another project.
An attribute of such a project's module is no read at all.
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
