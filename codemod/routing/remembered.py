"""Routes from the cache, when nothing they were read from has changed.

Reading the record's declaration means parsing the largest modules of a project. What
was found is kept with a digest of every file that was looked at, and of every place
where one was looked for in vain; it is taken only when all of them are as they were.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from codemod import __version__
from codemod.index.store import FOLDER, FactStore, digest
from codemod.packs import Pack
from codemod.project import Project
from codemod.project.layout import outer_package
from codemod.routing.building import build_routes
from codemod.routing.model import MemberKind, RouteTable

STORE = "routes"


@dataclass(frozen=True, slots=True)
class Remembered:
    """A table without what the pack says anyway, and what it was read from.

    ``seen`` maps paths to the digest of their content, or to b"" for no file.
    """

    seen: Mapping[str, bytes]
    fields: Mapping[str, str | None]
    lines: Mapping[str, tuple[str, int]]
    members: Mapping[str, MemberKind]
    unused_accessors: tuple[str, ...]
    missing_accessors: tuple[str, ...]
    digest: str


def remembered_routes(
    project: Project, pack: Pack, routes_from: str | None, cache: bool
) -> RouteTable:
    """What ``build_routes`` says, without reading anything twice. Raises PackError."""
    if not cache:
        return build_routes(project, pack, routes_from)
    store = FactStore(project.root / FOLDER, STORE)
    key = _key(project, pack, routes_from)
    known = _decode(store.get(key))
    if known is not None and all(
        _look_at(Path(path)) == was for path, was in known.seen.items()
    ):
        return RouteTable(
            fields=known.fields,
            lines=known.lines,
            members=known.members,
            accessors=pack.accessors,
            unused_accessors=known.unused_accessors,
            missing_accessors=known.missing_accessors,
            digest=known.digest,
        )
    seen: dict[str, bytes] = {}
    table = build_routes(project, pack, routes_from, seen=seen)
    # A path that is not UTF-8 cannot be written down; then nothing is remembered.
    with contextlib.suppress(UnicodeEncodeError):
        store.put(key, _encode(table, seen))
        store.save()
    return table


def _look_at(path: Path) -> bytes:
    """The digest of a file's content, or b"" when there is no such file."""
    try:
        return digest(path.read_bytes())
    except OSError:
        return b""


def _key(project: Project, pack: Pack, routes_from: str | None) -> bytes:
    files = "\n".join(f"{name}:{f.path}" for name, f in project.by_module.items())
    places = sorted(f"{key}:{at.file}:{at.line}" for key, at in pack.places.items())
    parts = (
        str(Path.cwd()),
        str(project.root),
        pack.digest,
        "\n".join(places),
        routes_from or "",
        *_packages_of(routes_from or "", Path()),
        *_packages_of(pack.routes.source or "", project.root),
        files,
    )
    return digest(_code(), *(part.encode("utf-8", "surrogatepass") for part in parts))


def _packages_of(text: str, base: Path) -> tuple[str, ...]:
    """The packages around the file of ``PATH:CLASS``, which give its module a name."""
    path = base / (text if text.endswith(".py") else text.rpartition(":")[0])
    return outer_package(path.resolve().parent) if text else ()


@lru_cache(maxsize=1)
def _code() -> bytes:
    """A digest of the code that reads routes, so that no old answer outlives it."""
    folder = Path(__file__).parent.parent
    files = (p for part in ("routing", "packs") for p in (folder / part).glob("*.py"))
    sources = (path.read_bytes() for path in sorted(files))
    return digest(__version__.encode(), *sources)


def _encode(table: RouteTable, seen: Mapping[str, bytes]) -> bytes:
    import msgspec

    return msgspec.msgpack.encode(
        Remembered(
            seen,
            table.fields,
            table.lines,
            table.members,
            table.unused_accessors,
            table.missing_accessors,
            table.digest,
        )
    )


def _decode(data: bytes | None) -> Remembered | None:
    import msgspec

    if data is None:
        return None
    try:
        return msgspec.msgpack.decode(data, type=Remembered)
    except msgspec.MsgspecError:
        return None
