"""Findings against a baseline, both ways.

More than the baseline has are new; fewer are stale, and fail too, so that progress is
locked in. Findings are counted by guard, module, function and field. A function that
was moved or renamed with its body as it was takes its entries along.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from codemod.guards.baseline_file import Baseline, Entry
from codemod.guards.model import Finding, Key


@dataclass(frozen=True, slots=True)
class Stale:
    """A baseline entry that promises more findings than there are."""

    guard: str
    key: str
    baseline: int
    now: int


@dataclass(frozen=True, slots=True)
class Compared:
    """What is new, what is gone, and which entries were found at another place.

    ``new`` are all findings of a key that has more than its baseline: which of them is
    the new one, counts do not say. ``known`` counts the findings the baseline has.
    """

    new: tuple[Finding, ...]
    stale: tuple[Stale, ...]
    moved: tuple[tuple[Entry, Key], ...]
    known: int


Digest = Callable[[str, str], str]


def compare(
    findings: Iterable[Finding],
    baseline: Baseline | None,
    digest: Digest,
    covers: Callable[[Entry], bool],
) -> Compared:
    """Compare findings with a baseline.

    ``digest`` gives the digest of a function's body by module and path, and is asked
    only where something appeared and something else is gone. ``covers`` says of an
    entry whether this run would have found it: guards and files that were left out are
    neither new nor stale.
    """
    now: dict[Key, list[Finding]] = defaultdict(list)
    for finding in findings:
        now[finding.key].append(finding)
    entries = {e.key: e for e in (baseline.entries if baseline else ()) if covers(e)}
    moved = _moved(now, entries, digest)
    for entry, key in moved:
        del entries[entry.key]
        entries[key] = entry
    new: list[Finding] = []
    stale: list[Stale] = []
    known = 0
    for key in sorted(now.keys() | entries.keys()):
        here = now.get(key, [])
        known_entry = entries.get(key)
        allowed = known_entry.count if known_entry is not None else 0
        known += min(len(here), allowed)
        if len(here) > allowed:
            new += here
        elif known_entry is not None and len(here) < allowed:
            stale.append(Stale(known_entry.guard, known_entry.name, allowed, len(here)))
    new.sort(key=lambda f: (f.file, f.line, f.column, f.guard))
    return Compared(tuple(new), tuple(stale), tuple(moved), known)


def _moved(
    now: Mapping[Key, list[Finding]], entries: Mapping[Key, Entry], digest: Digest
) -> list[tuple[Entry, Key]]:
    """Entries that are gone, with the new place that has the same body and count."""
    gone: dict[tuple[str, str, str, int], list[Entry]] = defaultdict(list)
    for key, entry in sorted(entries.items()):
        if key not in now and entry.body:
            gone[entry.guard, entry.field, entry.body, entry.count].append(entry)
    found: list[tuple[Entry, Key]] = []
    for key in sorted(now.keys() - entries.keys()) if gone else ():
        guard, module, function, field = key
        same = gone.get((guard, field, digest(module, function), len(now[key])))
        if same:
            found.append((same.pop(0), key))
    return found


def updated(
    findings: Iterable[Finding],
    baseline: Baseline | None,
    pack: str,
    digest: Digest,
    covers: Callable[[Entry], bool],
    reason: str = "",
) -> tuple[Baseline, tuple[Entry, ...]]:
    """The baseline that says what is so now, and its entries that want a reason.

    Reasons stay with their entries, moved ones too; ``reason`` is for new entries of
    guards that need one. Entries that this run does not cover stay as they are.
    """
    from codemod.guards import GUARDS

    now: dict[Key, list[Finding]] = defaultdict(list)
    for finding in findings:
        now[finding.key].append(finding)
    old = baseline.entries if baseline else ()
    known = {e.key: e for e in old if covers(e)}
    for entry, key in _moved(now, known, digest):
        known[key] = entry
    kept = [entry for entry in old if not covers(entry)]
    without: list[Entry] = []
    for key, here in sorted(now.items()):
        guard, module, function, field = key
        before = known.get(key)
        said = before.reason if before is not None else ""
        if not said and GUARDS[guard].NEEDS_REASON:
            said = reason
        body = digest(module, function)
        entry = Entry(guard, module, function, field, len(here), body, said)
        kept.append(entry)
        grown = before is None or before.count < len(here)
        if GUARDS[guard].NEEDS_REASON and (not said or (grown and not reason)):
            without.append(entry)
    return Baseline(pack, tuple(sorted(kept))), tuple(without)
