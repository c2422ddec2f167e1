"""Which of many words a file's bytes hold, in a few passes over them.

Files are many and the words of a pack dozens, most of which begin alike: ``get_…``,
``is_…``. One search for a beginning stands for those of all its words.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable

#: Letters of a beginning, and how many words it takes for one search to pay.
_BEGINNING, _SHARED = 3, 3
_IN_NAME = re.compile(rb"[A-Za-z0-9_]")


class Words:
    """Looks for words that stand by themselves, not in a longer name."""

    def __init__(self, words: Iterable[str]) -> None:
        self._named = {word.encode(): word for word in words}
        by_beginning: dict[bytes, list[bytes]] = defaultdict(list)
        for word in sorted(self._named):
            # What ends in no letter, such as ``nsroute:``, is no whole name.
            shared = word[:_BEGINNING] if _IN_NAME.match(word[-1:]) else word
            by_beginning[shared].append(word)
        self._single: list[bytes] = []
        self._groups: list[tuple[re.Pattern[bytes], frozenset[bytes]]] = []
        for beginning, group in by_beginning.items():
            if len(group) < _SHARED:
                self._single += group
            else:
                pattern = re.compile(re.escape(beginning) + rb"\w*")
                self._groups.append((pattern, frozenset(group)))

    def found(self, data: bytes) -> frozenset[str]:
        """The words that stand somewhere in ``data``.

        Beside a letter that is not ASCII a word counts: too many, never too few.
        """
        spelled = [word for word in self._single if word in data]
        for pattern, group in self._groups:
            spelled += group.intersection(pattern.findall(data))
        return frozenset(self._named[word] for word in spelled if _whole(word, data))


def _whole(word: bytes, data: bytes) -> bool:
    """Whether a word stands by itself somewhere, and not in a longer name."""
    open_ended = _IN_NAME.match(word[-1:]) is not None
    place = data.find(word)
    while place >= 0:
        end = place + len(word)
        before, after = data[max(place - 1, 0) : place], data[end : end + 1]
        if not (_IN_NAME.match(before) or (_IN_NAME.match(after) and open_ended)):
            return True
        place = data.find(word, end)
    return False
