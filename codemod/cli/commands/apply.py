"""``nsroute apply``: make the change."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from codemod.cli import exits
from codemod.cli.commands.scan import report_errors
from codemod.cli.completion import complete_step
from codemod.cli.exits import UsageError
from codemod.cli.leftover import Log, asked_of, log_for, look_for
from codemod.cli.options import Format, FormatOption, Look, Work
from codemod.cli.screen import Screen, count, safe

if TYPE_CHECKING:
    from codemod.cli.series import Series
    from codemod.delivery.leftovers import Leftover
    from codemod.delivery.repository import Repository
    from codemod.model import Problem
    from codemod.series.commit import Commit, Skipped
    from codemod.series.draft import Draft
    from codemod.series.run import SeriesOptions

EXAMPLES = """\
Examples:
  nsroute apply                       the whole project, in place
  nsroute apply 'app.core.*'          some modules first
  nsroute apply --branch namespaces   as commits on a new branch
  nsroute apply --patches out         as files for `git am out/*.patch`
  nsroute apply -i --step reads       one step, hunk by hunk"""


@dataclass(frozen=True)
class Delivery:
    """Where the series goes and how its commits are signed."""

    in_place: Annotated[
        bool, typer.Option("--in-place", help="Write the files. [default]")
    ] = False
    branch: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Make commits on a new branch instead."),
    ] = None
    patches: Annotated[
        str | None,
        typer.Option(metavar="DIR", help="Write patches and a letter instead."),
    ] = None
    author: Annotated[
        str | None,
        typer.Option(
            metavar="'NAME <MAIL>'", help="Sign commits so. [default: as git does]"
        ),
    ] = None
    deterministic: Annotated[
        bool,
        typer.Option(
            "--deterministic",
            help="Date commits by SOURCE_DATE_EPOCH or HEAD, so that the same input "
            "gives the same hashes.",
        ),
    ] = False
    force: Annotated[
        bool, typer.Option("--force", help="Also when git has uncommitted changes.")
    ] = False

    @property
    def commits(self) -> bool:
        """Whether commits are made rather than files written."""
        return self.branch is not None or self.patches is not None

    def check(self) -> None:
        """Raise UsageError for options that do not go together."""
        given = [
            name
            for name, value in (
                ("--in-place", self.in_place),
                ("--branch", self.branch is not None),
                ("--patches", self.patches is not None),
            )
            if value
        ]
        if len(given) > 1:
            raise UsageError(f"{' and '.join(given)} are two ways: choose one")
        if not self.commits and (self.author or self.deterministic):
            name = "--author" if self.author else "--deterministic"
            raise UsageError(f"{name} is for commits", "give --branch or --patches")


def apply(
    work: Work,
    delivery: Delivery,
    look: Look,
    format_: FormatOption = Format.text,
    step: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            autocompletion=complete_step,
            help="Only this step, or this part of one; may be repeated.",
        ),
    ] = None,
    interactive: Annotated[
        bool,
        typer.Option("--interactive", "-i", help="Ask for each hunk."),
    ] = False,
    no_verify: Annotated[
        bool,
        typer.Option("--no-verify", help="Do not run the pack's verify command."),
    ] = False,
    leftover: Annotated[
        str | None,
        typer.Option(
            metavar="resume|remove|keep",
            help="What to do with the worktree of a run that ended early.",
        ),
    ] = None,
) -> int:
    """Run the series: write files, or make commits or patches.

    Each file is checked before it is delivered. One that fails its checks is rolled
    back: left as it was and named; the rest goes on. With a verify command in the pack
    each commit is tried with it, and the files that break it are taken back. A git tree
    with uncommitted changes is refused, so that the change can be told from other work.

    Exit code: 0; 1 when a file was rolled back, taken back or could not be written; 2
    for a wrong command line or pack, or a dirty tree; 3 when a file could not be read.
    """
    from codemod.cli.letter import introduced
    from codemod.cli.series import (
        prepared,
        run,
        say_what_stayed,
        went_wrong,
    )
    from codemod.delivery.leftovers import remove
    from codemod.series.commit import Commit

    delivery.check()
    screen = look.screen()
    places = work.resolve()
    target = Target.of(Path(places.root), delivery, leftover, screen)
    series = prepared(work, places, screen, step or [])
    with target.workspace(series, screen) as workspace:
        verifies = series.pack.verify is not None and not no_verify
        lasting = verifies or interactive or series.has_external
        asked = asked_of(series, work, places, target.repository, delivery.commits)
        log, taken_up = log_for(workspace, asked, lasting, target.left, screen)
        if log.delivering:
            found = list(log.items)
        else:
            how = _how(series, target, workspace, screen, interactive, verifies, log)
            found = list(log.noting(run(series, work, places, screen, how)))
        commits = [item for item in found if isinstance(item, Commit)]
        if commits and (lasting or not delivery.commits):
            log.deliver()
        done = target.deliver(commits, lambda: introduced(series.pack, commits))
    if taken_up is not None:
        remove(taken_up, target.repository)
    if format_ is Format.json:
        screen.data(_json(series, found, done))
    else:
        say_what_stayed(screen, found)
        for problem in done.failed:
            screen.warn(f"{problem.file}: {problem.message}")
        screen.lines(_text(screen, commits, done, went_wrong(found)))
    bad = bool(done.failed) or went_wrong(found)
    return exits.gravest(
        report_errors(screen, series.analysis), exits.FOUND if bad else exits.OK
    )


@dataclass(frozen=True)
class Done:
    """What was delivered: files in place, commits, or patch files."""

    delivery: Delivery
    written: tuple[str, ...] = ()
    failed: tuple[Problem, ...] = ()
    hashes: tuple[str, ...] = ()
    files: tuple[str, ...] = ()


@dataclass(frozen=True)
class Target:
    """Where the series goes, found to be possible before any work is done."""

    root: Path
    delivery: Delivery
    repository: Repository | None
    dirty: bool
    left: Sequence[Leftover] = ()

    @classmethod
    def of(
        cls, root: Path, delivery: Delivery, leftover: str | None, screen: Screen
    ) -> Target:
        """The target, or UsageError when nothing could be delivered to it."""
        from codemod.delivery import GitError, git_state
        from codemod.delivery import delivering as to
        from codemod.delivery.repository import open_repository

        try:
            state = git_state(root)
            repository = None
            if state != "not a repo" and (delivery.commits or _has_commit(root)):
                repository = open_repository(root)
            if delivery.branch is not None:
                to.check_branch(repository, delivery.branch)
            if delivery.patches is not None:
                to.check_patches(Path(delivery.patches))
            if repository is not None and (delivery.commits or not delivery.force):
                to.check_base(repository)
            if delivery.commits:
                to.identity_for(root, repository, _stamp(delivery))
        except GitError as error:
            hint = "" if delivery.commits else "--force goes on all the same"
            if delivery.force and not delivery.commits:
                return cls(root, delivery, None, False)
            raise UsageError(str(error), hint) from None
        left = look_for(root, repository, leftover, screen)
        dirty = state == "dirty" and not delivery.force
        return cls(root, delivery, repository, dirty, left)

    def refuse_dirty(self, draft: Draft) -> Draft:
        """A review before all others: nothing is mixed up with somebody's work.

        A tree with nothing to do may be as it likes.
        """
        if self.dirty:
            raise self.dirt()
        return draft

    def dirt(self) -> UsageError:
        """What to say of a tree with uncommitted changes."""
        from codemod.cli.uncommitted import dirty_tree

        files = self.repository.uncommitted() if self.repository is not None else ()
        return dirty_tree(self.root, files)

    def workspace(self, series: Series, screen: Screen) -> Any:
        """The folder for the pack's commands; see ``workspace_for``."""
        from codemod.cli.workspace import workspace_for

        return workspace_for(series, screen, dirty=not self.delivery.commits)

    def deliver(
        self, commits: Sequence[Commit], introduced: Callable[[], tuple[str, str]]
    ) -> Done:
        """Hand the series over; UsageError when that cannot be done.

        ``introduced`` gives the subject and the text of the letter to patches.
        """
        from codemod.delivery import GitError
        from codemod.delivery import delivering as to

        if not self.delivery.commits:
            done = to.deliver_in_place(self.root, commits)
            return Done(self.delivery, done.written, done.failed)
        if not commits:
            return Done(self.delivery)
        try:
            signed = to.identity_for(self.root, self.repository, _stamp(self.delivery))
            if self.delivery.branch is not None:
                assert self.repository is not None
                made = to.deliver_branch(
                    self.repository, commits, self.delivery.branch, signed
                )
                return Done(self.delivery, hashes=made.hashes)
            assert self.delivery.patches is not None
            files = to.deliver_patches(
                self.repository,
                commits,
                Path(self.delivery.patches),
                signed,
                *introduced(),
            )
        except (GitError, OSError) as error:
            raise UsageError(f"nothing was delivered: {error}") from None
        return Done(self.delivery, files=tuple(path.name for path in files))


def _stamp(delivery: Delivery) -> Any:
    from codemod.delivery.delivering import Stamp

    return Stamp(delivery.author, delivery.deterministic)


def _has_commit(root: Path) -> bool:
    from codemod.delivery import GitError
    from codemod.delivery.repository import run_git

    try:
        run_git(root, "rev-parse", "--verify", "--quiet", "HEAD^{commit}")
    except GitError:
        return False
    return True


def _how(
    series: Series,
    target: Target,
    workspace: Any,
    screen: Screen,
    interactive: bool,
    verifies: bool,
    log: Log,
) -> SeriesOptions:
    from codemod.cli.series import missing_reviewer
    from codemod.cli.uncommitted import untracked_reviewer
    from codemod.delivery.delivering import not_in_head
    from codemod.series.run import Review, SeriesOptions
    from codemod.series.verify import verifier

    reviews: list[Review] = [
        missing_reviewer(screen, series.pack, refuse=True),
        target.refuse_dirty,
    ]
    if interactive:
        from codemod.cli.hunks import reviewer

        reviews.append(reviewer(screen))
    if verifies:
        assert series.pack.verify is not None
        when = "before any more changes" if log.items else "before any change"
        reviews.append(verifier(series.pack.verify, workspace, screen.note, when))
    fixed = {}
    if target.delivery.commits and target.repository is not None:
        fixed = not_in_head(target.repository, target.delivery.force)
        modules = series.analysis.index.project.by_module
        reviews.insert(1, untracked_reviewer(modules, fixed))
    return SeriesOptions(
        tuple(reviews), fixed=fixed, workspace=workspace, done=log.items
    )


def _json(series: Series, found: Sequence[Commit | Skipped], done: Done) -> bytes:
    from codemod.cli.jsontext import json_bytes
    from codemod.cli.series import as_json

    whole = as_json(series, found)
    changes = {change["file"]: change for change in whole.pop("changes")}
    return json_bytes(
        whole
        | {
            "written": [changes[path] for path in done.written],
            "branch": done.delivery.branch,
            "hashes": done.hashes,
            "patches": done.files,
            "failed": [*whole["rolled_back"], *done.failed],
            "errors": series.analysis.result.errors,
        }
    )


def _text(
    screen: Screen, commits: Sequence[Commit], done: Done, wrong: bool
) -> Iterator[str]:
    from codemod.cli.series import amount
    from codemod.series.commit import merged

    if done.delivery.commits:
        names = done.hashes or done.files[1:]
        for commit, name in zip(commits, names):
            shown = name[:12] if done.hashes else name
            yield f"{screen.paint(shown, 'yellow')}  {safe(commit.title)}"
    else:
        edits = {change.path: change.edits for change in merged(commits)}
        for path in done.written:
            yield f"{screen.paint(f'{edits[path]:>6,}', 'green')}  {safe(path)}"
    if done.hashes:
        yield ""
        yield f"The branch {done.delivery.branch} has {amount(commits)}."
    elif done.files:
        yield ""
        yield f"In {done.delivery.patches}: {amount(commits)}, and a letter."
    elif done.written:
        yield ""
        yield _converted(commits, done)
    elif not done.failed and not wrong:
        yield "Nothing to do: no read is left to convert."
    if done.failed:
        files = count(len({problem.file for problem in done.failed}), "file")
        yield f"Left {files} as before, for the reasons on stderr."


def _converted(commits: Sequence[Commit], done: Done) -> str:
    from collections import Counter

    counts: Counter[str] = Counter()
    for commit in commits:
        for change in commit.changes:
            counts.update(dict(change.counts))
    files = count(len(done.written), "file")
    reads = counts.pop("reads", 0)
    others = "".join(f", {name} {number:,}" for name, number in counts.items())
    return f"Converted {count(reads, 'read')}{others} in {files}."
