"""Which fields change with their writers: every write of a field, or none of them.

A field flips when all calls that write it by name can go to the context, but for those
that write another record or run before anything is published. Otherwise its writes and
its reads stay together on the record.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from codemod.decisions.engine import Decided
from codemod.decisions.reasons import ORDER
from codemod.transforms.model import REFUSED, KeptSite, StepContext
from codemod.transforms.planning import (
    kept_site,
)
from codemod.transforms.written import Reason, Write, writes_of

#: Reasons that say: this write is to another record, or before any reader. They do not
#: keep the field's other writes and reads; the reasons that a pack gives do not either.
_HARMLESS = frozenset({"owner", "suppressed", "pre-publish", "other"})
_BUILT_IN = frozenset(reason.CODE for reason in ORDER)


@dataclass(frozen=True, slots=True)
class Coflip:
    """Every write of the project, the fields that flip, and why others do not."""

    writes: tuple[Write, ...]
    flips: frozenset[str]
    stays: dict[str, KeptSite]

    def selected(self, context: StepContext) -> frozenset[str]:
        """The fields that flip in a step: those it selects, and what is written with
        them in one call."""
        modules: dict[str, set[str]] = defaultdict(set)
        for write in self.writes:
            for name in write.fields:
                modules[name].add(write.source.file.module)
        wanted = {
            name
            for name in self.flips
            if any(context.selects(module, name) for module in modules[name])
        }
        while True:
            more = {
                name
                for write in self.writes
                if wanted & set(write.fields)
                for name in write.fields
                if name in self.flips and name not in write.keeps
            }
            if more <= wanted:
                return frozenset(wanted)
            wanted |= more

    def reasons(self, write: Write, flipping: frozenset[str]) -> list[Reason]:
        """Why a call, or a part of it, stays: each reason once, with its fields."""
        if write.whole is not None:
            return [write.whole]
        by_reason: dict[Reason, list[str]] = {}
        for name in write.fields:
            if name in flipping and name not in write.keeps:
                continue
            reason = write.keeps.get(name)
            there = self.stays.get(name)
            if reason is None and there is not None and _is_refused(write, there):
                reason = REFUSED
            if reason is None and there is not None:
                does = "read it off" if there.transform == "reads" else "write it to"
                reason = (
                    "written-elsewhere",
                    f"{there.file}:{there.line} has to {does} the record "
                    f"({there.reason}), and writes and reads stay together.",
                )
            if reason is not None:
                by_reason.setdefault(reason, []).append(name)
        return [
            (code, f"{', '.join(names)}: {why}")
            for (code, why), names in by_reason.items()
        ]

    def keeps_read(self, name: str) -> Reason | None:
        """Why a step of reads leaves the reads of a field, None when it does not."""
        if name in self.stays:
            there = self.stays[name]
            if there.transform == "reads":
                return (
                    "written",
                    f"{there.file}:{there.line} has to read {name} off the record "
                    f"({there.reason}), and so it is written there.",
                )
            return (
                "written",
                f"{there.file}:{there.line} has to write {name} to the record "
                f"({there.reason}); a namespace would not show it.",
            )
        if name in self.flips:
            return "written", f"{name} changes with its writers, by the writers step."
        return None

    def plain_writes(self, context: StepContext) -> list[KeptSite]:
        """Assignments to fields after publishing, which a namespace does not show."""
        found = []
        for each in context.decided:
            read = each.read
            if (
                read.reason == "write-target"
                and read.namespace is not None
                and context.selects(read.module, read.field)
            ):
                source = context.index.sources[read.file]
                why = (
                    f"This writes {read.field} to the record; whoever reads it from "
                    f"{read.namespace} does not see it. Write it with the context."
                )
                found.append(
                    kept_site(
                        source,
                        each.candidate,
                        "writers",
                        read.text,
                        ("plain-write", why),
                    )
                )
        return found

    def stale(self, context: StepContext, flipping: frozenset[str]) -> list[KeptSite]:
        """The first read of each flipped field that has to stay on the record."""
        first: dict[str, Decided] = {}
        counts: Counter[str] = Counter()
        for each in context.decided:
            read = each.read
            if (
                read.field in flipping
                and read.decision == "keep"
                and read.reason in _BUILT_IN - _HARMLESS - {"write-target"}
            ):
                counts[read.field] += 1
                first.setdefault(read.field, each)
        found = []
        for name, each in first.items():
            who = "This still reads"
            if counts[name] > 1:
                who = f"This and {counts[name] - 1} more still read"
            why = (
                f"{who} {name} off the record ({each.read.reason}): what the context "
                "writes is not seen there."
            )
            source = context.index.sources[each.read.file]
            found.append(
                kept_site(
                    source,
                    each.candidate,
                    "writers",
                    each.read.text,
                    ("still-read", why),
                )
            )
        return found


def coflip(context: StepContext) -> Coflip:
    """Every write of the project and what becomes of it, selections left aside."""
    writes = writes_of(context)
    stays: dict[str, KeptSite] = {}

    def stay(write: Write, names: Iterable[str], reason: Reason) -> None:
        if reason[0] in _HARMLESS or _is_of_pack(reason[0]):
            return
        site = kept_site(
            write.source, write.call.candidate, "writers", write.call.text, reason
        )
        for name in names:
            stays.setdefault(name, site)

    for write in writes:
        left = context.stays(write.source.file.path)
        if context.refuses(
            write.source.file.path, write.call.candidate.anchor, write.call.call
        ):
            left = REFUSED
        if left is not None:
            stay(write, write.fields, left)
        if write.whole is not None:
            stay(write, write.fields, write.whole)
        for name, reason in write.keeps.items():
            stay(write, [name], reason)
    written = {name for write in writes for name in write.fields}
    for each in context.decided:
        read = each.read
        if read.field not in written or read.field in stays:
            continue
        left = _held_back(context, each)
        if left is not None:
            source = context.index.sources[read.file]
            site = kept_site(source, each.candidate, "reads", read.text, left)
            stays[read.field] = site
    while True:
        flips = _flipping(writes, stays)
        before = len(stays)
        for write in writes:
            moved = [n for n in write.fields if n in flips and n not in write.keeps]
            if moved and len(moved) < len(write.fields):
                problem = write.can_split()
                if problem is not None:
                    stay(write, moved, problem)
        if len(stays) == before:
            return Coflip(writes, flips, stays)


def _is_refused(write: Write, site: KeptSite) -> bool:
    """Whether a person wants this very call as it is."""
    here = (write.source.file.path, write.call.candidate.line)
    return site.reason == "refused" and (site.file, site.line) == here


def _held_back(context: StepContext, each: Decided) -> Reason | None:
    """Why a read stays that would convert, had nobody taken it back or left it out."""
    if each.read.decision == "convert":
        return context.stays(each.read.file)
    return _WITHHELD if each.read.reason in ("refused", "verify-failed") else None


def _is_of_pack(code: str) -> bool:
    return code not in _BUILT_IN and code not in _OWN


_WITHHELD = ("withheld", "Its edit was taken back, and reads and writes stay together.")
_OWN = frozenset(
    {"dynamic", "not-split", "name-taken", "written-elsewhere", "withheld", "outside"}
    | {"refused"}
)


def _flipping(writes: Iterable[Write], stays: dict[str, KeptSite]) -> frozenset[str]:
    return frozenset(
        name
        for write in writes
        if write.whole is None
        for name in write.fields
        if name not in write.keeps and name not in stays
    )
