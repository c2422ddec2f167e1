"""Everything that must hold of a project and its migration, checked.

``check`` gives the ways in which nsroute was wrong about one project; an empty list is
the proof of one program.
"""

from __future__ import annotations

import ast
import difflib
import re
import shutil
import sys
import textwrap
import warnings
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from codemod import api
from codemod.model import Read
from tests.proof.programs.build import Project
from tests.proof.running import Ran, Runner

OPTIONS = api.Options(jobs=1, cache=False)

#: No generated read spans more lines.
_LONGEST = 6


@dataclass
class Figures:
    """What was tried, for the report."""

    programs: int = 0
    reads: int = 0
    run: int = 0
    forms: Counter[str] = field(default_factory=Counter)
    vias: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)

    def add(self, reads: tuple[Read, ...], ran: Ran) -> None:
        """Count one program."""
        self.programs += 1
        self.reads += len(reads)
        self.run += len(ran.reads)
        self.forms.update(read.form for read in reads)
        self.vias.update(read.via for read in reads)
        self.reasons.update(read.reason or read.decision for read in reads)

    def as_json(self) -> dict[str, object]:
        """The counts under their names."""
        return {
            "programs": self.programs,
            "reads": self.reads,
            "reads that ran": self.run,
            "forms": dict(self.forms.most_common()),
            "via": dict(self.vias.most_common()),
            "decisions": dict(self.reasons.most_common()),
        }


def write(project: Project, root: Path) -> None:
    """Write the project's files into an empty folder."""
    shutil.rmtree(root, ignore_errors=True)
    for name, text in project.files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="")


def check(
    project: Project, folder: Path, runner: Runner, figures: Figures | None = None
) -> list[str]:
    """What nsroute gets wrong about ``project``; ``folder`` is for its use."""
    before, after = folder / "before", folder / "after"
    write(project, before)
    write(project, after)
    analysis = api.analyse(after, options=OPTIONS)
    result = analysis.result
    wrong = [f"error: {problem}" for problem in result.errors]
    wrong += decisions(project, result.reads)
    wrong += escapes(project, result)
    plan = api.plan_of(analysis, OPTIONS)
    wrong += [f"rolled back: {p.file}: {p.message}" for p in plan.rolled_back]
    applied = api.apply_in_place(plan, force=True)
    wrong += [f"not written: {p}" for p in applied.failed if p not in plan.rolled_back]
    for change in plan.changes:
        reads = [r for r in result.reads if r.file == change.path]
        text = change.after.decode()
        wrong += lines_changed(change.path, project.files[change.path], text, reads)
        wrong += compiles(change.path, text)
    wrong += nothing_left(after)
    ran = runner.run(before, project)
    wrong += oracle(project, result.reads, ran)
    wrong += same_behaviour(ran, runner.run(after, project))
    if figures is not None:
        figures.add(result.reads, ran)
    return wrong


# -- decisions ------------------------------------------------------------------------


def decisions(project: Project, reads: tuple[Read, ...]) -> list[str]:
    """Reads that scan decides otherwise than the rules, misses, or makes up."""
    wrong = []
    there = {(read.file, read.line, read.column): read for read in reads}
    for number, place in project.placed.items():
        site = project.sites[number]
        read = there.get(place)
        where = ":".join(map(str, place))
        if site.decision == "escape":
            continue
        if site.decision == "unlisted":
            if read is not None:
                wrong.append(f"listed: {where} {read.text} ({read.reason})")
                del there[place]
            continue
        if read is None:
            wrong.append(
                f"missed: {where} {site.field} should be {site.decision} {site.reason}"
            )
            continue
        del there[place]
        found = (read.decision, read.reason, read.field, read.via)
        wanted = (site.decision, site.reason, site.field, site.via)
        if found != wanted:
            wrong.append(f"decided: {where} {read.text!r} is {found}, not {wanted}")
        if site.path != read.function:
            wrong.append(f"function: {where} is {read.function}, not {site.path}")
        if site.form and site.form != read.form:
            wrong.append(f"form: {where} {read.text!r} is {read.form}, not {site.form}")
    generated = {path for path, _, _ in project.placed.values()}
    for (path, line, column), read in there.items():
        if path in generated:
            wrong.append(f"made up: {path}:{line}:{column} {read.text} {read.reason}")
    return wrong


def escapes(project: Project, result: api.ScanResult) -> list[str]:
    """Places where the record is taken whole and scan does not say so."""
    listed = {(use.file, use.line) for use in result.uses}
    return [
        f"use missed: {path}:{line}"
        for number, (path, line, _) in project.placed.items()
        if project.sites[number].decision == "escape" and (path, line) not in listed
    ]


def oracle(project: Project, reads: tuple[Read, ...], ran: Ran) -> list[str]:
    """Reads that happened and that scan neither lists nor has a reason not to see."""
    ends = {(read.file, *_end(read)) for read in reads}
    by_line = {
        (read.file, line, read.field)
        for read in reads
        for line in range(read.line, _end(read)[0] + 1)
    }
    unlisted = {
        (path, line + more, project.sites[number].field)
        for number, (path, line, _) in project.placed.items()
        if project.sites[number].decision == "unlisted"
        for more in range(_LONGEST)
    }
    in_fstrings = {
        (project.placed[site.number][0], site.field)
        for site in project.sites
        if site.in_fstring and site.number in project.placed
    }
    wrong = []
    for path, line, end_line, end_column, name in ran.reads:
        if (path, end_line, end_column) in ends or (path, line, name) in unlisted:
            continue
        if not end_column and (path, line, name) in by_line:
            continue
        if sys.version_info < (3, 12) and (path, name) in in_fstrings:
            continue
        wrong.append(
            f"read unseen: {path}:{line} {name} (ends {end_line}:{end_column})"
        )
    return wrong


def _end(read: Read) -> tuple[int, int]:
    """Line and column just after the text of a read."""
    lines = read.text.split("\n")
    if len(lines) == 1:
        return read.line, read.column + len(read.text)
    return read.line + len(lines) - 1, len(lines[-1]) + 1


# -- the rewritten text ---------------------------------------------------------------


def compiles(path: str, text: str) -> list[str]:
    """Whether a rewritten file is Python."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(text, path, "exec", dont_inherit=True)
    except SyntaxError as error:
        return [f"does not compile: {path}: {error}"]
    return []


def nothing_left(root: Path) -> list[str]:
    """What a second run would still do."""
    again = api.plan(root, options=OPTIONS)
    wrong = [
        f"converts again: {read.file}:{read.line} {read.text}"
        for read in again.analysis.result.reads
        if read.decision == "convert"
    ]
    wrong += [f"changes again: {change.path}" for change in again.changes]
    return wrong


_IMPORT = re.compile(r"\s*(from\s+\S+\s+import\s+.+|import\s+.+|[\w ,]+|\))\s*$")
_BINDING = re.compile(
    r"^\s*[(\[]*\w+\)*\s*(:[^=]+)?:?=|^\s*\w+: object$|^\s*if \(\w+ :=|^\s*try:|^\s*#"
)

#: ``f"{x=}"`` prints its own text, which a rewrite has to spell out.
_SHOWS_ITSELF = re.compile(r"(^|[^=!<>])=( ?\}| ?![rsa]|:>)")


def lines_changed(path: str, old: str, new: str, reads: list[Read]) -> list[str]:
    """Lines that changed though nothing planned touches them.

    The replacement texts that scan gives are put in by hand; what the rewrite made may
    differ from that only in import lines and in bindings that are no longer read.
    """
    plain = replaced(old, [r for r in reads if r.decision == "convert"])
    plain, new = plain.replace("\r\n", "\n"), new.replace("\r\n", "\n")
    wrong = []
    matcher = difflib.SequenceMatcher(
        None, plain.split("\n"), new.split("\n"), autojunk=False
    )
    for tag, a, b, c, d in matcher.get_opcodes():
        if tag == "equal":
            continue
        gone, come = plain.split("\n")[a:b], new.split("\n")[c:d]
        if any(_SHOWS_ITSELF.search(line) for line in gone):
            continue
        if _one_line_block(gone, come):
            continue
        if _binds_only(gone) and all(_is_left_over(line) for line in come):
            continue
        bad = [line for line in come if line.strip() and not _may_come(line, gone)]
        bad += [f"-{line}" for line in gone if line.strip() and not _may_go(line, come)]
        if bad:
            wrong.append(f"changed: {path}:{a + 1} {gone!r} became {come!r}")
    return wrong


def _binds_only(lines: list[str]) -> bool:
    """Whether lines are whole statements that bind names and do nothing else."""
    text = "\n".join(lines)
    for plain in (textwrap.dedent(text), text.lstrip()):
        try:
            body = ast.parse(plain).body
        except SyntaxError:
            continue
        return all(isinstance(each, (ast.Assign, ast.AnnAssign)) for each in body)
    return False


def _one_line_block(gone: list[str], come: list[str]) -> bool:
    """Whether a binding in a block of one line made way for ``pass``."""
    return len(gone) == len(come) == 1 and bool(
        come[0].endswith(": pass")
        and gone[0].startswith(come[0].removesuffix("pass"))
        and _binds_only([gone[0].removeprefix(come[0].removesuffix("pass"))])
    )


def _is_left_over(line: str) -> bool:
    """Whether a line is what a removed statement may leave."""
    return bool(re.fullmatch(r"\s*(#.*|pass)?|\s*from \S+ import .*", line))


def _may_come(line: str, gone: list[str]) -> bool:
    if re.search(r"^\s*pass$|: pass$", line) or _IMPORT.match(line):
        return True
    # A statement that lost a binding is what it was without it.
    bare = "".join(line.split())
    return any(_is_within(bare, "".join(other.split())) for other in gone)


def _may_go(line: str, come: list[str]) -> bool:
    return bool(_IMPORT.match(line) or _BINDING.match(line) or "f'" in line) or any(
        _is_within("".join(other.split()), "".join(line.split())) for other in come
    )


def _is_within(part: str, whole: str) -> bool:
    """Whether ``part`` is ``whole`` with some characters left out."""
    rest = iter(whole)
    return all(character in rest for character in part)


def replaced(text: str, reads: list[Read]) -> str:
    """The text with each read's own text replaced as the scan says."""
    lines = text.split("\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    found = []
    for read in reads:
        at = starts[read.line - 1] + read.column - 1
        assert text[at : at + len(read.text)] == read.text, read
        found.append((at, at + len(read.text), read.replacement or ""))
    # A read in the default of another is replaced in what that one becomes.
    found.sort(key=lambda each: (-each[0], each[1]))
    outermost: list[tuple[int, int, str]] = []
    for start, end, new in found:
        while outermost and outermost[-1][0] < end:
            inner_start, inner_end, inner_new = outermost.pop()
            new = new.replace(text[inner_start:inner_end], inner_new, 1)
        outermost.append((start, end, new))
    for start, end, new in outermost:
        text = text[:start] + new + text[end:]
    return text


# -- behaviour ------------------------------------------------------------------------


def same_behaviour(before: Ran, after: Ran) -> list[str]:
    """Steps that show something else, or end in another way, after the migration."""
    wrong = []
    for old, new in zip(before.steps, after.steps):
        if old["ended"] != new["ended"]:
            wrong.append(
                f"ends differently: {old['step']}: {old['ended']} ({old['said']}), "
                f"then {new['ended']} ({new['said']})"
            )
        elif old["shown"] != new["shown"] and not old["ended"].startswith("raised"):
            differ = [(a, b) for a, b in zip(old["shown"], new["shown"]) if a != b]
            wrong.append(f"shows something else: {old['step']}: {differ[:2]}")
    for old, new in zip(before.early, after.early):
        if isinstance(old, str) or isinstance(new, str):
            wrong.append(f"{old} {new}")
        elif old["ended"] == "raised ValueError":
            # The binding that failed may be gone: then no accessor may have been asked.
            if new["ended"] != old["ended"] and new["asked"]:
                wrong.append(
                    f"early: {old['step']}: {old['ended']}, then {new['ended']}"
                    f" ({new['said']})"
                )
        elif (old["ended"], old["shown"]) != (new["ended"], new["shown"]):
            differ = [(a, b) for a, b in zip(old["shown"], new["shown"]) if a != b]
            wrong.append(
                f"early: {old['step']}: {old['ended']}, then {new['ended']}"
                f" {differ[:2]}"
            )
    return wrong
