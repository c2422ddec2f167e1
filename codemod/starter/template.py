"""The text of a starter pack, with what each table is for."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import replace

from codemod.starter.candidates import Candidate, Way

#: Fields that must share a first word before it is proposed as a namespace.
_FEWEST_OF_A_KIND = 3


def starter_text(
    candidate: Candidate,
    name: str,
    extends: str | None = None,
    routed: Collection[str] = (),
) -> str:
    """A pack in TOML for a candidate.

    ``extends`` is a built-in pack that already describes this record, and ``routed``
    the fields it routes; then only what the project adds is left to write.
    """
    rest = replace(
        candidate, fields=tuple(f for f in candidate.fields if f not in routed)
    )
    lines = _extending(rest, extends) if extends else _whole(rest, name)
    return "\n".join(lines) + "\n"


def _whole(candidate: Candidate, name: str) -> Iterator[str]:
    yield "# How nsroute moves this project from one config object to namespaces."
    yield "# Written by `nsroute init` from what it found: read it, and correct it."
    yield ""
    yield "[pack]"
    yield f"name = {_quoted(name)}"
    yield 'description = ""'
    yield ""
    yield from _record(candidate)
    yield ""
    yield from _routes(candidate)
    yield ""
    yield from _accessors(candidate)
    yield ""
    yield from _keep()
    yield ""
    yield from _fields(candidate)


def _extending(candidate: Candidate, extends: str) -> Iterator[str]:
    yield f"# nsroute has a pack for this: {extends}. What is written here is added to"
    yield "# it, and wins where both say something."
    yield f"extends = {_quoted(extends)}"
    yield ""
    yield "# What returns a namespace, where that is not what the pack says:"
    yield "# [accessors]"
    yield '# cache = "app.config:get_cache"'
    yield '# server = { object = "app.config:server_settings" }'
    yield ""
    yield from _keep()
    yield ""
    yield from _fields(candidate)


def _record(candidate: Candidate) -> Iterator[str]:
    ways = candidate.ways
    yield "[record]"
    if candidate.cls is not None:
        yield "# The class of the one object that holds the configuration."
        yield f"class = {_quoted(candidate.cls)}"
    calls = [way for way in ways if way.kind == "call"]
    if calls:
        yield "# Functions that return it."
        yield from _listed("calls", calls)
    objects = [way for way in ways if way.kind == "object"]
    if objects:
        yield "# Names that are it."
        yield from _listed("objects", objects)
    attributes = [way for way in ways if way.kind == "attribute"]
    if attributes:
        yield "# Attributes of other objects that hold it, such as self.<name>. Take"
        yield "# away what can hold something else: reads through these are converted."
        yield from _listed("attributes", attributes)
    yield '# What takes a field off it; "subscript" and "get" are possible too.'
    yield 'access = ["attribute", "getattr"]'
    raises = next((way.raises for way in calls if way.raises), None)
    yield "# What a getter raises before there is a record. A read in a `try` that"
    yield "# catches it is kept, unless [accessors] says the same."
    yield f"{'' if raises else '# '}unpublished = {_quoted(raises or 'RuntimeError')}"
    yield "# Modules that build and publish it, and go on reading it."
    owners = sorted(
        {
            place.partition(":")[0]
            for place in (candidate.cls, *(way.target for way in (*calls, *objects)))
            if place and ":" in place
        }
    )
    yield "owners = ["
    yield from (f"    {_quoted(owner)}," for owner in owners)
    yield "]"


def _routes(candidate: Candidate) -> Iterator[str]:
    yield "# Where each field goes. A field can say it itself, in its annotation:"
    yield '#     size: Annotated[int, NS("cache")] = 10'
    yield "# or [routes.fields] at the end of this file says it."
    yield "[routes]"
    if candidate.cls is not None:
        yield f"from = {_quoted(candidate.cls)}"
    if candidate.metadata is not None:
        yield "# The key in a field's metadata that holds its namespace."
        yield f"metadata = {_quoted(candidate.metadata)}"
    else:
        said = "" if candidate.marker else "# "
        yield f"{said}marker = {_quoted(candidate.marker or 'NS')}"


def _accessors(candidate: Candidate) -> Iterator[str]:
    roots = sorted({path.partition(".")[0] for path in candidate.namespaces.values()})
    yield "# What returns a namespace, by its first part: a function, or an object."
    yield "# They are code of yours; nsroute imports them where it needs them."
    yield "[accessors]"
    if not roots:
        yield '# cache = "app.config:get_cache"'
        yield '# server = { object = "app.config:server_settings" }'
    raises = {way.raises for way in candidate.accessors.values()}
    if len(raises) == 1 and None not in raises:
        yield f"# unpublished = {_quoted(str(min(map(str, raises))))}"
    for root in roots:
        way = candidate.accessors.get(root)
        if way is None:
            yield f'# {root} = "…:get_{root}"  # nothing of that name was found'
        elif way.kind == "call":
            yield f"{root} = {_quoted(way.target)}"
        else:
            yield f"{root} = {{ object = {_quoted(way.target)} }}"


def _keep() -> Iterator[str]:
    yield "# Reads to leave alone, each entry with a reason and a sentence why. All"
    yield "# lists given must match: modules, functions, fields, namespaces, forms."
    yield "#"
    yield "# [[keep]]"
    yield '# reason = "per-worker"'
    yield '# why = "Each worker has a copy of its own and changes it."'
    yield '# modules = ["app.worker", "app.worker.*"]'


def _fields(candidate: Candidate) -> Iterator[str]:
    """Fields that no metadata routes, the most read first, each as a proposal."""
    left = [f for f in candidate.fields if f not in candidate.namespaces]
    left.sort(key=lambda field: (-candidate.reads.get(field, 0), field))
    proposed = _proposals(left)
    yield "# Routes by hand; they win over metadata."
    yield "[routes.fields]"
    for field in left:
        reads = candidate.reads.get(field, 0)
        times = f"  # {reads:,} reads" if reads != 1 else "  # 1 read"
        yield f"# {_key(field)} = {_quoted(proposed.get(field, ''))}{times}"


def _proposals(fields: list[str]) -> dict[str, str]:
    """``redis_host``, ``redis_port`` and ``redis_db`` go to ``redis``."""
    first = {field: field.lower().strip("_").partition("_")[0] for field in fields}
    count = Counter(first.values())
    return {
        field: word
        for field, word in first.items()
        if count[word] >= _FEWEST_OF_A_KIND and word.isidentifier()
    }


def _listed(key: str, ways: list[Way]) -> Iterator[str]:
    yield f"{key} = ["
    for way in sorted(ways, key=lambda way: (-way.reads, way.target)):
        yield f"    {_quoted(way.target)},  # {way.reads:,} reads"
    yield "]"


def _quoted(text: str) -> str:
    """A TOML basic string; its escapes are those of JSON."""
    return json.dumps(text, ensure_ascii=False)


def _key(name: str) -> str:
    return name if name.isascii() else _quoted(name)
