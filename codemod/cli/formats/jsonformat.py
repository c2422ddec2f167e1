"""Findings as the contract's JSON, and the same of one part of a sharded check."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from codemod.cli.jsontext import json_bytes
from codemod.guards.baseline import Stale
from codemod.guards.model import Finding
from codemod.model import Problem

if TYPE_CHECKING:
    from codemod.api import Analysis
    from codemod.guards.checking import Report, Shard

SCHEMA = 1
_KEYS = ("guard", "file", "line", "column", "function", "message", "fix")
#: What a part says beside the contract's keys, so that parts can be put together.
_PART_KEYS = (*_KEYS, "module", "subject", "text")


def report_json(report: Report, part: Shard | None, analysis: Analysis | None) -> bytes:
    """The JSON of a report; with the key ``shard`` when it is one part of several."""
    keys = _KEYS if part is None else _PART_KEYS
    result: dict[str, Any] = {
        "schema": SCHEMA,
        "findings": [{k: getattr(f, k) for k in keys} for f in report.findings],
        "stale": list(report.stale),
    }
    if part is not None and analysis is not None:
        result["errors"] = list(report.problems)
        result["shard"] = {
            "index": part.index,
            "of": part.of,
            "pack": analysis.pack.name,
            "tree": tree_digest(analysis),
            "known": report.known,
            "moved": report.moved,
        }
    return json_bytes(result)


def tree_digest(analysis: Analysis) -> str:
    """A digest of what was checked, with what: the files, the pack, nsroute itself."""
    from codemod.index.store import analysis_digest, digest

    sources = analysis.index.sources
    parts = [part for p in sorted(sources) for part in (p.encode(), sources[p].data)]
    return digest(analysis_digest(), analysis.pack.digest.encode(), *parts).hex()


class PartError(Exception):
    """A part of a sharded check cannot be used; the message is for a person."""


@dataclass(frozen=True)
class Part:
    """One part, read back."""

    file: str
    index: int
    of: int
    tree: str
    pack: str
    report: Report


def read_part(path: Path) -> Part:
    """A part from its file; raises PartError."""
    from codemod.guards.checking import Report

    try:
        data = json.loads(path.read_bytes())
    except OSError as error:
        raise PartError(f"{path}: cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise PartError(
            f"{path}: is not JSON, as of a run that broke off: {error}"
        ) from (None)
    if not isinstance(data, dict) or "shard" not in data:
        raise PartError(f"{path}: is no output of `nsroute check --shard I/N -f json`")
    if data.get("schema") != SCHEMA:
        raise PartError(f"{path}: has schema {data.get('schema')!r}, not {SCHEMA}")
    try:
        shard = data["shard"]
        report = Report(
            tuple(Finding(**item) for item in data["findings"]),
            tuple(Stale(**item) for item in data["stale"]),
            shard["known"],
            shard["moved"],
            tuple(Problem(**item) for item in data["errors"]),
        )
        return Part(
            str(path),
            shard["index"],
            shard["of"],
            shard["tree"],
            shard["pack"],
            report,
        )
    except (KeyError, TypeError) as error:
        raise PartError(f"{path}: is not as nsroute writes it: {error}") from None


def merged(parts: list[Part]) -> Report:
    """The report of all parts; PartError unless each is there once, of one tree."""
    from codemod.guards.checking import Report

    first = parts[0]
    for part in parts[1:]:
        if part.of != first.of:
            raise PartError(
                f"{part.file} is of {part.of} parts, {first.file} of {first.of}"
            )
        if (part.tree, part.pack) != (first.tree, first.pack):
            raise PartError(
                f"{part.file} and {first.file} checked different files or packs"
            )
    have = [part.index for part in parts]
    missing = sorted(set(range(1, first.of + 1)) - set(have))
    if missing:
        listed = ", ".join(f"{number}/{first.of}" for number in missing)
        raise PartError(f"not all was checked: there is no part {listed}")
    twice = sorted({number for number in have if have.count(number) > 1})
    if twice:
        raise PartError(f"part {twice[0]}/{first.of} is given twice")
    findings = [finding for part in parts for finding in part.report.findings]
    findings.sort(key=lambda f: (f.file, f.line, f.column, f.guard, f.message))
    stale = sorted(
        (s for part in parts for s in part.report.stale),
        key=lambda s: (s.guard, s.key),
    )
    problems = dict.fromkeys(p for part in parts for p in part.report.problems)
    return Report(
        tuple(findings),
        tuple(stale),
        first.report.known,
        first.report.moved,
        tuple(problems),
    )
