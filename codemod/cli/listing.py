"""Reads as lines: under their file's name on a terminal, one complete line in a pipe.

As with other search tools, what a person reads is grouped and what a program reads can
be taken line by line: ``file:line:column: text -> replacement``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import groupby

from codemod.cli.screen import Screen, cut, one_line, safe
from codemod.model import Read, Use


def list_reads(
    screen: Screen, reads: Iterable[Read], uses: Iterable[Use] = ()
) -> Iterator[str]:
    """The lines that list reads, and the uses of the same files after them."""
    uses = list(dict.fromkeys(replace(use, function="") for use in uses))
    if not screen.terminal:
        yield from (_plain_read(screen, read) for read in reads)
        yield from (_plain_use(screen, use) for use in uses)
        return
    of_file: dict[str, list[Use]] = {}
    for use in uses:
        of_file.setdefault(use.file, []).append(use)
    listed = {file: list(group) for file, group in groupby(reads, lambda r: r.file)}
    for file in sorted({*listed, *of_file}):
        yield screen.paint(cut(safe(file), screen.width), "bold")
        for read in listed.get(file, ()):
            yield from _grouped_read(screen, read)
        for use in of_file.get(file, ()):
            place = f"{use.line:>6}".ljust(11)
            yield f"{place} {screen.paint(use.kind, 'magenta')} (a use, not a read)"
        yield ""


def _plain_read(screen: Screen, read: Read) -> str:
    place = screen.paint(f"{safe(read.file)}:{read.line}:{read.column}:", "bold")
    return f"{place} {one_line(read.text)} {_outcome(screen, read)}"


def _plain_use(screen: Screen, use: Use) -> str:
    place = screen.paint(f"{safe(use.file)}:{use.line}:", "bold")
    return f"{place} {screen.paint(use.kind, 'magenta')} (a use, not a read)"


def _outcome(screen: Screen, read: Read) -> str:
    if read.decision == "convert":
        new = one_line(read.replacement or "")
        return f"{screen.paint('->', 'dim')} {screen.paint(new, 'green')}"
    return screen.paint(f"kept: {read.reason}", "yellow")


def _grouped_read(screen: Screen, read: Read) -> Iterator[str]:
    place = f"{read.line:>6}:{read.column}".ljust(11)
    text = one_line(read.text)
    if read.decision == "convert":
        mark, new, style = "->", one_line(read.replacement or ""), "green"
    else:
        mark, new, style = "kept:", read.reason or "", "yellow"
    head = screen.paint(place, "dim")
    room = screen.width - 12
    if len(text) + len(mark) + len(new) + 2 <= room:
        painted = f"{screen.paint(mark, 'dim')} {screen.paint(new, style)}"
        yield f"{head} {text} {painted}"
        return
    yield f"{head} {cut(text, room)}"
    after = screen.paint(cut(new, room - len(mark) - 1), style)
    yield f"{'':11} {screen.paint(mark, 'dim')} {after}"
