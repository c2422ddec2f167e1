"""Sizes that an accessor shadows with a live value go to the configured one, by name.

What: reads of a field of the pack's ``[configured]``, at the sites it registers with a
reason each. Everywhere else they stay on the record.

Why: ``get_parallel().workers`` counts the workers alive; who needs the number that was
asked for has to say so, and a reviewer has to see why.

Before and after, at a registered site:

    rec.workers         configured_workers()

The registry and the code agree exactly, both ways: a site that is not in the code is
refused, and a call of ``configured_workers`` that is not registered is reported.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator

from codemod.analysis.positions import SourceLines
from codemod.analysis.refs import references_to
from codemod.index.source import Source
from codemod.packs import Configured, PackError, module_matches
from codemod.transforms.model import REFUSED, Example, KeptSite, StepContext, StepPlan
from codemod.transforms.naming_reads import NamedRead, named_tasks
from codemod.transforms.planning import kept_site, whole_text
from codemod.transforms.samples import PACK, RECORD

NAME = "configured"
SUMMARY = "Shadowed sizes go to the configured one, at registered sites."
EXAMPLES = (
    Example(
        PACK
        + """
[configured.size]
call = "app.config:configured_size"

[[configured.size.sites]]
module = "app.use"
function = "report"
why = "It shows what was asked for."
""",
        {
            **RECORD,
            "app/use.py": "from app.config import get_config\n\n\n"
            "def report():\n    return get_config().size\n\n\n"
            "def live():\n    return get_config().size\n",
        },
        {
            "app/use.py": "from app.config import configured_size, get_config\n\n\n"
            "def report():\n    return configured_size()\n\n\n"
            "def live():\n    return get_config().size\n",
        },
        ("configured",),
    ),
)


def tasks(context: StepContext) -> StepPlan:
    """A task for each file with a registered site; raises PackError, see above."""
    reads: list[NamedRead] = []
    kept: list[KeptSite] = []
    findings: list[KeptSite] = []
    for name, entry in context.pack.configured.items():
        sites = {(site.module, site.function) for site in entry.sites}
        seen: set[tuple[str, str]] = set()
        for each in context.decided:
            read = each.read
            if read.field != name:
                continue
            here = (read.module, read.function)
            seen.add(here)
            if not context.selects(read.module, name):
                continue
            source = context.index.sources[read.file]
            if here not in sites:
                if read.reason == "configured":
                    why = ("configured", "The pack registers no site here.")
                    kept.append(kept_site(source, each.candidate, NAME, read.text, why))
            elif (read.file, read.line, read.column) in context.refused:
                kept.append(kept_site(source, each.candidate, NAME, read.text, REFUSED))
            elif (
                read.reason == "configured"
                and each.candidate.walrus < 0
                and not each.candidate.default
            ):
                reads.append(NamedRead(each, entry.call, called=True))
            elif read.decision == "keep":
                why = (read.reason or "", f"A registered site, but: {read.why}")
                findings.append(kept_site(source, each.candidate, NAME, read.text, why))
        calls = list(_calls(context, entry))
        seen |= {here for here, _ in calls}
        _check_sites(context, entry, seen)
        findings += [
            site
            for here, site in calls
            if here not in sites
            and not module_matches(context.pack.record.owners, here[0])
        ]
    found, unnamed = named_tasks(context, reads, NAME)
    return StepPlan(
        tuple(found), tuple(sorted([*kept, *unnamed])), tuple(sorted(findings))
    )


def _check_sites(
    context: StepContext, entry: Configured, seen: set[tuple[str, str]]
) -> None:
    """Every registered site is in the code, as a read or as a call; else PackError."""
    for index, site in enumerate(entry.sites):
        if (site.module, site.function) in seen:
            continue
        where = context.pack.where("configured", entry.field, "sites", index)
        place = f"{site.module}:{site.function}" if site.function else site.module
        problem = (
            f"{place} neither reads {entry.field} off the record nor calls "
            f"{entry.call}: take the site out, or name where it went"
        )
        raise PackError.at(where, problem)


def _calls(
    context: StepContext, entry: Configured
) -> Iterator[tuple[tuple[str, str], KeptSite]]:
    """Where the configured value is asked for by name: module, function, and place."""
    module, _, name = entry.call.partition(":")
    wanted = context.index.names.resolve(f"{module}.{name}")
    word = name.encode()
    for source in context.index.sources.values():
        if word not in source.data or source.file.module == module:
            continue
        for function, site in _references(context, source, name, wanted):
            yield (source.file.module, function), site


def _references(
    context: StepContext, source: Source, name: str, wanted: frozenset[str]
) -> Iterator[tuple[str, KeptSite]]:
    text = whole_text(source)
    if text is None:
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tree = ast.parse(text)
    file = source.file
    lines = SourceLines(text)
    found = references_to(tree, file.module, file.is_package, frozenset({name}))
    for spot, refs in found:
        if not any(context.index.names.resolve(ref) & wanted for ref in refs):
            continue
        node = spot.node
        yield (
            spot.scope.path,
            KeptSite(
                file.path,
                node.lineno,
                lines.column(node.lineno, node.col_offset),
                spot.scope.path,
                NAME,
                lines.segment(node),
                "unregistered",
                f"{name} is asked for here, and the pack registers no such site: add "
                "it under [configured] with the reason.",
            ),
        )
