"""What git does not have yet, where a series would need it or be mixed with it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from codemod.cli.exits import UsageError

if TYPE_CHECKING:
    from codemod.hoist import HoistPlan
    from codemod.project import SourceFile
    from codemod.series.draft import Draft
    from codemod.series.run import Review
    from codemod.transforms.model import KeptSite

#: Files that are named before the rest is counted.
_NAMED = 3


def dirty_tree(root: Path, files: Collection[str]) -> UsageError:
    """The refusal of a tree with uncommitted changes, with some of the files."""
    named = ", ".join(sorted(files)[:_NAMED])
    more = f" and {len(files) - _NAMED:,} more" if len(files) > _NAMED else ""
    listed = f" ({named}{more})" if named else ""
    return UsageError(
        f"{root.resolve()} has uncommitted changes{listed}: commit or stash them, or "
        "use --force",
        "--force goes on all the same",
    )


def check_hoists(
    plan: HoistPlan, modules: Mapping[str, SourceFile], fixed: Mapping[str, KeptSite]
) -> None:
    """Refuse a commit of hoists that imports a module that git does not have.

    In a function the import may never run; at module level every import of the file
    would fail on another checkout: UsageError. The rest as in ``untracked_reviewer``.
    """
    for each in plan.imports:
        if each.decision != "hoist":
            continue
        # ``from a import b`` or ``import a.b``, spelled out
        _, target, *names = each.imports.replace(" import ", " ").split()
        for module in (target, *(f"{target}.{name}" for name in names[:1])):
            site = _untracked_file(module, modules, fixed)
            if site is not None:
                raise _untracked(site, f"at module level {each.name}", each.file)


def _untracked_file(
    module: str, modules: Mapping[str, SourceFile], fixed: Mapping[str, KeptSite]
) -> KeptSite | None:
    """The file of a module, when git does not track it."""
    file = modules.get(module)
    site = fixed.get(file.path) if file is not None else None
    return site if site is not None and site.reason == "untracked" else None


def _untracked(site: KeptSite, what: str, importer: str) -> UsageError:
    return UsageError(
        f"{site.file}: git does not track it, and the commits would "
        f"import {what} from it, first in {importer}",
        f"git add {site.file} and commit it: the series builds on HEAD",
    )


def untracked_reviewer(
    modules: Mapping[str, SourceFile], fixed: Mapping[str, KeptSite]
) -> Review:
    """A review of commits that looks for imports of modules that git does not have.

    ``modules`` are the project's files by module, ``fixed`` those that commits cannot
    change, each with the reason. A commit that imports an untracked file would fail on
    every other checkout: UsageError.
    """

    def review(draft: Draft) -> Draft:
        changed = {change.path for change in draft.commit.changes}
        for task in draft.tasks:
            importer = task.source.file.path
            if importer not in changed:
                continue
            for _, dotted in task.names:
                module, _, name = dotted.rpartition(".")
                site = _untracked_file(module, modules, fixed)
                if site is not None:
                    raise _untracked(site, name, importer)
        return draft

    return review
