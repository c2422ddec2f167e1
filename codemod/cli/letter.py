"""The letter in front of a series of patches: what it does, and what it leaves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from codemod.cli.screen import count

if TYPE_CHECKING:
    from codemod.packs import Pack
    from codemod.series.commit import Commit


def introduced(pack: Pack, commits: Sequence[Commit]) -> tuple[str, str]:
    """The title of the series and its letter."""
    return subject_of(pack, commits), letter_of(pack, commits)


def subject_of(pack: Pack, commits: Sequence[Commit]) -> str:
    """The title of the series."""
    from codemod.series.commit import merged

    files = count(len(merged(commits)), "file")
    return f"{pack.name}: read through namespaces, {files}"


def letter_of(pack: Pack, commits: Sequence[Commit]) -> str:
    """What each commit does, and what stays, by reason."""
    lines = []
    if pack.description:
        lines += [pack.description, ""]
    lines += ["The commits, each of which stands alone:", ""]
    for number, commit in enumerate(commits, 1):
        edits = sum(change.edits for change in commit.changes)
        size = f"{count(edits, 'edit')}, {count(len(commit.changes), 'file')}"
        lines.append(f"{number:>3}. {commit.title} ({size})")
    kept = {site for commit in commits for site in commit.kept}
    reasons = Counter(site.reason for site in kept)
    if reasons:
        lines += ["", "What stays, by reason:", ""]
        ordered = sorted(reasons.items(), key=lambda item: (-item[1], item[0]))
        lines += [f"{number:>5} {reason}" for reason, number in ordered]
    return "\n".join(lines)
