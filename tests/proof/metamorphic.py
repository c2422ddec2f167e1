"""The same project, written in another way: every decision has to stay as it was.

Each writer here gives a project with the same sites at other places. Reordered pieces
and renamed names are checked for their decisions only, not run.
"""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Callable
from dataclasses import replace

from tests.proof.programs.build import PLAIN, Project, Style, Written, place
from tests.proof.programs.marks import strip
from tests.proof.programs.model import Lines

Rewriter = Callable[[Project], Project]


def _written(project: Project, change: Callable[[Written], str]) -> Project:
    """The project with the text of every generated module made anew."""
    texts, placed = place({each.path: change(each) for each in project.modules})
    return replace(project, files={**project.files, **texts}, placed=placed)


def renamed_locals(project: Project) -> Project:
    """Every local name that no path or stash shows, under another one."""
    names = re.compile(r"\b(sa|args|cfg|c|v|w|q|i|m|set)_(\d+)\b")
    paths = re.compile(r"\bdef (m|set)_(\d+)")

    def change(module: Written) -> str:
        text = module.text(PLAIN)
        kept = {f"{a}_{b}" for a, b in paths.findall(text)}

        def new(match: re.Match[str]) -> str:
            old = match.group(0)
            return old if old in kept else f"renamed_{old}"

        return names.sub(new, text)

    return _written(project, change)


def reordered(project: Project) -> Project:
    """The pieces of every module, the last one first."""
    return _written(
        project,
        lambda m: replace(m, pieces=list(reversed(m.pieces))).text(PLAIN),
    )


def wrapped_pieces(project: Project) -> Project:
    """Every piece under ``if True:``."""

    def change(module: Written) -> str:
        pieces: list[Lines] = [["if True:", piece] for piece in module.pieces]
        return replace(module, pieces=pieces).text(PLAIN)

    return _written(project, change)


def wrapped_bodies(project: Project) -> Project:
    """Every function's body under ``if True:``, where that binds nothing otherwise."""

    def wrap(lines: Lines) -> Lines:
        found: Lines = []
        for line in lines:
            if not isinstance(line, list):
                found.append(line)
                continue
            inner = wrap(line)
            above = str(found[-1]) if found else ""
            plain = not any(
                isinstance(each, str)
                and each.startswith(("from app.context", "import"))
                for each in inner
            )
            if above.lstrip().startswith(("def ", "async def ")) and plain:
                inner = ["if True:", inner]
            found.append(inner)
        return found

    def change(module: Written) -> str:
        return replace(module, pieces=[wrap(p) for p in module.pieces]).text(PLAIN)

    return _written(project, change)


def tabs(project: Project) -> Project:
    """Indented with tabs."""
    return _written(project, lambda m: m.text(Style("\t")))


def narrow(project: Project) -> Project:
    """Indented with single spaces."""
    return _written(project, lambda m: m.text(Style(" ")))


def more_code(project: Project) -> Project:
    """Code that has nothing to do with anything, before and after."""
    before = ["UNRELATED = {'alpha': 1}.get('alpha')"]
    after = [
        "class Unrelated:",
        ["alpha = 1", "def server(self):", ["return self.alpha"]],
        "def unrelated(alpha=1):",
        ["sa = alpha", "return [sa for sa in range(alpha)]"],
    ]

    def change(module: Written) -> str:
        return replace(module, pieces=[before, *module.pieces, after]).text(PLAIN)

    return _written(project, change)


# -- changes of the plain text -------------------------------------------------------


def commented(project: Project) -> Project:
    """A comment at the end of every statement that has none."""

    def change(text: str) -> str:
        lines = text.split("\n")
        has_comment = {t.start[0] for t in _tokens(text) if t.type == tokenize.COMMENT}
        for token in _tokens(text):
            row, column = token.start
            if token.type == tokenize.NEWLINE and row not in has_comment:
                lines[row - 1] = (
                    f"{lines[row - 1][:column]}  # a note: get_args().alpha"
                )
        return "\n".join(lines)

    return _edited(project, change)


def other_quotes(project: Project) -> Project:
    """Plain strings in the other kind of quotes."""

    def change(text: str) -> str:
        lines = text.split("\n")
        for token in _tokens(text):
            string = token.string
            if token.type != tokenize.STRING or token.start[0] != token.end[0]:
                continue
            if not re.fullmatch(r"'[\w .-]*'|\"[\w .-]*\"", string):
                continue
            row, first, last = token.start[0] - 1, token.start[1], token.end[1]
            quote = "'" if string[0] == '"' else '"'
            line = lines[row]
            lines[row] = f"{line[:first]}{quote}{string[1:-1]}{quote}{line[last:]}"
        return "\n".join(lines)

    return _edited(project, change)


def crlf(project: Project) -> Project:
    """Windows line ends."""
    return _edited(project, lambda text: text.replace("\n", "\r\n"))


def no_last_newline(project: Project) -> Project:
    """No line end at the end of the file."""
    return _edited(project, lambda text: text.rstrip("\n"))


def marked_order(project: Project) -> Project:
    """A byte order mark before everything."""
    return _edited(project, lambda text: "\ufeff" + text)


def _edited(project: Project, change: Callable[[str], str]) -> Project:
    """The project with its generated texts edited without moving any site."""
    files = dict(project.files)
    for each in project.modules:
        files[each.path] = change(strip(each.text(PLAIN))[0])
    return replace(project, files=files)


def _tokens(text: str) -> list[tokenize.TokenInfo]:
    return list(tokenize.generate_tokens(io.StringIO(text).readline))


REWRITERS: tuple[Rewriter, ...] = (
    renamed_locals,
    reordered,
    wrapped_pieces,
    wrapped_bodies,
    tabs,
    narrow,
    more_code,
    commented,
    other_quotes,
    crlf,
    no_last_newline,
    marked_order,
)
