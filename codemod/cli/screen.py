"""Where results and messages go, in colour or not, and how wide.

Results go to stdout and messages to stderr. Nothing that stands in somebody's source
reaches a terminal unescaped, and a reader that goes away (``| head``) is not an error.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Iterable
from typing import IO, Literal

When = Literal["auto", "always", "never"]

#: No limit: what is piped is not cut to anybody's window.
UNLIMITED = 100_000
#: Prose is folded here even in a wide window.
_READABLE = 100

# C0 and C1 controls, and the characters that reorder or hide the text around them
# (Unicode TR 36 on bidirectional spoofing; lone surrogates cannot be printed at all).
_UNSAFE = re.compile(
    "[\x00-\x08\x0a-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff"
    "\ud800-\udfff]"
)

# The same but for the ends of our own lines and the colours that ``paint`` gives.
_STRAY = re.compile(f"(\x1b\\[[0-9;]*m|\n)|{_UNSAFE.pattern}")

_BEFORE_DOT = re.compile(r"\s*[\r\n]\s*(?=\.)")
_LINE_END = re.compile(r"\s*[\r\n]\s*")

_CODES = {
    "bold": "1",
    "dim": "2",
    "red": "31",
    "green": "32",
    "yellow": "33",
    "blue": "34",
    "magenta": "35",
    "cyan": "36",
}


def safe(text: str) -> str:
    """``text`` with control characters and invisible ones as ``\\x1b`` or ``\\u202e``.

    Tabs stay; a line end is escaped like any other, as this is for one line.
    """
    return _UNSAFE.sub(_escape, text)


def _guarded(text: str) -> str:
    """Lines as they may go out: what nobody has made ``safe`` before is made so."""
    return _STRAY.sub(lambda match: match[1] or _escape(match), text)


def _escape(match: re.Match[str]) -> str:
    number = ord(match[0])
    return f"\\x{number:02x}" if number < 0x100 else f"\\u{number:04x}"


def one_line(text: str) -> str:
    """An expression's source on one line, without the comments of the lines it had."""
    if "\n" in text or "\r" in text:
        text = _LINE_END.sub(" ", _BEFORE_DOT.sub("", _without_comments(text)))
    return safe(text.replace("\t", " "))


def _without_comments(text: str) -> str:
    if "#" not in text:
        return text
    import io
    import tokenize

    lines = io.StringIO(text, newline="").readlines()
    try:
        # In brackets, so that line ends are only white space.
        tokens = tokenize.generate_tokens(iter(["(", *lines, ")"]).__next__)
        for token in tokens:
            if token.type == tokenize.COMMENT:
                number, column = token.start
                line = lines[number - 2]
                lines[number - 2] = line[:column] + line[token.end[1] :]
    except (tokenize.TokenError, SyntaxError, StopIteration):
        return text
    return "".join(lines)


def fold(screen: Screen, text: str, width: int | None = None, **marked: str) -> str:
    """Prose in lines that fit the window, or ``width``; as it is in a pipe.

    ``marked`` are styles and the part of the text that has each.
    """
    if screen.terminal:
        text = _filled(text, screen.width if width is None else width)
    for style, part in marked.items():
        text = text.replace(part, screen.paint(part, style))
    return text


def _filled(text: str, width: int) -> str:
    import textwrap

    return textwrap.fill(
        text,
        min(width, _READABLE),
        break_long_words=False,
        break_on_hyphens=False,
    )


def cut(text: str, width: int) -> str:
    """``text`` in at most ``width`` characters, with ``…`` where it was cut."""
    if len(text) <= width:
        return text
    return text[: max(width - 1, 0)] + "…"


def count(number: int, noun: str, plural: str = "") -> str:
    """``1 read``, ``1,204 reads``."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


class Screen:
    """The two streams of one run.

    ``width`` is the columns of stdout, ``UNLIMITED`` when it is no terminal.
    """

    def __init__(self, color: When = "auto", quiet: bool = False) -> None:
        self.quiet = quiet
        self.terminal = _is_terminal(sys.stdout)
        self.color = _wants_color(color, sys.stdout)
        self.error_color = _wants_color(color, sys.stderr)
        self.width = shutil.get_terminal_size().columns if self.terminal else UNLIMITED

    def paint(self, text: str, *styles: str) -> str:
        """``text`` for stdout in the given styles, or as it is without colour."""
        return _painted(text, styles) if self.color else text

    def line(self, text: str = "") -> None:
        """One line of the result."""
        self.lines((text,))

    def lines(self, lines: Iterable[str]) -> None:
        """Lines of the result, in one write."""
        text = _guarded("".join(f"{line}\n" for line in lines))
        encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
        self.data(text.encode(encoding, "backslashreplace"))

    def data(self, data: bytes) -> None:
        """Bytes of the result, as they are."""
        try:
            sys.stdout.flush()
            sys.stdout.buffer.write(data)
            sys.stdout.buffer.flush()
        except BrokenPipeError:
            _stop_writing(sys.stdout)

    def note(self, text: str) -> None:
        """A message that ``--quiet`` leaves out."""
        if not self.quiet:
            self._say(self._folded(text))

    def warn(self, text: str) -> None:
        """Something that may be a slip and stops nothing; ``--quiet`` leaves it out."""
        if not self.quiet:
            self._say(self._labelled("warning", "yellow", text))

    def error(self, text: str, hint: str = "") -> None:
        """Something that went wrong, and what to do about it."""
        self._say(self._labelled("error", "red", text))
        if hint:
            self._say(self._labelled("hint", "cyan", hint))

    def _labelled(self, label: str, style: str, text: str) -> str:
        prefix = f"{label}:"
        shown = self._folded(f"{prefix} {safe(text)}").removeprefix(prefix)
        return (
            _painted(prefix, (style, "bold")) if self.error_color else prefix
        ) + shown

    def _folded(self, text: str) -> str:
        """A message in the lines of stderr's window."""
        if not _is_terminal(sys.stderr):
            return text
        return _filled(text, shutil.get_terminal_size().columns)

    def _say(self, text: str) -> None:
        encoding = getattr(sys.stderr, "encoding", None) or "utf-8"
        printable = _guarded(text).encode(encoding, "backslashreplace").decode(encoding)
        try:
            sys.stderr.write(f"{printable}\n")
            sys.stderr.flush()
        except BrokenPipeError:
            _stop_writing(sys.stderr)


def _is_terminal(stream: IO[str]) -> bool:
    try:
        return stream.isatty()
    except ValueError:  # closed
        return False


def _wants_color(when: When, stream: IO[str]) -> bool:
    """The option, else ``NO_COLOR`` (no-color.org), ``FORCE_COLOR``, the terminal."""
    if when != "auto":
        return when == "always"
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return os.environ.get("TERM") != "dumb" and _is_terminal(stream)


def _painted(text: str, styles: Iterable[str]) -> str:
    codes = ";".join(_CODES[style] for style in styles)
    return f"\x1b[{codes}m{text}\x1b[0m" if codes and text else text


def _stop_writing(stream: IO[str]) -> None:
    """Nobody reads any more: go on, silently, so that the work is finished.

    The descriptor is replaced, as the interpreter flushes the stream once more when it
    exits (Python documentation, ``signal``, "Note on SIGPIPE").
    """
    void = os.open(os.devnull, os.O_WRONLY)
    os.dup2(void, stream.fileno())
    os.close(void)
