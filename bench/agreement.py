"""Agreement with what SGLang's maintainers did between 0.5.16 and 0.5.17.

``bench/reader-wave.jsonl`` has a row for each (file, function, field) that they looked
at, with the outcome in 0.5.17 and the accessors found there.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path

from codemod.model import Read, ScanResult

ROWS = Path(__file__).parent / "reader-wave.jsonl"

#: The forms whose converted rows have to be converted by nsroute too.
FORMS = frozenset({"direct", "alias-getter", "self-attr"})


@dataclass(frozen=True, slots=True)
class Row:
    """One row of the maintainers' wave with nsroute's reads at its lines."""

    file: str
    function: str
    field: str
    outcome: str
    forms: frozenset[str]
    lines: tuple[int, ...]
    accessors: tuple[str, ...]
    reads: tuple[Read, ...]

    @property
    def same(self) -> bool:
        """Whether every read was converted, with an accessor the maintainers used."""
        wanted = {text.replace(" ", "") for text in self.accessors}
        return bool(self.reads) and all(
            read.replacement is not None and "".join(read.replacement.split()) in wanted
            for read in self.reads
        )

    @property
    def converted(self) -> bool:
        """Whether nsroute converts any of the row's reads."""
        return any(read.decision == "convert" for read in self.reads)


def rows(result: ScanResult) -> list[Row]:
    """The maintainers' rows, each with the reads of a scan of 0.5.16."""
    by_place: dict[tuple[str, int, str], list[Read]] = defaultdict(list)
    for read in result.reads:
        by_place[read.file, read.line, read.field].append(read)
    found = []
    for line in ROWS.read_text(encoding="utf-8").splitlines():
        data = json.loads(line)
        lines = tuple(sorted({read["line"] for read in data["reads"]}))
        reads = tuple(
            read
            for number in lines
            for read in by_place[data["file"], number, data["field"]]
        )
        found.append(
            Row(
                data["file"],
                data["function"],
                data["field"],
                data["outcome"],
                frozenset(read["form"] for read in data["reads"]),
                lines,
                tuple(data["accessors"]),
                reads,
            )
        )
    return found


def print_agreement(found: list[Row]) -> None:
    """Print the figures, then how every other row came out."""
    wanted = [r for r in found if r.outcome == "converted" and r.forms <= FORMS]
    direct = [r for r in wanted if r.forms == {"direct"}]
    kept = [r for r in found if r.outcome == "kept"]
    _share("converted by them (three forms), by us the same", wanted, "same")
    _share("  of these direct", direct, "same")
    _share("kept by them, converted by us", kept, "converted")
    print("every row, their outcome and ours:")
    table = Counter((r.outcome, "/".join(sorted(r.forms)), _ours(r)) for r in found)
    for (outcome, forms, ours), count in sorted(table.items()):
        print(f"  {outcome:10} {forms:16} {ours:40} {count:4}")


def _share(label: str, among: list[Row], what: str) -> None:
    count = sum(getattr(row, what) for row in among)
    share = 100 * count / len(among) if among else 0.0
    print(f"{label}: {count} of {len(among)} ({share:.1f}%)")


def _ours(row: Row) -> str:
    if not row.reads:
        return "not the record by any binding"
    codes = {read.reason or "convert" for read in row.reads}
    return ", ".join(sorted(codes))


def differences(found: list[Row]) -> list[Row]:
    """The rows where nsroute does something else than the maintainers did."""
    return [
        row
        for row in found
        if (row.outcome == "converted" and not row.same)
        or (row.outcome != "converted" and row.converted)
    ]
