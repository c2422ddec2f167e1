"""What a run has settled, written down as it goes, so that another can go on from it.

A commit that was reviewed by a person or tried with the project's own check took time.
Each is noted in the run's temporary folder, whole, one line of JSON for each, before
the next one is begun. A line that was cut short by a crash does not count.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from codemod.series.commit import Commit, Skipped

_FILE = "journal.jsonl"
_VERSION = 1


@dataclass(frozen=True, slots=True)
class Asked:
    """What a run was about: another can go on only if it is about the same.

    ``root`` is the project's root. ``terms`` stands for what was asked for (pack,
    steps, options), ``tree`` for the files and the commit that it began with.
    """

    root: str
    terms: str
    tree: str


@dataclass(frozen=True, slots=True)
class Journal:
    """What a run has noted; ``delivering`` when all was settled and handing over began.

    ``asked`` is None when the run ended before it noted anything.
    """

    asked: Asked | None = None
    items: tuple[Commit | Skipped, ...] = ()
    delivering: bool = False

    def misfit(self, asked: Asked) -> str | None:
        """Why a run that is asked this cannot go on from here; None when it can.

        Files are allowed to differ once they were being written.
        """
        if self.asked is None:
            return "it had not begun"
        if self.asked.root != asked.root:
            return f"it was a run on {self.asked.root}"
        if self.asked.terms != asked.terms:
            return "its pack, steps or options were others"
        if self.asked.tree != asked.tree and not self.delivering:
            return "the files were others"
        return None


def digest(parts: Iterable[bytes | str]) -> str:
    """One word for a sequence of texts; no two sequences give the same."""
    found = hashlib.sha256()
    for part in parts:
        data = (
            part.encode("utf-8", "surrogateescape") if isinstance(part, str) else part
        )
        found.update(len(data).to_bytes(8, "big") + data)
    return found.hexdigest()


def begin(folder: Path, asked: Asked) -> None:
    """Start the journal of a run; what was there is forgotten."""
    head = {"version": _VERSION, "root": asked.root}
    with (folder / _FILE).open("w", encoding="ascii") as file:
        _write(file, {**head, "terms": asked.terms, "tree": asked.tree})


def note(folder: Path, item: Commit | Skipped) -> None:
    """Add what was settled."""
    import msgspec

    kind = "commit" if isinstance(item, Commit) else "skipped"
    with (folder / _FILE).open("a", encoding="ascii") as file:
        _write(file, {kind: msgspec.to_builtins(item)})


def note_delivering(folder: Path) -> None:
    """Add that all is settled."""
    with (folder / _FILE).open("a", encoding="ascii") as file:
        _write(file, {"delivering": True})


def _write(file: Any, value: Mapping[str, Any]) -> None:
    # ASCII keeps names that are no UTF-8: a lone surrogate is escaped and comes back.
    file.write(json.dumps(value) + "\n")
    file.flush()
    os.fsync(file.fileno())


def read_asked(folder: Path) -> Asked | None:
    """What the run of a folder was about, None when it has noted nothing."""
    head = next(_lines(folder), {})
    if head.get("version") != _VERSION:
        return None
    return Asked(head["root"], head["terms"], head["tree"])


def read(folder: Path) -> Journal:
    """What the journal in a folder says, up to the first line that is not whole."""
    import msgspec

    asked = read_asked(folder)
    if asked is None:
        return Journal()
    items: list[Commit | Skipped] = []
    delivering = False
    lines = _lines(folder)
    next(lines)
    for value in lines:
        if "delivering" in value:
            delivering = True
        else:
            ((kind, item),) = value.items()
            if kind == "commit":
                items.append(msgspec.convert(item, Commit))
            else:
                items.append(msgspec.convert(item, Skipped))
    return Journal(asked, tuple(items), delivering)


def _lines(folder: Path) -> Iterator[dict[str, Any]]:
    try:
        with (folder / _FILE).open(encoding="ascii") as file:
            for line in file:
                if not line.endswith("\n"):
                    return
                yield json.loads(line)
    except (OSError, ValueError):
        return
