r"""Unified diffs as git writes them, which ``git apply`` accepts byte for byte.

Everything works on bytes, split at ``\n`` alone as git does: a carriage return is
part of its line, and an encoding never gets in the way. ``unified_diff`` gives text in
which bytes that are not UTF-8 are surrogate escapes (PEP 383); write it back with
``errors="surrogateescape"``.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from codemod.delivery.matching import Change, changes

#: Unchanged lines shown before and after a change, as git does.
CONTEXT = 3

_NO_NEWLINE = b"\n\\ No newline at end of file\n"


def unified_diff(before: bytes | str, after: bytes | str, path: str) -> str:
    """Return the git-style diff of one file, empty when nothing changed.

    ``path`` is relative to the root, with ``/``. Text is taken as UTF-8.
    """
    diff = diff_bytes(_bytes(before), _bytes(after), path)
    return diff.decode("utf-8", "surrogateescape")


def diff_bytes(before: bytes, after: bytes, path: str) -> bytes:
    """Return what ``unified_diff`` returns, as the bytes that go into a patch file."""
    if before == after:
        return b""
    name = path.encode("utf-8", "surrogateescape")
    old, new = _quoted(b"a/" + name), _quoted(b"b/" + name)
    # So that the end of a name with a space can be told.
    tab = b"\t" if b" " in name else b""
    parts = [
        b"diff --git %b %b\n" % (old, new),
        b"--- %b%b\n+++ %b%b\n" % (old, tab, new, tab),
    ]
    first, second = _lines(before), _lines(after)
    for group in _groups(changes(first, second)):
        parts += _hunk(group, first, second)
    return b"".join(parts)


def hunks(before: bytes, after: bytes) -> list[tuple[int, int, bytes]]:
    """Each hunk of a diff: its first and last changed old line, from 1, and its text.

    For lines that are only added, the line before them is both.
    """
    first, second = _lines(before), _lines(after)
    return [
        (
            group[0].start + 1,
            max(group[-1].end, group[0].start + 1),
            b"".join(_hunk(group, first, second)),
        )
        for group in _groups(changes(first, second))
    ]


def without_hunks(before: bytes, after: bytes, left_out: Collection[int]) -> bytes:
    """What becomes of ``before`` when some of the hunks, by number, are left out."""
    first, second = _lines(before), _lines(after)
    parts: list[bytes] = []
    done = 0
    for number, group in enumerate(_groups(changes(first, second))):
        if number in left_out:
            continue
        for change in group:
            parts += first[done : change.start]
            parts += second[change.new_start : change.new_end]
            done = change.end
    return b"".join([*parts, *first[done:]])


def diff_of_file(
    before: bytes | None, after: bytes | None, path: str, executable: bool = False
) -> bytes:
    """Return the git-style diff of a file that may be new or gone (None)."""
    if before is not None and after is not None:
        return diff_bytes(before, after, path)
    name = path.encode("utf-8", "surrogateescape")
    mode = b"100755" if executable else b"100644"
    old, new = _quoted(b"a/" + name), _quoted(b"b/" + name)
    kind = b"new" if before is None else b"deleted"
    head = b"diff --git %b %b\n%b file mode %b\n" % (old, new, kind, mode)
    body = diff_bytes(before or b"", after or b"", path)
    if not body:
        return head
    # The side that is not there is named as git names it.
    titles, rest = _titles(body)
    missing = 0 if before is None else 1
    titles[missing] = (b"--- " if before is None else b"+++ ") + b"/dev/null"
    return head + b"\n".join((*titles, rest))


def _titles(body: bytes) -> tuple[list[bytes], bytes]:
    """The two title lines of a diff, and what comes after them."""
    _, first, second, rest = body.split(b"\n", 3)
    return [first, second], rest


def _bytes(text: bytes | str) -> bytes:
    if isinstance(text, bytes):
        return text
    return text.encode("utf-8", "surrogateescape")


def _lines(data: bytes) -> list[bytes]:
    lines = [line + b"\n" for line in data.split(b"\n")]
    lines[-1] = lines[-1][:-1]
    return lines if lines[-1] else lines[:-1]


def _groups(found: Sequence[Change]) -> Iterator[list[Change]]:
    """Put changes whose contexts touch into one hunk."""
    group: list[Change] = []
    for change in found:
        if group and change.start - group[-1].end > 2 * CONTEXT:
            yield group
            group = []
        group.append(change)
    if group:
        yield group


def _hunk(
    group: Sequence[Change], first: Sequence[bytes], second: Sequence[bytes]
) -> list[bytes]:
    start = max(group[0].start - CONTEXT, 0)
    end = min(group[-1].end + CONTEXT, len(first))
    new_start = group[0].new_start - (group[0].start - start)
    new_end = group[-1].new_end + (end - group[-1].end)
    old_range, new_range = _range(start, end), _range(new_start, new_end)
    parts = [b"@@ -%b +%b @@\n" % (old_range, new_range)]
    done = start
    for change in group:
        parts += [_shown(b" ", line) for line in first[done : change.start]]
        parts += [_shown(b"-", line) for line in first[change.start : change.end]]
        new = second[change.new_start : change.new_end]
        parts += [_shown(b"+", line) for line in new]
        done = change.end
    return [*parts, *(_shown(b" ", line) for line in first[done:end])]


def _shown(sign: bytes, line: bytes) -> bytes:
    return sign + line if line.endswith(b"\n") else sign + line + _NO_NEWLINE


def _range(start: int, end: int) -> bytes:
    """Return a range of a hunk header; an empty one names the line before it."""
    count = end - start
    first = start + 1 if count else start
    return b"%d" % first if count == 1 else b"%d,%d" % (first, count)


# C-style escapes of git's quote.c; every other byte outside printable ASCII is octal.
_ESCAPES = {
    0x07: rb"\a",
    0x08: rb"\b",
    0x09: rb"\t",
    0x0A: rb"\n",
    0x0B: rb"\v",
    0x0C: rb"\f",
    0x0D: rb"\r",
    0x22: rb"\"",
    0x5C: rb"\\",
}


def _quoted(name: bytes) -> bytes:
    """Quote a path as git does under ``core.quotePath``, its default."""
    if all(0x20 <= byte < 0x7F and byte not in _ESCAPES for byte in name):
        return name
    return b'"' + b"".join(map(_escaped, name)) + b'"'


def _escaped(byte: int) -> bytes:
    if byte in _ESCAPES:
        return _ESCAPES[byte]
    return bytes([byte]) if 0x20 <= byte < 0x7F else b"\\%03o" % byte
