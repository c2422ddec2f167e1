"""Sets of files that change together, put together where they share one."""

from __future__ import annotations

from collections.abc import Iterable


def components(groups: Iterable[frozenset[str]]) -> tuple[frozenset[str], ...]:
    """The groups with those that share a member made one; single members are left out.

    In order of the first member of each.
    """
    found: list[frozenset[str]] = []
    for group in groups:
        apart = [each for each in found if not each & group]
        found = [*apart, group.union(*(each for each in found if each & group))]
    return tuple(sorted((each for each in found if len(each) > 1), key=min))
