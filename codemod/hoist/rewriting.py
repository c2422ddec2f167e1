"""One file's text with local imports hoisted.

New lines and the comments that go along are put into the text first, by line; then
``codemod.rewrite`` takes the local names away and joins names to imports that are
there. Everything else stays byte for byte.
"""

from __future__ import annotations

import io
import tokenize
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from codemod.hoist.facts import FileImports, Imported, LocalImport, ModuleImport
from codemod.hoist.new_lines import NewImport, put_new_imports
from codemod.hoist.placement import present, spelled
from codemod.hoist.remarks import above, remark, says_cycle, speaks_of_import
from codemod.hoist.textlines import lines_of, lines_with_ends, newline_of
from codemod.hoist.typing_blocks import without_emptied_blocks
from codemod.hoist.units import Insert
from codemod.model import Anchor
from codemod.plan import AddImport, Edit, FilePlan, RemoveImportName
from codemod.rewrite import DEFAULT_STYLE, Rewritten, Style, rewrite
from codemod.rewrite.comments import is_pragma


@dataclass(frozen=True, slots=True)
class FileHoists:
    """What moves in one file: names of local imports, and what they become."""

    file: FileImports
    sites: tuple[LocalImport, ...]
    inserts: tuple[Insert, ...]


@dataclass
class _Lines:
    """Changes of a text by line: what goes, what is cut, what comes after a line."""

    gone: set[int] = field(default_factory=set)
    cut: dict[int, int] = field(default_factory=dict)
    after: defaultdict[int, list[str]] = field(
        default_factory=lambda: defaultdict(list)
    )


def hoisted(text: str, hoists: FileHoists, style: Style = DEFAULT_STYLE) -> Rewritten:
    """``text`` with ``hoists`` done; raises RewriteError when that cannot be."""
    file = hoists.file
    changes = _Lines()
    notes: list[str] = []
    comments = _comments_taken(text, hoists, changes, notes)
    new = _new_imports(hoists)
    edits: list[Edit] = []
    for insert in hoists.inserts:
        if insert.place.join >= 0:
            imported = insert.imported
            edits.append(
                AddImport(imported.module, imported.name, imported.asname or None)
            )
    targets = {statement.ordinal: statement for statement in file.imports}
    for imported, taken in comments.items():
        statement = _statement_for(imported, hoists, targets)
        if statement is not None:
            changes.after[statement.line - 1] += taken
    for item in new:
        item.comments = [c for i in item.names for c in comments.get(i, ())]
    shifts = put_new_imports(text, file, new, style.line_length, changes.after)
    edits += _removals(hoists, shifts)
    plan = FilePlan(file.path, file.module, file.is_package, tuple(edits))
    written = rewrite(_applied(text, changes), plan, style)
    notes += written.notes
    if not any(statement.where == "typing" for statement in file.imports):
        return Rewritten(written.text, tuple(notes))
    where = (file.path, file.module, file.is_package)
    cleaned = without_emptied_blocks(text, written.text, *where, style)
    return Rewritten(cleaned, tuple(notes))


def _new_imports(hoists: FileHoists) -> list[NewImport]:
    """New statements: the names of one module at one place share one."""
    found: dict[tuple[object, ...], NewImport] = {}
    for insert in hoists.inserts:
        if insert.place.join >= 0:
            continue
        imported = insert.imported
        module = spelled(imported, hoists.file)
        key: tuple[object, ...] = (module, insert.place)
        if not imported.name:
            key = (imported.module, imported.asname, insert.place)
        item = found.setdefault(key, NewImport(module, insert.place))
        if imported not in item.names:
            item.names.append(imported)
    return list(found.values())


def _statement_for(
    imported: Imported, hoists: FileHoists, targets: Mapping[int, ModuleImport]
) -> ModuleImport | None:
    """The statement at module level that ``imported`` joins or is in already."""
    for insert in hoists.inserts:
        if insert.imported == imported and insert.place.join >= 0:
            return targets[insert.place.join]
    if any(insert.imported == imported for insert in hoists.inserts):
        return None
    return present(imported, hoists.file)


def _removals(hoists: FileHoists, shifts: Sequence[int]) -> Iterator[Edit]:
    """The local names that go; ``shifts`` are the lines that new imports came after."""

    def anchor(ordinal: int, line: int) -> Anchor:
        return Anchor("import", ordinal + sum(shift < line for shift in shifts))

    for site in hoists.sites:
        yield RemoveImportName(anchor(site.ordinal, site.line), site.bound)
    inserted = [insert.imported for insert in hoists.inserts]
    for statement in hoists.file.imports:
        if statement.where != "typing":
            continue
        for other in statement.names:
            if any(other.same_object(imported) for imported in inserted):
                place = anchor(statement.ordinal, statement.line)
                yield RemoveImportName(place, other.bound)


def _applied(text: str, changes: _Lines) -> str:
    out: list[str] = list(changes.after.get(0, ()))
    for number, line in enumerate(lines_with_ends(text), 1):
        if number not in changes.gone:
            if number in changes.cut:
                ending = line[len(line.rstrip("\r\n")) :]
                line = line[: changes.cut[number]].rstrip() + ending
            out.append(line)
        added = changes.after.get(number, ())
        if added and out and not out[-1].endswith(("\n", "\r")):
            out[-1] += "\n"
        out += added
    return "".join(out)


def _comments_taken(
    text: str, hoists: FileHoists, changes: _Lines, notes: list[str]
) -> dict[Imported, list[str]]:
    """Take the comments of statements that go as a whole out of the text.

    They are those on its lines, and those right above it that speak of the import. For
    good go comments for tools, such as ``# noqa: PLC0415``, and those that say that the
    import avoids a cycle, which is not true where it is hoisted: ``notes`` has them.
    """
    if "#" not in text:
        return {}
    newline = newline_of(text)
    by_line = _comments(text)
    lines = lines_of(text)
    leaving = [
        site
        for site in _leaving_statements(hoists)
        if _has_own_lines(site, lines, by_line)
    ]
    found: dict[Imported, list[str]] = {}
    for site in leaving:
        taken: list[str] = []
        said = remark(lines, site.line, site.end_line)
        first = site.line
        # The comment above speaks of what follows, unless it speaks of the import.
        if speaks_of_import(remark(lines, site.line, 0)):
            first = above(lines, site.line)
        if says_cycle(said):
            notes.append(f"line {site.line}: the comment {said!r} goes; it is no cycle")
        for number in range(first, site.end_line + 1):
            if number not in by_line or number in changes.gone:
                continue
            column, comment = by_line[number]
            if lines[number - 1][:column].strip():
                changes.cut[number] = column
            else:
                changes.gone.add(number)
            if not is_pragma(comment) and not says_cycle(said):
                taken.append(comment + newline)
        if taken:
            known = found.setdefault(site.imported, [])
            known += [line for line in taken if line not in known]
    return found


def _leaving_statements(hoists: FileHoists) -> Iterator[LocalImport]:
    """The first name of each statement that goes as a whole and has its own lines."""
    every: dict[int, int] = defaultdict(int)
    going: dict[int, list[LocalImport]] = defaultdict(list)
    for site in hoists.file.sites:
        every[site.ordinal] += 1
    for site in hoists.sites:
        going[site.ordinal].append(site)
    by_line: dict[int, int] = defaultdict(int)
    for sites in going.values():
        by_line[sites[0].line] += 1
    for ordinal, sites in sorted(going.items()):
        if len(sites) == every[ordinal] and by_line[sites[0].line] == 1:
            yield sites[0]


def _has_own_lines(
    site: LocalImport, lines: Sequence[str], comments: Mapping[int, tuple[int, str]]
) -> bool:
    """Whether no other code is on the lines of a statement."""
    before = lines[site.line - 1][: site.column - 1]
    end = comments.get(site.end_line, (None, ""))[0]
    return not before.strip() and ";" not in lines[site.end_line - 1][:end]


def _comments(text: str) -> dict[int, tuple[int, str]]:
    """Line → column and text of each comment."""
    found: dict[int, tuple[int, str]] = {}
    reader = io.StringIO(text, newline="").readline
    try:
        for token in tokenize.generate_tokens(reader):
            if token.type == tokenize.COMMENT:
                found[token.start[0]] = (token.start[1], token.string.rstrip())
    except (tokenize.TokenError, SyntaxError):
        return {}
    return found
