"""The small project that the examples of transforms share: one record, one context."""

from __future__ import annotations

PACK = """\
[record]
class = "app.config:Config"
calls = ["app.config:get_config"]
attributes = ["config"]
owners = ["app.config"]

[routes.fields]
size = "pool"
depth = "pool.queue"

[accessors]
pool = "app.config:get_pool"

[derived]
is_large = { call = "app.config:is_large", kind = "property" }
fits = { call = "app.config:fits", kind = "method" }

[writers]
override = { call = "app.config:get_context" }
"""

RECORD: dict[str, str] = {
    "app/__init__.py": "",
    "app/config.py": """\
class Config:
    size: int = 1
    depth: int = 1
    other: int = 1

    @property
    def is_large(self):
        return self.size > 9

    def fits(self, count, room=0):
        return count <= self.size + room

    def override(self, source, **fields):
        for name, value in fields.items():
            setattr(self, name, value)


_config = Config()


def get_config():
    return _config


class Context:
    def override(self, source, **fields):
        _config.override(source, **fields)


def get_context():
    return Context()


def get_pool():
    return _config


def is_large():
    return _config.is_large


def fits(count, room=0):
    return _config.fits(count, room)
""",
}
