"""Which lines of two versions differ: quick where few do.

What an edit left alone is most of a file. Lines that occur once in both versions are
certain matches; between two of them little is left for ``difflib``, which is slow on
whole files because of the lines that occur everywhere.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

# Pairs of lines that difflib may compare in one gap: about a second.
_LARGE_GAP = 4_000_000


@dataclass(frozen=True, slots=True)
class Change:
    """Lines ``start`` to ``end`` (from 0, end excluded) become new lines."""

    start: int
    end: int
    new_start: int
    new_end: int


def changes(first: Sequence[bytes], second: Sequence[bytes]) -> list[Change]:
    """Return every run of lines that differs, in order, with equal lines in between."""
    found: list[Change] = []
    for change in _raw_changes(first, second):
        last = found[-1] if found else None
        if last and last.end == change.start and last.new_end == change.new_start:
            found[-1] = Change(last.start, change.end, last.new_start, change.new_end)
        else:
            found.append(change)
    return found


def _raw_changes(first: Sequence[bytes], second: Sequence[bytes]) -> Iterator[Change]:
    start, new_start = 0, 0
    pairs = [*_certain_matches(first, second), (len(first), len(second))]
    for end, new_end in pairs:
        yield from _between(first, second, Change(start, end, new_start, new_end))
        start, new_start = end + 1, new_end + 1


def _between(
    first: Sequence[bytes], second: Sequence[bytes], gap: Change
) -> Iterator[Change]:
    """Compare what lies between two certain matches."""
    start, end, new_start, new_end = gap.start, gap.end, gap.new_start, gap.new_end
    while start < end and new_start < new_end and first[start] == second[new_start]:
        start, new_start = start + 1, new_start + 1
    while start < end and new_start < new_end and first[end - 1] == second[new_end - 1]:
        end, new_end = end - 1, new_end - 1
    if start == end or new_start == new_end:
        if start != end or new_start != new_end:
            yield Change(start, end, new_start, new_end)
        return
    old, new = first[start:end], second[new_start:new_end]
    # Beyond this, lines that occur everywhere are no longer matched one by one: a
    # longer diff of such a file, but one that ends.
    large = len(old) * len(new) > _LARGE_GAP
    matcher = SequenceMatcher(None, old, new, autojunk=large)
    for tag, i, j, k, m in matcher.get_opcodes():
        if tag != "equal":
            yield Change(start + i, start + j, new_start + k, new_start + m)


def _certain_matches(
    first: Sequence[bytes], second: Sequence[bytes]
) -> list[tuple[int, int]]:
    """Pair lines that occur once in both, as many as keep their order (patience)."""
    once = _unique(second)
    pairs = [
        (index, once[line]) for line, index in _unique(first).items() if line in once
    ]
    # The longest increasing run of places in the second version.
    tails: list[int] = []
    tail_pairs: list[int] = []
    previous: list[int] = []
    for number, (_, place) in enumerate(pairs):
        at = bisect_left(tails, place)
        previous.append(tail_pairs[at - 1] if at else -1)
        if at == len(tails):
            tails.append(place)
            tail_pairs.append(number)
        else:
            tails[at] = place
            tail_pairs[at] = number
    chosen: list[tuple[int, int]] = []
    number = tail_pairs[-1] if tail_pairs else -1
    while number >= 0:
        chosen.append(pairs[number])
        number = previous[number]
    return chosen[::-1]


def _unique(lines: Sequence[bytes]) -> dict[bytes, int]:
    """Map each line that occurs once to its index, in order."""
    counts = Counter(lines)
    return {line: index for index, line in enumerate(lines) if counts[line] == 1}
