"""The small project that the guards' examples are about."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

PACK = """\
[record]
class = "app.config:Config"
calls = ["app.context:get_config"]
attributes = ["config"]
owners = ["app.config", "app.context"]
unpublished = "ValueError"

[accessors]
net = "app.context:get_net"
pool = "app.context:get_pool"

[derived]
url = { call = "app.context:url", kind = "property" }
is_large = { call = "app.context:is_large", kind = "method" }

[configured.slots]
call = "app.context:configured_slots"

[[configured.slots.sites]]
module = "app.report"
function = "report"
why = "The report shows what was asked for."

[writers]
override = { call = "app.context:get_context" }

[probes]
call = "app.machine:get_machine"
[probes.facts]
is_fast = "app.machine:is_fast"

[publish]
call = "app.context:Context.publish"
entries = ["app.main:main"]

[guards.legacy]
calls = ["app.context:get_old_config"]

[guards.local-imports]
modules = ["app.context"]
"""

CONFIG = """\
from dataclasses import dataclass
from typing import Annotated


class NS:
    def __init__(self, path):
        self.path = path


@dataclass
class Config:
    size: Annotated[int, NS("pool")] = 1
    slots: Annotated[int, NS("pool")] = 1
    host: Annotated[str, NS("net.http")] = ""
    port: Annotated[int, NS("net.http")] = 80

    @property
    def url(self):
        return f"http://{self.host}"

    def is_large(self):
        return self.size > 8

    def override(self, source, **fields):
        vars(self).update(fields)
"""

CONTEXT = """\
from app.config import Config


class Context:
    def __init__(self):
        self.record = None
        self.open = False

    def publish(self):
        self.open = True

    def override(self, source, **fields):
        self.record.override(source, **fields)


_context = Context()


def get_context() -> Context:
    return _context


def get_config():
    return _context.record


def get_old_config():
    return get_config()


def get_net():
    return _context


def get_pool():
    return _context


def url():
    return get_config().url


def is_large():
    return get_config().is_large()


def configured_slots():
    return get_config().slots
"""

MACHINE = """\
def get_machine():
    return None


def is_fast():
    return get_machine().is_fast
"""

MAIN = """\
from app.context import get_context


def main():
    context = get_context()
    context.publish()
"""

REPORT = """\
from app.context import configured_slots


def report():
    return configured_slots()
"""

FILES: Mapping[str, str] = {
    "nsroute.toml": PACK,
    "app/__init__.py": "",
    "app/config.py": CONFIG,
    "app/context.py": CONTEXT,
    "app/machine.py": MACHINE,
    "app/main.py": MAIN,
    "app/report.py": REPORT,
}


@dataclass(frozen=True)
class Sample:
    """A change of the project; lines with a finding end in ``# <-``.

    ``text`` is the module ``app/use.py``; ``files`` are others, which replace those of
    the project. ``elsewhere`` counts the findings on lines that cannot be marked.
    """

    text: str = ""
    files: Mapping[str, str] = field(default_factory=dict)
    elsewhere: int = 0

    def project(self) -> dict[str, str]:
        """Every file of it."""
        own = {"app/use.py": self.text} if self.text else {}
        return {**FILES, **own, **self.files}
