"""An accessor that may be reached before the record is published.

From the pack's entry points (``[publish] entries``) the calls are followed, in order,
up to the publish call: direct calls, methods on known classes and those that override
them, properties, ``with`` and ``for``, constructors, threads, decorators, functions
that are applied or stand in a table of the same file. What runs on the way must not
ask an accessor, which has no answer yet. A process that another one starts
(``Process(target=...)``) has to publish for itself: its target is an entry point too,
and when it never publishes, nothing in it may ask.

The finding shows the chain of calls.
"""

from __future__ import annotations

from codemod.guards.model import Finding, GuardContext, finding_at
from codemod.guards.samples import Sample

CODE = "pre-publish"
SUMMARY = "An accessor may be reached before the record is published."
NEEDS_REASON = True

_MAIN = """\
from multiprocessing import Process
from threading import Thread

from app.context import get_context, get_pool
from app.use import {names}


def main():
{before}
    context = get_context()
    context.publish()
    get_pool()
{after}
"""

_USE = """\
from app.context import get_pool


def helper():
    return get_pool().size{mark}


def start():
    return helper()
"""

VALID = (
    Sample(
        _USE.format(mark=""),
        {
            "app/main.py": _MAIN.format(
                names="start", before="    pass", after="    start()"
            )
        },
    ),
    Sample(
        _USE.format(mark=""),
        {
            "app/main.py": _MAIN.format(
                names="start",
                before="    pass",
                after="    Thread(target=start).start()",
            )
        },
    ),
)
INVALID = (
    Sample(
        _USE.format(mark="  # <-"),
        {"app/main.py": _MAIN.format(names="start", before="    start()", after="")},
    ),
    Sample(
        _USE.format(mark="  # <-"),
        {
            "app/main.py": _MAIN.format(
                names="start", before="    Thread(target=start).start()", after=""
            )
        },
    ),
    Sample(
        _USE.format(mark="  # <-"),
        {
            "app/main.py": _MAIN.format(
                names="start",
                before="    pass",
                after="    Process(target=start).start()",
            )
        },
    ),
    Sample(
        """\
from app.context import get_pool


class Base:
    def prepare(self):
        return get_pool()  # <-


class Server(Base):
    def __init__(self):
        self.prepare()
""",
        {"app/main.py": _MAIN.format(names="Server", before="    Server()", after="")},
    ),
)


def findings(context: GuardContext) -> tuple[Finding, ...]:
    """One for each accessor that is asked too early."""
    if context.pack.publish is None:
        return ()
    targets = context.targets
    objects = {n for n, a in targets.accessors.items() if a.kind == "object"}
    found = []
    for file, mention in context.mentions(targets.answers):
        module = file.source.file.module
        meaning = targets.meaning(mention.ref)
        asked = mention.called or (meaning & objects and mention.path)
        if not asked or context.is_owner(module) or mention.import_time:
            continue
        chain = context.before(module, mention.function, mention.line)
        if not chain:
            continue
        name = mention.ref.rpartition(".")[2]
        found.append(
            finding_at(
                CODE,
                file,
                mention.line,
                mention.column,
                mention.function,
                f"{name} has no answer yet: {chain}",
                "publish first, or take the value as a parameter",
                name,
                mention.text,
            )
        )
    return tuple(found)
