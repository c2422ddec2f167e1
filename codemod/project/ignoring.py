"""``.gitignore`` rules for a walk that looks at each entry once (gitignore(5)).

pathspec reads the patterns. It also lets a pattern match whatever is below what it
names, which is right for a list of paths and wrong for a walk: there a directory that
is left out is never entered, and one that is taken back in (``!docs``) says nothing
about what is in it. So only matches of the entry itself count here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

# The group in which pathspec catches the slash after what a pattern names.
_SLASH = "ps_d"


@dataclass(frozen=True, slots=True)
class Rules:
    """The patterns of one ``.gitignore``, in order.

    Each says whether what it matches is ignored or taken back in. ``any`` matches when
    one of them does, so that most entries cost one search. Names reach the file
    without ``base``, where it stands below the root of the walk, or with ``outer`` in
    front, where the root stands below it.
    """

    patterns: tuple[tuple[bool, re.Pattern[str]], ...]
    any: re.Pattern[str]
    base: str = ""
    outer: str = ""

    def verdict(self, path: str) -> bool | None:
        """Whether the entry is ignored; None when no pattern speaks of it.

        ``path`` is relative to the root of the walk, with a slash at the end for a
        directory. The last pattern that matches decides.
        """
        name = self.outer + path.removeprefix(self.base)
        if not self.any.search(name):
            return None
        for ignores, regex in reversed(self.patterns):
            if _matches_itself(regex, name):
                return ignores
        return None


def _matches_itself(regex: re.Pattern[str], name: str) -> bool:
    match = regex.search(name)
    if match is None or _SLASH not in regex.groupindex:
        return match is not None
    last = len(name) - 1
    # A regex that is not anchored, as that of ``*/``, finds the first slash.
    return match.start(_SLASH) in (-1, last) or bool(regex.search(name, last))


def is_ignored(path: str, rules: tuple[Rules, ...]) -> bool:
    """By the innermost of several ``.gitignore`` that has a word on the entry."""
    for one in reversed(rules):
        verdict = one.verdict(path)
        if verdict is not None:
            return verdict
    return False


def read_rules(paths: Iterable[Path], base: str = "", outer: str = "") -> Rules | None:
    """The rules of ignore files, one after the other; None when they say nothing."""
    patterns = tuple(p for path in paths for line in _lines(path) for p in _read(line))
    if not patterns:
        return None
    joined = "|".join(
        f"(?:{regex.pattern.replace(f'?P<{_SLASH}>', '?:')})" for _, regex in patterns
    )
    return Rules(patterns, re.compile(joined), base, outer)


def outer_rules(root: Path) -> tuple[Rules, ...]:
    """Rules of the checkout that the root stands in, for when git does not answer.

    None when they leave out the root itself: who names it wants to see it.
    """
    top = next((d for d in (root, *root.parents) if (d / ".git").exists()), None)
    if top is None:
        return ()
    found: list[Rules] = []
    chain = [d for d in (root, *root.parents) if d.is_relative_to(top)]
    for folder in reversed(chain):
        files = [top / ".git" / "info" / "exclude"] if folder == top else []
        if folder != root:  # the walk reads the root's own
            files.append(folder / ".gitignore")
        outer = "" if folder == root else f"{root.relative_to(folder).as_posix()}/"
        rules = read_rules(files, outer=outer)
        if rules is None:
            continue
        parts = outer.split("/")[:-1]
        above = ("/".join(parts[:n]) + "/" for n in range(1, len(parts) + 1))
        bare = Rules(rules.patterns, rules.any)
        if any(bare.verdict(name) for name in above):
            return ()
        found.append(rules)
    return tuple(found)


def _lines(path: Path) -> list[str]:
    try:
        text = path.read_bytes().decode("utf-8-sig", "replace")
    except OSError:
        return []
    return [line.removesuffix("\r") for line in text.split("\n")]


def _read(line: str) -> Iterator[tuple[bool, re.Pattern[str]]]:
    """The pattern of a line; nothing for one that git would not understand either."""
    from pathspec import GitIgnoreSpec

    # Everything in a directory is not the directory: pathspec takes it for that.
    line = re.sub(r"(^!?|/)\*\*(/?) *$", r"\1**/*\2", line)
    try:
        spec = GitIgnoreSpec.from_lines([line])
    except ValueError:
        return
    for pattern in spec.patterns:
        regex = getattr(pattern, "regex", None)
        if pattern.include is not None and regex is not None:
            yield pattern.include, regex
