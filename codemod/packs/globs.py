"""Dotted globs: one syntax for modules, functions, fields and namespaces.

========================  ====================================================
``a.b``                   ``a.b`` and nothing else
``a.b.*``                 ``a.b`` itself and everything below it, at any depth
``a.*.c``                 one name in between: ``a.b.c``
``a.**.c``                any number of names in between, also none: ``a.c``
``speculative_*``         at the end a ``*`` goes on across dots
``*_backend``             elsewhere it stays within one name
``?``, ``[ab]``, ``[!a]``  one character within a name
``*``                     everything, the module level of a function too
========================  ====================================================

A package and its contents are one thing to a rule such as "everything under
entrypoints", so ``a.b.*`` covers the code of ``a/b/__init__.py`` as well.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cache, lru_cache

_SEGMENT = re.compile(r"(?:[\w*?]|\[!?[\w-]+\])+")


class BadGlobError(ValueError):
    """The text is no dotted glob; the message says why."""


def module_matches(patterns: Iterable[str], dotted: str) -> bool:
    """Whether any of the dotted globs matches the dotted name.

    >>> module_matches(["pkg.sub.*"], "pkg.sub")
    True
    >>> module_matches(["pkg.*.cli"], "pkg.a.b.cli")
    False

    Raises BadGlobError for a pattern that is none.
    """
    key = patterns if isinstance(patterns, tuple) else tuple(patterns)
    return bool(key) and matcher(key)(dotted)


@lru_cache(maxsize=1024)
def matcher(patterns: tuple[str, ...]) -> Callable[[str], bool]:
    """One test for all the patterns, which remembers its answers."""
    if not patterns:
        return lambda dotted: False
    whole = re.compile("|".join(f"(?:{translate(p)})" for p in patterns))

    @cache
    def matches(dotted: str) -> bool:
        return whole.fullmatch(dotted) is not None

    return matches


@lru_cache(maxsize=1024)
def translate(pattern: str) -> str:
    """The regular expression of a dotted glob; raises BadGlobError."""
    if not pattern:
        raise BadGlobError("a glob may not be empty")
    segments = pattern.split(".")
    for segment in segments:
        if not segment:
            raise BadGlobError(f"{pattern!r} has an empty name between its dots")
        if not _SEGMENT.fullmatch(segment):
            raise BadGlobError(
                f"{pattern!r}: {segment!r} is neither a name nor a glob over names"
            )
        if "**" in segment and segment != "**":
            raise BadGlobError(f"{pattern!r}: ** must stand alone between dots")
    last = segments.pop()
    regex = "".join(
        r"(?:[^.]+\.)*" if s == "**" else _within(s) + r"\." for s in segments
    )
    if last not in ("*", "**"):
        tail = ".*" if last.endswith("*") else ""
        return regex + _within(last[:-1] if tail else last) + tail
    if not segments:
        return ".*"
    if segments[-1] == "**":
        return regex + ".*"
    return regex.removesuffix(r"\.") + r"(?:\..*)?"


def _within(segment: str) -> str:
    """A glob over one name, which never crosses a dot."""
    out = []
    for piece in re.findall(r"\[!?[\w-]+\]|\*|\?|\w+", segment):
        if piece == "*":
            out.append("[^.]*")
        elif piece == "?":
            out.append("[^.]")
        elif piece.startswith("[!"):
            out.append(f"[^.{piece[2:-1]}]")
        else:
            out.append(piece)
    return "".join(out)
