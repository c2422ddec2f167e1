"""From a pack to its field → namespace table."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path

from codemod.packs import Accessor, Pack, PackError, Where
from codemod.packs.errors import did_you_mean
from codemod.project import Project
from codemod.routing.members import ClassAt, Declared, declared
from codemod.routing.metadata import Metadata
from codemod.routing.model import RouteTable
from codemod.routing.sources import Sources


def build_routes(
    project: Project,
    pack: Pack,
    routes_from: str | None = None,
    strict: bool = True,
    seen: dict[str, bytes] | None = None,
) -> RouteTable:
    """The route of every field of the record, checked against the pack's accessors.

    ``routes_from`` is ``PATH:CLASS`` (or ``PATH``, for the record's class): routes are
    read from that file, which may be outside of the root, instead of from where the
    pack says. The record class in the project then still says which other fields
    and which members there are; a name that is a plain field in either is a field.
    With ``strict`` false, routes without an accessor and accessors without a route
    are left in the table for a person to see. ``seen`` is filled with what was looked
    at, see ``Sources``. Raises PackError.
    """
    sources = Sources(project, seen)
    record = _record_class(pack, sources, required=routes_from is None)
    # A file outside the root brings the modules around it: it has its own sources.
    around = Sources(project, seen)
    source = _route_class(pack, around, project, routes_from) or record
    table = Declared()
    if source is not None:
        own = sources if source is record else around
        table = declared(source, own, Metadata(own, pack.routes))
    if record is not None and source is not record:
        _add(table, declared(record, sources, Metadata(sources, pack.routes)))
    _route_by_hand(table, pack, known=source is not None)
    used = _used_accessors(table, pack, strict)
    unused = tuple(a.root for a in pack.accessors if a.root not in used)
    routed = any(table.fields.values())
    if unused and routed and strict:
        where = pack.where("accessors", unused[0])
        roots = sorted({n.partition(".")[0] for n in table.fields.values() if n})
        raise PackError.at(
            where, f"no field is routed to it{did_you_mean(unused[0], roots)}"
        )
    return RouteTable(
        fields=table.fields,
        lines=table.lines,
        members=dict(sorted(table.members.items())),
        accessors=pack.accessors,
        unused_accessors=unused,
        missing_accessors=_missing(pack, sources, around),
        digest=_digest(table, pack),
    )


def _record_class(pack: Pack, sources: Sources, required: bool) -> ClassAt | None:
    """The record's class in the project, where the pack says it is in there."""
    if pack.record.cls is None:
        return None
    module_name, _, name = pack.record.cls.partition(":")
    where = pack.where("record", "class")
    module = sources.open_module(module_name)
    if module is None:
        # The class of an installed library is not ours to read: routes are by hand.
        external = bool(pack.routes.fields) and not sources.holds(module_name)
        if required and not external and pack.routes.source is None:
            raise PackError.at(where, _no_module(module_name, sources))
        return None
    found = sources.find_class(module, name)
    if found is None and required:
        hint = did_you_mean(name, module.classes)
        raise PackError.at(where, f"{module.file} has no class {name!r}{hint}")
    _check_only(found, where)
    return found


def _check_only(found: ClassAt | None, where: Where) -> None:
    """Refuse a class of which a branch has another one of that name."""
    if found is not None and found[1].name in found[0].doubled:
        module, owner = found
        first, second = module.doubled[owner.name]
        raise PackError.at(
            where,
            f"{module.file} has a class {owner.name!r} at line {first} and another at "
            f"line {second}, and which one is used depends on the run; give them names "
            "of their own",
        )


def _route_class(
    pack: Pack, sources: Sources, project: Project, routes_from: str | None
) -> ClassAt | None:
    """The class that routes are read from, where that is not the record's own."""
    if routes_from is not None:
        where = Where(routes_from, 0, "--routes-from")
        return _class_in_file(routes_from, Path(), pack, sources, where)
    text = pack.routes.source
    if text is None or text == pack.record.cls:
        return None
    where = pack.where("routes", "from")
    head, _, name = text.rpartition(":")
    if (head or name).endswith(".py"):
        return _class_in_file(text, project.root, pack, sources, where)
    module = sources.open_module(head)
    if module is None:
        raise PackError.at(where, _no_module(head, sources))
    found = sources.find_class(module, name)
    if found is None:
        hint = did_you_mean(name, module.classes)
        raise PackError.at(where, f"{module.file} has no class {name!r}{hint}")
    _check_only(found, where)
    return found


def _class_in_file(
    text: str, base: Path, pack: Pack, sources: Sources, where: Where
) -> ClassAt:
    path, colon, name = text.rpartition(":")
    if not colon or (name.endswith(".py") and not name.isidentifier()):
        path = text
        name = (pack.record.cls or "").rpartition(":")[2]
    if not name:
        raise PackError.at(where, "names no class: write PATH:CLASS")
    module = sources.open_file(base / path)
    if module is None:
        raise PackError.at(where, f"there is no file {base / path}")
    found = sources.find_class(module, name)
    if found is None:
        hint = did_you_mean(name, module.classes)
        raise PackError.at(where, f"{path} has no class {name!r}{hint}")
    _check_only(found, where)
    return found


def _no_module(name: str, sources: Sources) -> str:
    hint = did_you_mean(name, sources.module_names())
    return f"there is no module {name!r} below the root{hint}"


def _add(table: Declared, record: Declared) -> None:
    """What the record's own class has beyond the class that routes come from.

    Its fields are fields, though nothing may route them; its members are members
    unless either class has a plain field of the name.
    """
    for name in record.fields:
        if name not in table.fields:
            table.fields[name] = None
            table.lines[name] = record.lines[name]
    for name, kind in record.members.items():
        table.members[name] = kind
    for name in table.fields:
        table.members.pop(name, None)


def _route_by_hand(table: Declared, pack: Pack, known: bool) -> None:
    for name, namespace in pack.routes.fields.items():
        where = pack.where("routes", "fields", name)
        if known and name not in table.fields:
            if name in table.members:
                problem = f"is a {table.members[name]} of the record, not a field"
                raise PackError.at(where, f"{problem}; see [derived]")
            hint = did_you_mean(name, table.fields)
            raise PackError.at(where, f"the record has no such field{hint}")
        table.fields[name] = namespace
        table.lines.setdefault(name, (where.file, where.line))


def _used_accessors(table: Declared, pack: Pack, strict: bool) -> set[str]:
    """The roots that fields are routed to; every route must have one."""
    lookup = RouteTable({}, {}, {}, pack.accessors)
    used = set()
    known: dict[str, Accessor | None] = {}
    for name, namespace in table.fields.items():
        if namespace is None:
            continue
        if namespace not in known:
            try:
                known[namespace] = lookup.accessor_for(namespace)[0]
            except KeyError:
                known[namespace] = None
        accessor = known[namespace]
        if accessor is not None:
            used.add(accessor.root)
        elif strict:
            raise _no_accessor(name, namespace, table, pack)
    _check_no_clash(table)
    return used


def _no_accessor(name: str, namespace: str, table: Declared, pack: Pack) -> PackError:
    root = namespace.partition(".")[0]
    hint = did_you_mean(root, (accessor.root for accessor in pack.accessors))
    message = f"is routed to {namespace!r}, and [accessors] has no {root!r}{hint}"
    if name in pack.routes.fields:
        return PackError.at(pack.where("routes", "fields", name), message)
    file, line = table.lines[name]
    return PackError(file, line, name, message)


def _check_no_clash(table: Declared) -> None:
    """No field may have the name of a namespace where both would be attributes."""
    namespaces = {
        ".".join(parts[:length])
        for namespace in table.fields.values()
        if namespace
        for parts in [namespace.split(".")]
        for length in range(2, len(parts) + 1)
    }
    for name, namespace in table.fields.items():
        if namespace and f"{namespace}.{name}" in namespaces:
            file, line = table.lines[name]
            message = (
                f"is routed to {namespace!r}, which already has a namespace "
                f"{namespace}.{name}: the attribute cannot be both"
            )
            raise PackError(file, line, name, message)


def _missing(pack: Pack, *places: Sources) -> tuple[str, ...]:
    return tuple(
        accessor.root
        for accessor in pack.accessors
        if not any(sources.is_there(accessor.module) for sources in places)
    )


def _digest(table: Declared, pack: Pack) -> str:
    content: Mapping[str, object] = {
        "fields": table.fields,
        "members": dict(sorted(table.members.items())),
        "accessors": [
            [a.root, a.module, a.name, a.kind, a.alias, a.unpublished]
            for a in pack.accessors
        ],
    }
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()
