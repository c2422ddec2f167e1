"""A series as files that ``git am`` takes, with a letter in front of it.

``git format-patch`` writes them. It leaves one thing to be done: mail has no carriage
returns of its own, and ``git am`` drops them, so that a patch of a file with CRLF would
not apply. Such a patch is sent as quoted-printable (RFC 2045, 6.7), where they survive.
"""

from __future__ import annotations

import binascii
import os
import re
import shutil
import tempfile
from pathlib import Path

from codemod.delivery.commits import Aside, Made
from codemod.delivery.repository import Identity

#: No ``.patch``, since ``git am *.patch`` would stop at a letter without a patch.
COVER = "0000-cover-letter.txt"

_OPTIONS = (
    *("--quiet", "--numbered", "--cover-letter", "--binary", "--full-index"),
    *("--no-renames", "--no-color", "--no-ext-diff", "--no-textconv"),
    *("--no-signature", "--diff-algorithm=myers", "--unified=3", "--stat=72"),
    *("--src-prefix=a/", "--dst-prefix=b/", "--no-thread", "--suffix=.patch"),
)

_ENCODING = re.compile(
    rb"^(?:MIME-Version|Content-Type|Content-Transfer-Encoding):.*\n(?:[ \t].*\n)*",
    re.MULTILINE,
)
_MIME = (
    b"MIME-Version: 1.0\n"
    b"Content-Type: text/plain; charset=UTF-8\n"
    b"Content-Transfer-Encoding: %b\n"
)


def folder_problem(folder: Path) -> str | None:
    """Why patches cannot be put there; None when they can."""
    if not folder.exists():
        return None
    if not folder.is_dir():
        return f"{folder} is not a folder"
    if any(folder.iterdir()):
        return f"{folder} is not empty: name a new or an empty folder"
    return None


def write_patches(
    place: Aside,
    made: Made,
    identity: Identity,
    folder: Path,
    subject: str,
    letter: str,
) -> list[Path]:
    """Write the series to ``folder``, all of it or nothing; the files in order.

    The first is the letter. Raises OSError when the folder cannot be written.
    """
    target = folder.resolve()
    target.parent.mkdir(parents=True, exist_ok=True)
    built = Path(tempfile.mkdtemp(prefix=".nsroute-", dir=target.parent))
    try:
        place.plain_git(
            "format-patch",
            *_OPTIONS,
            f"--output-directory={built}",
            f"{made.base}..{made.tip}",
            identity=identity,
        )
        for path in sorted(built.iterdir()):
            data = path.read_bytes()
            if path.name.startswith("0000-"):
                path.unlink()
                (built / COVER).write_bytes(_cover(data, subject, letter))
            else:
                path.write_bytes(mailed(data))
        umask = os.umask(0)
        os.umask(umask)
        built.chmod(0o777 & ~umask)
        built.replace(target)
    except BaseException:
        shutil.rmtree(built, ignore_errors=True)
        raise
    return sorted(target.iterdir())


def mailed(patch: bytes) -> bytes:
    """A patch that arrives as it was sent: quoted-printable where a CR is in it."""
    head, _, body = patch.partition(b"\n\n")
    if b"\r" not in body:
        return patch
    head = _ENCODING.sub(b"", head + b"\n")
    lines = [
        binascii.b2a_qp(line, quotetabs=False, istext=False)
        for line in body.split(b"\n")
    ]
    return head + _MIME % b"quoted-printable" + b"\n" + b"\n".join(lines)


def _cover(data: bytes, subject: str, letter: str) -> bytes:
    from email.header import Header

    shown = Header(" ".join(subject.split()), "utf-8", 900).encode(linesep="\n")
    if subject.isascii():
        shown = " ".join(subject.split())
    data = data.replace(b"*** SUBJECT HERE ***", shown.encode(), 1)
    blurb = letter.encode("utf-8", "backslashreplace").strip(b"\n")
    data = data.replace(b"*** BLURB HERE ***", blurb, 1)
    head, _, body = data.partition(b"\n\n")
    head = _ENCODING.sub(b"", head + b"\n")
    return head + _MIME % b"8bit" + b"\n" + body
