"""``nsroute routes``: the field → namespace table."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from codemod.cli import exits
from codemod.cli.options import Format, FormatOption, Look, Work
from codemod.cli.screen import Screen, count, fold

if TYPE_CHECKING:
    from codemod.packs import Accessor, Pack
    from codemod.routing import RouteTable

EXAMPLES = """\
Examples:
  nsroute routes                      the table, and what is missing in it
  nsroute routes --format json | jq '.unrouted'"""


def routes(work: Work, look: Look, format_: FormatOption = Format.text) -> int:
    """Show which namespace each field of the record goes to.

    Fields without a route are listed, and so are accessors that no field goes to,
    routes that have no accessor, and accessors whose module is not in the project.

    Exit code: 0; 1 when a field has no route, a route no accessor, or an accessor no
    route; 2 for a wrong command line or pack.
    """
    from codemod.packs import load_pack
    from codemod.project import open_project
    from codemod.routing import build_routes

    screen = look.screen()
    places = work.resolve()
    pack = load_pack(work.rules, Path(places.root))
    options = work.options()
    project = open_project(Path(places.root), options.include, options.exclude)
    found = build_routes(project, pack, options.routes_from, strict=False)
    if format_ is Format.json:
        screen.data(_json(pack, found))
    else:
        screen.lines(_text(screen, pack, found))
    amiss = _unrouted(found) or _homeless(found) or found.unused_accessors
    return exits.FOUND if amiss else exits.OK


def _unrouted(found: RouteTable) -> list[str]:
    return sorted(name for name, where in found.fields.items() if where is None)


def _homeless(found: RouteTable) -> list[str]:
    """Namespaces that fields are routed to and no accessor returns."""
    return sorted({n for n in found.fields.values() if n and _accessor(found, n) == ""})


def _accessor(found: RouteTable, namespace: str) -> str:
    """A namespace in code, ``get_exec().kernel``; "" when nothing returns it."""
    try:
        accessor, path = found.accessor_for(namespace)
    except KeyError:
        return ""
    return ".".join((_call(accessor), *path))


def _call(accessor: Accessor) -> str:
    return f"{accessor.name}()" if accessor.kind == "call" else accessor.name


def _json(pack: Pack, found: RouteTable) -> bytes:
    from codemod.cli.jsontext import json_bytes

    fields = []
    for name in sorted(found.fields):
        namespace = found.fields[name]
        file, line = found.lines.get(name, ("", 0))
        fields.append(
            {
                "field": name,
                "namespace": namespace,
                "accessor": (_accessor(found, namespace) if namespace else "") or None,
                "file": file,
                "line": line,
            }
        )
    return json_bytes(
        {
            "schema": 1,
            "pack": pack.name,
            "fields": fields,
            "members": dict(found.members),
            "unrouted": _unrouted(found),
            "without_accessor": _homeless(found),
            "unused_accessors": list(found.unused_accessors),
            "missing_accessors": list(found.missing_accessors),
        }
    )


def _text(screen: Screen, pack: Pack, found: RouteTable) -> Iterator[str]:
    from codemod.cli.tables import table

    unrouted = _unrouted(found)
    routed = len(found.fields) - len(unrouted)
    have, have_not = f"{routed:,} routed", f"{len(unrouted):,} without a route"
    yield fold(
        screen,
        f"{count(len(found.fields), 'field')} of the record ({pack.name}): "
        f"{have}, {have_not}.",
        green=have,
        yellow=have_not,
    )
    by_namespace: dict[str, list[str]] = {}
    for name, namespace in sorted(found.fields.items()):
        if namespace:
            by_namespace.setdefault(namespace, []).append(name)
    rows = [
        (name, namespace, _accessor(found, namespace) or "(no accessor)")
        for namespace in sorted(by_namespace)
        for name in by_namespace[namespace]
    ]
    if rows:
        yield ""
        yield from table(screen, ("field", "namespace", "accessor"), rows)
    yield from _section(screen, "Without a route, so that reads stay", unrouted)
    public = sorted(name for name in found.members if not name.startswith("_"))
    yield from _section(screen, "Properties and methods, no fields", public)
    yield from _section(
        screen,
        "Namespaces without an accessor: add it to [accessors]",
        _homeless(found),
    )
    yield from _section(
        screen,
        "Accessors that no field is routed to",
        sorted(found.unused_accessors),
    )
    yield from _section(
        screen,
        "Accessors whose module is not in the project",
        sorted(found.missing_accessors),
    )


def _section(screen: Screen, title: str, names: list[str]) -> Iterator[str]:
    import textwrap

    if not names:
        return
    yield ""
    yield screen.paint(f"{title}: {len(names):,}", "bold")
    yield ""
    # In a pipe as on a page: a list of three hundred names is no line.
    width = min(screen.width, 80 if not screen.terminal else 100)
    yield from textwrap.wrap(
        ", ".join(names),
        width,
        initial_indent="    ",
        subsequent_indent="    ",
        break_long_words=False,
        break_on_hyphens=False,
    )
