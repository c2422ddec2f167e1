"""The registry of configured sizes and the code, which must agree both ways.

Where an accessor shows a live value, the pack lists the sites that want the configured
one, each with its reason. A use that is not listed has no reason; a listed site that is
gone keeps a reason for nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from codemod.guards.model import Finding, GuardContext, finding_at
from codemod.guards.samples import Sample
from codemod.index.record import dotted

CODE = "configured"
SUMMARY = "A configured size is used where the pack does not say why."
NEEDS_REASON = False

VALID = (Sample("x = 1\n"),)
INVALID = (
    Sample(
        """\
from app.context import configured_slots


def f():
    return configured_slots()  # <-
"""
    ),
    Sample(files={"app/report.py": "def report():\n    return 1\n"}, elsewhere=1),
)


def findings(context: GuardContext) -> tuple[Finding, ...]:
    """One for each use that is not registered, and each site that is not there."""
    return tuple(_findings(context))


def _findings(context: GuardContext) -> Iterator[Finding]:
    for name, configured in sorted(context.pack.configured.items()):
        sites = {(site.module, site.function) for site in configured.sites}
        seen = {
            (d.read.module, d.read.function)
            for d in context.decided
            if d.read.field == name and d.read.reason == "configured"
        }
        call = dotted(configured.call)
        for file, mention in context.mentions(context.targets.of(configured.call)):
            module = file.source.file.module
            place = (module, mention.function)
            seen.add(place)
            if place in sites or context.is_owner(module):
                continue
            yield finding_at(
                CODE,
                file,
                mention.line,
                mention.column,
                mention.function,
                f"this site of {call} is not registered, so nobody knows why it wants "
                "the configured size",
                f"register it in [configured.{name}] with a reason, or read the live "
                "value",
                name,
                mention.text,
            )
        for module, function in sorted(sites - seen):
            yield _gone(context, name, module, function)


def _gone(context: GuardContext, name: str, module: str, function: str) -> Finding:
    file = context.index.project.by_module.get(module)
    where = f"{module}.{function}" if function else module
    return Finding(
        CODE,
        file.path if file is not None else context.pack.source,
        1,
        1,
        function,
        f"the registered site {where} does not use the configured {name}",
        f"remove it from [configured.{name}]",
        module,
        name,
    )
