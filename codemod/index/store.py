"""The cache of facts: one file, keyed by content, safe to lose at any moment.

A key is a digest of everything that facts depend on: the file's bytes, its module name,
the vocabulary, nsroute's own analysis and the running Python. The file is read whole,
checked against its own digest, and replaced whole, so two runs at once cost work and
never a wrong answer. Whatever is wrong with it, it is as if it were not there.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import sys
import tempfile
from functools import lru_cache
from pathlib import Path

from codemod import __version__
from codemod.analysis.facts import FileFacts

FOLDER = ".nsroute_cache"
_FILE = "facts"
_MAGIC = b"nsroute facts 2\n"
_DIGEST_SIZE = 16
_SOUND, _PROBLEM = b"\0", b"\1"


def digest(*parts: bytes | memoryview) -> bytes:
    """A digest of byte strings, told apart from each other by their lengths."""
    state = hashlib.blake2b(digest_size=_DIGEST_SIZE)
    for part in parts:
        state.update(len(part).to_bytes(8, "little"))
        state.update(part)
    return state.digest()


@lru_cache(maxsize=1)
def analysis_digest() -> bytes:
    """A digest of nsroute's version, its analysis code and the running Python.

    The code itself counts, so that a change without a new version cannot be answered
    from an old cache.
    """
    folder = Path(__file__).parent.parent
    sources = [*sorted((folder / "analysis").glob("*.py")), folder / "model.py"]
    version = f"{__version__} {sys.version_info[:3]} {sys.implementation.name}"
    return digest(version.encode(), *(path.read_bytes() for path in sources))


class FactStore:
    """Encoded facts by key, loaded from and saved to a folder below the root.

    Facts of another kind, which not every run asks for, have a file of another
    ``name``: saving drops what a run did not use.
    """

    def __init__(self, folder: Path | None, name: str = _FILE) -> None:
        self.folder = folder
        self._name = name
        self._known: dict[bytes, bytes] = {}
        self._used: dict[bytes, bytes] = {}
        if folder is not None:
            self._known = _load(folder / name)

    def get(self, key: bytes) -> bytes | None:
        """The encoded facts of a key, if they are known."""
        found = self._used.get(key)
        if found is None and (found := self._known.get(key)) is not None:
            self._used[key] = found
        return found

    def put(self, key: bytes, value: bytes) -> None:
        """Remember encoded facts."""
        self._used[key] = value

    def save(self) -> None:
        """Write what this run used, when it differs from what was loaded.

        A folder that cannot be written costs the next run its time and nothing else.
        """
        if self.folder is None or self._used.keys() == self._known.keys():
            return
        with contextlib.suppress(OSError):
            _save(self.folder, self._name, self._used)


def encode(facts: FileFacts) -> bytes:
    """Facts as compact bytes; the first says whether there is a problem."""
    import msgspec

    flag = _SOUND if facts.problem is None else _PROBLEM
    return flag + msgspec.msgpack.encode(facts)


def has_problem(data: bytes) -> bool:
    """Whether encoded facts hold a problem, without decoding them."""
    return data.startswith(_PROBLEM)


@lru_cache(maxsize=1)
def _decoder() -> object:
    import msgspec

    return msgspec.msgpack.Decoder(FileFacts)


def decode(data: bytes) -> FileFacts:
    """Facts from the bytes that ``encode`` made."""
    return _decoder().decode(memoryview(data)[1:])  # type: ignore[attr-defined, no-any-return]


def _load(path: Path) -> dict[bytes, bytes]:
    import msgspec

    try:
        data = path.read_bytes()
        if not data.startswith(_MAGIC):
            return {}
        head = len(_MAGIC)
        body = memoryview(data)[head + _DIGEST_SIZE :]
        if digest(body) != data[head : head + _DIGEST_SIZE]:
            return {}
        return msgspec.msgpack.decode(body, type=dict[bytes, bytes])
    except (OSError, msgspec.MsgspecError, MemoryError):
        return {}


def _save(folder: Path, file_name: str, entries: dict[bytes, bytes]) -> None:
    import msgspec

    # A link in a stranger's tree may lead anywhere: nothing is written through one.
    if folder.is_symlink():
        return
    folder.mkdir(exist_ok=True)
    with contextlib.suppress(FileExistsError), (folder / ".gitignore").open("x") as new:
        new.write("# Made by nsroute.\n*\n")
    body = msgspec.msgpack.encode(entries)
    handle, name = tempfile.mkstemp(dir=folder, prefix=".facts-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(_MAGIC + digest(body) + body)
        Path(name).replace(folder / file_name)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(name).unlink()
        raise
