"""Dotted names in strings, as tests spell what they patch."""

from __future__ import annotations

import re


def dotted_strings(text: str, words: frozenset[str]) -> frozenset[str]:
    """Texts in quotes such as ``"pkg.mod.get_args"`` that end in one of the words.

    A word alone in quotes counts too: ``setattr(module, "get_args", fake)``.
    """
    found: set[str] = set()
    for word in words:
        # A search for plain text, many times quicker than one pattern for all.
        place = text.find(word)
        while place >= 0:
            end = place + len(word)
            if text[end : end + 1] in ("'", '"'):
                before = _BEFORE.search(text, max(place - _LONGEST, 0), place)
                if before is not None:
                    found.add(before[1] + word)
            place = text.find(word, end)
    return frozenset(found)


#: What stands between an opening quote and the last name of a dotted one.
_BEFORE = re.compile(r"""["']((?:[\w.]+\.)?)\Z""")
#: Characters of the longest name that is looked at.
_LONGEST = 500
