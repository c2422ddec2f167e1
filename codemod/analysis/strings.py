"""Dotted names in strings, as tests spell what they patch."""

from __future__ import annotations

import re


def dotted_strings(text: str, words: frozenset[str]) -> frozenset[str]:
    """Texts in quotes such as ``"pkg.mod.get_args"`` that end in one of the words.

    A word alone in quotes counts too: ``setattr(module, "get_args", fake)``.
    """
    if not words:
        return frozenset()
    alternatives = "|".join(re.escape(word) for word in sorted(words))
    pattern = rf"""["']((?:[\w.]+\.)?(?:{alternatives}))["']"""
    return frozenset(re.findall(pattern, text))
