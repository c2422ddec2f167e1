"""The folder in which a series runs the pack's commands, and what a crash left."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from codemod.cli.exits import UsageError
from codemod.cli.screen import Screen, safe

if TYPE_CHECKING:
    from codemod.cli.series import Series
    from codemod.delivery.repository import Repository
    from codemod.delivery.workspace import TreeWorkspace


@contextmanager
def workspace_for(
    series: Series, screen: Screen, dirty: bool = True
) -> Iterator[TreeWorkspace]:
    """A workspace that is gone afterwards, and is made only if it is needed.

    ``dirty`` brings a person's uncommitted work along. Commands that a step will run
    are said here, before anything runs.
    """
    from codemod.delivery import GitError
    from codemod.delivery.workspace import TreeWorkspace
    from codemod.series.verify import VerifyError

    for step in series.steps:
        if step.external is not None:
            what = step.external
            screen.note(f"step {step.name} runs {what.kind}: {what.target}")
    repository = None
    if series.has_external or series.pack.verify is not None:
        repository = repository_of(series)
    try:
        with TreeWorkspace(series.root, repository, dirty) as workspace:
            yield workspace
    except GitError as error:
        raise UsageError(str(error)) from None
    except VerifyError as error:
        for line in error.ran.tail:
            screen.note(f"  {safe(line)}")
        raise UsageError(
            f"{error.verify.command}: {error.ran.end} {error.when}, so that it can "
            "tell nothing of a commit",
            "mend the command in [verify] of the pack, or use --no-verify",
        ) from None


def repository_of(series: Series) -> Repository | None:
    """The repository of the project, None without one; UsageError when git refuses."""
    from codemod.delivery import GitError
    from codemod.delivery.repository import open_repository

    try:
        return open_repository(series.root)
    except GitError as error:
        raise UsageError(str(error)) from None
