"""Hoists on the screen: the list, the summary with its cycles, the commit, the JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import TYPE_CHECKING, Any

from codemod.cli import exits
from codemod.cli.exits import UsageError
from codemod.cli.screen import Screen, count, cut, fold, one_line, safe

if TYPE_CHECKING:
    from codemod.cli.commands.apply import Done
    from codemod.hoist import HoistDecision, HoistPlan
    from codemod.series.commit import Commit

#: Cycles that the summary shows; ``--reason cycle`` lists them all.
_SHOWN_CYCLES = 5
#: Files and disagreements that are named one by one.
_SHOWN_PROBLEMS = 20
NAME = "hoist"


def commit_of(plan: HoistPlan) -> Commit:
    """The plan as one commit."""
    from codemod.series.commit import Change, Commit
    from codemod.series.messages import cleaned

    changes = tuple(
        Change(
            change.file,
            change.bytes_before,
            change.bytes_after,
            ((NAME, change.names),),
            change.notes,
        )
        for change in plan.changes
    )
    summary = plan.summary
    kept = sorted(summary.keep.items(), key=lambda item: (-item[1], item[0]))
    lines = [
        "Import at module level",
        "",
        f"{count(summary.hoist, 'import')} inside functions in "
        f"{count(len(changes), 'file')}.",
    ]
    if kept:
        lines += ["", f"{sum(summary.keep.values()):,} stay:"]
        lines += [f"  {number} {reason}" for reason, number in kept]
    return Commit(NAME, "", cleaned("\n".join(lines)), changes)


def introduced(commit: Commit) -> tuple[str, str]:
    """The title and the text of the letter to the patches."""
    title, _, body = commit.message.partition("\n\n")
    return f"{title}, {count(len(commit.changes), 'file')}", body


def as_json(plan: HoistPlan, root: str, done: Done | None) -> dict[str, Any]:
    """The plan in JSON; ``done`` is what was delivered, None for a dry run.

    The same input gives the same bytes, so times are left out.
    """
    import dataclasses

    from codemod.cli.series import patch_of

    changes = {change.path: change for change in commit_of(plan).changes}
    summary = {
        name: getattr(plan.summary, name)
        for name in plan.summary.__slots__
        if name != "seconds"
    }
    shown = {
        "schema": plan.schema,
        "tool": plan.tool,
        "root": root,
        "summary": summary,
        "imports": plan.imports,
        "changes": [
            {
                "file": change.path,
                "imports": change.edits,
                "notes": change.notes,
                "diff": patch_of(change).decode("utf-8", "surrogateescape"),
            }
            for change in changes.values()
        ],
        "disagreements": plan.disagreements,
        "unproven": [
            {"module": module, "failure": failure}
            for module, failure in sorted(plan.unproven.items())
        ],
        "rolled_back": plan.rolled_back,
        "doubled": plan.doubled,
    }
    if done is not None:
        shown |= {
            "written": done.written,
            "branch": done.delivery.branch,
            "hashes": done.hashes,
            "patches": done.files,
            "failed": [dataclasses.asdict(problem) for problem in done.failed],
        }
    return shown | {"errors": plan.errors}


# -- the list ----------------------------------------------------------------------


def list_imports(screen: Screen, plan: HoistPlan, reasons: list[str]) -> Iterator[str]:
    """The local imports one by one, all or those of some reasons with their chains.

    UsageError for a reason that no import has.
    """
    wanted = plan.imports
    if reasons:
        known = ["hoist", *plan.summary.keep]
        for reason in reasons:
            if reason not in known and reason not in _codes():
                raise UsageError(
                    f"--reason {reason}: there is no such reason",
                    f"there are: hoist, {', '.join(_codes())}",
                )
        wanted = tuple(d for d in wanted if (d.reason or d.decision) in reasons)
    return _listed(screen, wanted, detailed=bool(reasons))


def _codes() -> list[str]:
    from codemod.hoist.explained import ROLLED_BACK
    from codemod.hoist.reasons import ALL

    return [*(reason.CODE for reason in ALL), ROLLED_BACK]


def _listed(
    screen: Screen, wanted: Iterable[HoistDecision], detailed: bool
) -> Iterator[str]:
    if not screen.terminal:
        for decision in wanted:
            place = f"{safe(decision.file)}:{decision.line}:{decision.column}:"
            why = " ".join(_details(decision)) if detailed else ""
            why = f": {why}" if why else ""
            outcome = _outcome(screen, decision)
            yield f"{screen.paint(place, 'bold')} {decision.imports} {outcome}{why}"
        yield ""
        return
    for file, group in groupby(wanted, lambda decision: decision.file):
        yield screen.paint(cut(safe(file), screen.width), "bold")
        for decision in group:
            place = screen.paint(
                f"{decision.line:>6}:{decision.column}".ljust(11), "dim"
            )
            yield f"{place} {safe(decision.imports)} {_outcome(screen, decision)}"
            if detailed:
                for part in _details(decision):
                    yield from _indented(screen, part)
        yield ""


def _indented(screen: Screen, text: str, indent: int = 12) -> Iterator[str]:
    import textwrap

    width = max(min(screen.width, 100) - indent, 40)
    for line in textwrap.wrap(
        safe(text), width, break_long_words=False, break_on_hyphens=False
    ):
        yield f"{'':{indent}}{line}"


def _outcome(screen: Screen, decision: HoistDecision) -> str:
    if decision.decision == "hoist":
        return f"{screen.paint('->', 'dim')} {screen.paint('module level', 'green')}"
    return screen.paint(f"kept: {decision.reason}", "yellow")


def _details(decision: HoistDecision) -> Iterator[str]:
    """Why an import stays, the chain that proves it, what may be written instead."""
    from codemod.hoist.explained import chain_text

    if decision.why:
        yield decision.why
    if decision.chain:
        yield chain_text(decision.chain)
    if decision.offer:
        yield f"instead: {decision.offer}"
    if decision.fixes:
        yield (
            f"line {decision.fixes} uses the name before this line, which fails today "
            "and works at module level"
        )


# -- the summary -------------------------------------------------------------------


def report(
    screen: Screen, plan: HoistPlan, done: Done | None, below_diff: bool = False
) -> Iterator[str]:
    """The counts in a sentence and by reason, and the first cycles with their chains.

    Below a diff in a pipe each line is a comment, which git and patch skip.
    """
    lines = _report(screen, plan, done)
    if not below_diff:
        yield from lines
        return
    yield "" if screen.terminal else "#"
    for line in lines:
        yield line if screen.terminal else f"# {line}".rstrip()


def _report(screen: Screen, plan: HoistPlan, done: Done | None) -> Iterator[str]:
    if done is not None:
        yield from _delivered(screen, plan, done)
    summary = plan.summary
    stay = summary.imports - summary.hoist
    moving = f"{summary.hoist:,} {'move' if done is None else 'moved'}"
    staying = f"{stay:,} stay"
    yield fold(
        screen,
        f"{count(summary.imports, 'local import')} in "
        f"{count(len({d.file for d in plan.imports}), 'file')}: {moving} to module "
        f"level in {count(summary.files_changed, 'file')}, {staying}.",
        green=moving,
        yellow=staying,
    )
    if summary.keep:
        from codemod.cli.tables import table

        rows = sorted(summary.keep.items(), key=lambda item: (-item[1], item[0]))
        yield ""
        yield from table(
            screen,
            ("stay", "reason", "why"),
            [(number, code, reason_summary(code)) for code, number in rows],
        )
    yield from _cycles(screen, plan)
    for line in _proved(plan):
        yield ""
        yield fold(screen, line)


def reason_summary(code: str) -> str:
    """One line on a reason for which an import stays."""
    from codemod.hoist.reasons import ALL

    for module in ALL:
        if code == module.CODE:
            return str(module.SUMMARY)
    return "The file's new text did not pass its checks."


def _cycles(screen: Screen, plan: HoistPlan) -> Iterator[str]:
    found = [decision for decision in plan.imports if decision.reason == "cycle"]
    if not found:
        return
    yield ""
    more = f", the first {_SHOWN_CYCLES} of {len(found)}" if _cut(found) else ""
    yield screen.paint(f"Cycles{more}:", "bold")
    for decision in found[:_SHOWN_CYCLES]:
        place = screen.paint(f"{safe(decision.file)}:{decision.line}:", "bold")
        yield f"  {place} {safe(decision.imports)}"
        for part in _details(decision):
            if screen.terminal:
                yield from _indented(screen, part, 4)
            else:
                yield f"    {one_line(part)}"
    if _cut(found):
        yield "  …  --reason cycle lists them all."


def _cut(found: list[HoistDecision]) -> bool:
    return len(found) > _SHOWN_CYCLES


def _proved(plan: HoistPlan) -> Iterator[str]:
    """What the proof rests on."""
    summary = plan.summary
    if summary.real:
        works = summary.real - summary.unproven
        yield (
            f"For real: {works:,} of {count(summary.real, 'module')} that a hoist can "
            "change were imported before and after."
        )
        if plan.unproven:
            kinds = Counter(plan.unproven.values()).most_common(3)
            shown = ", ".join(f"{failure} ({number})" for failure, number in kinds)
            yield (
                f"{count(summary.unproven, 'module')} could not be imported before "
                f"either, and there only the simulation speaks: {shown}. --python "
                "names an interpreter that has what is missing, --mock-missing puts "
                "stand-ins for it."
            )
    growth, number = summary.largest_growth
    if number:
        yield (
            f"Importing {growth} loads most in addition: "
            f"{count(number, 'module')} of the project."
        )


def _delivered(screen: Screen, plan: HoistPlan, done: Done) -> Iterator[str]:
    names = {change.file: change.names for change in plan.changes}
    for path in done.written:
        yield f"{screen.paint(f'{names[path]:>6,}', 'green')}  {safe(path)}"
    if done.hashes:
        name = done.hashes[-1][:12]
        yield f"The branch {done.delivery.branch} has the commit {name}."
    elif done.files:
        yield f"In {done.delivery.patches}: {', '.join(done.files)}."
    if done.written or done.hashes or done.files:
        yield ""


def say_what_went_wrong(screen: Screen, plan: HoistPlan, done: Done | None) -> int:
    """Name on stderr what was not done, and return the exit code for it."""
    for problem in plan.doubled:
        screen.warn(f"{problem.file}: {problem.message}")
    for item in plan.disagreements[:_SHOWN_PROBLEMS]:
        screen.warn(
            f"{item.file}:{item.line}: kept, as simulation and interpreter differ on "
            f"`import {item.entry}`: {item.simulation} by simulation, {item.real} for "
            "real"
        )
    left = len(plan.disagreements) - _SHOWN_PROBLEMS
    if left > 0:
        screen.warn(f"and {left} more on which they differ; --format json has them")
    for problem in plan.rolled_back:
        place = f"{problem.file}:{problem.line}: " if problem.file else ""
        screen.warn(f"{place}rolled back: {problem.message}")
    for problem in done.failed if done else ():
        screen.warn(f"{problem.file}: {problem.message}")
    for problem in plan.errors:
        place = f"{problem.file}:{problem.line}" if problem.line else problem.file
        screen.error(f"{place}: {problem.message}")
    if not plan.errors:
        return exits.OK
    files = count(len({problem.file for problem in plan.errors}), "file")
    screen.note(f"{files} could not be read; everything else was done")
    return exits.UNREADABLE
