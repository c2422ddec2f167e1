"""Reading a TOML file, with its mistakes as pack errors."""

from __future__ import annotations

from pathlib import Path

from codemod.packs.errors import PackError
from codemod.project.toml import TOMLDecodeError


def read_toml(path: Path) -> str:
    """The text of a TOML file, which is UTF-8 by definition."""
    try:
        return path.read_bytes().decode("utf-8").replace("\r\n", "\n")
    except OSError as error:
        problem = f"cannot be read: {error.strerror or error}"
        raise PackError(str(path), 0, "", problem) from None
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise PackError(str(path), line, "", "is not UTF-8, as TOML must be") from None


def syntax_error(path: Path, text: str, error: TOMLDecodeError) -> PackError:
    """The TOML reader's complaint with its line, which the reader gives in words."""
    import re

    message = str(error)
    found = re.search(r" \(at line (\d+), column (\d+)\)", message)
    line = int(found.group(1)) if found else text.count("\n") + 1
    message = re.sub(r" \(at (?:line \d+, column \d+|end of document)\)", "", message)
    return PackError(str(path), line, "", f"is not valid TOML: {message}")
