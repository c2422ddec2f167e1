"""The text of a source file, and back to the very bytes it came from.

The rules are Python's: lexical analysis 2.1.4 and PEP 263. Nothing is translated:
newlines of every kind, form feeds, tabs and a missing last newline stay in the text.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from pathlib import Path

from codemod.model import Problem

_COOKIE = re.compile(rb"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")
_BLANK = re.compile(rb"^[ \t\f]*(?:#|$)")
_NEWLINE = re.compile(rb"\r\n|\r|\n")


@dataclass(frozen=True, slots=True)
class Text:
    """The characters of a file, and how they were bytes.

    ``encoding`` is a codec name; ``bom`` says that a UTF-8 byte order mark, which is
    not part of ``text``, stood at the start.
    """

    text: str
    encoding: str = "utf-8"
    bom: bool = False


def read_text(root: Path, path: str) -> Text | Problem:
    """The text of ``root / path``, or why it cannot be had."""
    try:
        data = (root / path).read_bytes()
    except FileNotFoundError:
        return Problem(path, 0, "the file is gone: it was there when files were listed")
    except IsADirectoryError:
        return Problem(path, 0, "is a directory, not a source file")
    except OSError as error:
        return Problem(path, 0, f"cannot be read: {error.strerror or error}")
    return decode(data, path)


def decode(data: bytes, path: str) -> Text | Problem:
    """The text of ``data`` by its declared encoding, or the line that forbids it.

    ``encode(decode(data, path).text, like=that)`` is ``data`` again, always: an
    encoding that cannot promise it (a stateful one) is a problem.
    """
    bom = data.startswith(codecs.BOM_UTF8)
    body = data[len(codecs.BOM_UTF8) :] if bom else data
    # Lines 1 and 2 only, so a far longer slice than any cookie needs is not scanned.
    cookie, line = _cookie(body)
    encoding = "utf-8" if cookie is None else _normal_name(cookie)
    if bom and encoding != "utf-8":
        message = f"declares {cookie} but starts with a UTF-8 byte order mark"
        return Problem(path, line, message)
    try:
        text = body.decode(encoding)
        if encoding != "utf-8" and text.encode(encoding) != body:
            message = f"cannot be written back byte for byte in {cookie}"
            return Problem(path, line, message)
    except LookupError:
        return Problem(path, line, f"declares an unknown encoding: {cookie}")
    except UnicodeDecodeError as error:
        bad = body[error.start : error.start + 1].hex()
        message = (
            f"is not {encoding}: byte 0x{bad} cannot be decoded; "
            "declare the encoding in a comment on line 1 (PEP 263) or re-save the file"
        )
        return Problem(path, _line_of(body, error.start), message)
    except Exception as error:  # codecs may raise anything of their own
        return Problem(path, line, f"cannot be decoded as {cookie}: {error}")
    nul = text.find("\0")
    if nul >= 0:
        line = len(re.findall(r"\r\n|\r|\n", text[:nul])) + 1
        return Problem(path, line, "holds a NUL byte, which Python source may not")
    return Text(text, encoding, bom)


def encode(text: str, like: Text) -> bytes:
    """``text`` as bytes, in the encoding and with the byte order mark of ``like``.

    Raises UnicodeEncodeError for a character that the encoding does not have.
    """
    data = text.encode(like.encoding)
    return codecs.BOM_UTF8 + data if like.bom else data


def _cookie(body: bytes) -> tuple[str | None, int]:
    """The declared encoding and its line; the second line counts after a blank one."""
    start = 0
    for line in (1, 2):
        newline = _NEWLINE.search(body, start)
        row = body[start : newline.start() if newline else len(body)]
        if b"coding" in row:
            match = _COOKIE.match(row)
            if match:
                return match.group(1).decode("ascii", "replace"), line
        if newline is None or not _BLANK.match(row):
            return None, 1
        start = newline.end()
    return None, 1


def _normal_name(cookie: str) -> str:
    """As CPython normalises it: variants of UTF-8 are UTF-8, of Latin-1 Latin-1."""
    name = cookie[:12].lower().replace("_", "-")
    if name == "utf-8" or name.startswith("utf-8-"):
        return "utf-8"
    for latin in ("latin-1", "iso-8859-1", "iso-latin-1"):
        if name == latin or name.startswith(latin + "-"):
            return "iso-8859-1"
    return cookie


def _line_of(body: bytes, offset: int) -> int:
    return len(_NEWLINE.findall(body, 0, offset)) + 1
