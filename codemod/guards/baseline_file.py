"""``nsroute-baseline.toml``: the findings a repository lives with, one entry a line.

Lines are sorted and stand alone, so that two branches which change different entries
merge without a conflict. Each ends in a check over the rest of it: a line that was put
together by hand, or in a merge conflict, is an error and not a silent permission. An
entry that was lost in a merge comes back as a new finding, one that should have gone as
a stale one.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from codemod.guards.model import Key

FILE = "nsroute-baseline.toml"
SCHEMA = 1

_HEAD = """\
# Findings of `nsroute check` that this repository lives with, for now. CI fails when
# there are more, and when there are fewer: then run `nsroute check --update`, which
# writes this file. Do not edit it; in a merge conflict keep either side and update.
"""
_CONFLICT = re.compile(r"^(<{7}|={7}|>{7}|\|{7})(\s|$)")
_KEYS = ("guard", "module", "function", "field", "count", "body", "reason", "check")


class BaselineError(Exception):
    """The file cannot be used; says where (``line`` from 1, or 0) and what to do."""

    def __init__(self, file: str, line: int, message: str, hint: str = "") -> None:
        place = f"{file}:{line}" if line else file
        super().__init__(f"{place}: {message}")
        self.hint = hint or (
            "undo the change to it, or write it anew with `nsroute check --update`"
        )


@dataclass(frozen=True, slots=True, order=True)
class Entry:
    """So many findings of one guard on one field in one function.

    ``body`` is the digest of the function's body, ``reason`` why they are accepted.
    """

    guard: str
    module: str
    function: str
    field: str
    count: int
    body: str = ""
    reason: str = ""

    @property
    def key(self) -> Key:
        """What it is found by."""
        return (self.guard, self.module, self.function, self.field)

    @property
    def name(self) -> str:
        """The key as a person reads it."""
        function = f":{self.function}" if self.function else ""
        field = f" {self.field}" if self.field else ""
        return f"{self.module}{function}{field}"


@dataclass(frozen=True, slots=True)
class Baseline:
    """The entries of a file, sorted, and the pack they were written with.

    ``line`` is where the file names the pack, 0 for one that was not read.
    """

    pack: str
    entries: tuple[Entry, ...] = ()
    line: int = field(default=0, compare=False)


def baseline_text(baseline: Baseline) -> str:
    """The file's text."""
    lines = [_HEAD, f"schema = {SCHEMA}", f"pack = {_quoted(baseline.pack)}", ""]
    if not baseline.entries:
        return "\n".join([*lines, "findings = []", ""])
    lines.append("findings = [")
    lines += [f"  {_line(entry)}," for entry in sorted(baseline.entries)]
    return "\n".join([*lines, "]", ""])


def _line(entry: Entry) -> str:
    parts = [
        f"guard = {_quoted(entry.guard)}",
        f"module = {_quoted(entry.module)}",
        f"function = {_quoted(entry.function)}",
        f"field = {_quoted(entry.field)}",
        f"count = {entry.count}",
    ]
    if entry.body:
        parts.append(f"body = {_quoted(entry.body)}")
    if entry.reason:
        parts.append(f"reason = {_quoted(entry.reason)}")
    parts.append(f"check = {_quoted(_check(entry))}")
    return "{ " + ", ".join(parts) + " }"


def _quoted(text: str) -> str:
    """A TOML basic string; JSON's escapes are TOML's too (TOML 1.0, strings)."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _check(entry: Entry) -> str:
    parts = [*entry.key, str(entry.count), entry.body, entry.reason]
    text = "\0".join(parts).encode("utf-8", "surrogatepass")
    return hashlib.sha256(text).hexdigest()[:8]


def read_baseline(path: Path, guards: Iterable[str]) -> Baseline | None:
    """The baseline at a path, None when there is none; raises BaselineError.

    ``guards`` are the guards this nsroute knows.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return None
    except UnicodeDecodeError:
        raise BaselineError(str(path), 0, "is not UTF-8") from None
    except OSError as error:
        raise BaselineError(
            str(path), 0, f"cannot be read: {error.strerror}", "is it a file of yours?"
        ) from None
    return parse_baseline(text, str(path), frozenset(guards))


def parse_baseline(text: str, file: str, guards: frozenset[str]) -> Baseline:
    """A baseline from its text; raises BaselineError."""
    from codemod.project.toml import TOMLDecodeError, loads

    lines = text.splitlines()
    for number, line in enumerate(lines, 1):
        if _CONFLICT.match(line):
            raise BaselineError(
                file,
                number,
                "a merge conflict is not resolved",
                "keep either side, then run `nsroute check --update`",
            )
    try:
        data = loads(text)
    except TOMLDecodeError as error:
        place = re.search(r"line (\d+)", str(error))
        line_number = int(place[1]) if place else 0
        raise BaselineError(file, line_number, f"is not TOML: {error}") from None
    _check_head(data, file, lines)
    numbers = [n for n, line in enumerate(lines, 1) if line.lstrip().startswith("{")]
    found: list[Entry] = []
    listed: list[Any] = data.get("findings", [])
    if not isinstance(listed, list):
        raise BaselineError(file, 0, "findings is not a list")
    for index, item in enumerate(listed):
        place_of = numbers[index] if len(numbers) == len(listed) else 0
        found.append(_entry(item, file, place_of, guards))
    _check_order(found, file, numbers if len(numbers) == len(listed) else [])
    return Baseline(data.get("pack", ""), tuple(found), _line_of("pack", lines))


def _check_head(data: dict[str, Any], file: str, lines: list[str]) -> None:
    schema = data.get("schema")
    if schema != SCHEMA:
        what = f"has schema {schema!r}" if schema is not None else "has no schema"
        raise BaselineError(
            file,
            _line_of("schema", lines),
            f"{what}, this nsroute reads {SCHEMA}",
            "use the nsroute that wrote it, or `nsroute check --update`",
        )
    unknown = sorted(data.keys() - {"schema", "pack", "findings"})
    if unknown:
        raise BaselineError(
            file, _line_of(unknown[0], lines), f"unknown key {unknown[0]!r}"
        )
    if not isinstance(data.get("pack", ""), str):
        raise BaselineError(file, _line_of("pack", lines), "pack is not a string")


def _line_of(key: str, lines: list[str]) -> int:
    """The line that begins with a key of the document, or its table; 0 for none."""
    for number, line in enumerate(lines, 1):
        if line.partition("=")[0].strip(" \t[]\"'") == key:
            return number
    return 0


def _entry(item: Any, file: str, line: int, guards: frozenset[str]) -> Entry:
    if not isinstance(item, dict):
        raise BaselineError(file, line, "an entry is not a table")
    for key, value in item.items():
        if key not in _KEYS:
            raise BaselineError(file, line, f"unknown key {key!r}")
        whole = isinstance(value, int) and not isinstance(value, bool) and value > 0
        if not (whole if key == "count" else isinstance(value, str)):
            raise BaselineError(file, line, f"{key} = {value!r} cannot be")
    for key in (*_KEYS[:5], "check"):
        if key not in item:
            raise BaselineError(file, line, f"an entry has no {key!r}")
    given = {key: value for key, value in item.items() if key != "check"}
    entry = Entry(**given)
    if item["check"] != _check(entry):
        raise BaselineError(
            file,
            line,
            f"the entry of {entry.guard} in {entry.name} was edited: its check is off",
        )
    if entry.guard not in guards:
        raise BaselineError(
            file,
            line,
            f"this nsroute has no guard {entry.guard!r}",
            "use the nsroute that wrote it, or `nsroute check --update`",
        )
    return entry


def _check_order(entries: list[Entry], file: str, numbers: list[int]) -> None:
    for index in range(1, len(entries)):
        line = numbers[index] if numbers else 0
        first, second = entries[index - 1], entries[index]
        if first.key == second.key:
            raise BaselineError(
                file,
                line,
                f"{second.guard} in {second.name} is listed twice: a merge kept both",
            )
        if first.key > second.key:
            raise BaselineError(file, line, "the entries are not sorted any more")
