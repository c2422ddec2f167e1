"""A pack file and the packs it extends, merged into one document.

Tables merge by key, lists of tables are appended to, everything else is replaced by
the pack that extends. Each key remembers the file and line it came from.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from codemod.packs import schema
from codemod.packs.builtin import builtin_packs, builtin_path
from codemod.packs.errors import PackError, Where, did_you_mean
from codemod.packs.model import KeyPath, dotted
from codemod.packs.positions import key_lines
from codemod.packs.tomlfile import read_toml, syntax_error
from codemod.project.toml import TOMLDecodeError, loads


@dataclass(slots=True)
class Layer:
    """A document as plain TOML values, with the place of each of its keys."""

    data: dict[str, Any] = field(default_factory=dict)
    places: dict[KeyPath, Where] = field(default_factory=dict)


def read_layers(path: Path, table: KeyPath = (), chain: tuple[Path, ...] = ()) -> Layer:
    """The merged document of a pack file; ``table`` is where in the file it is.

    Raises PackError for a file that cannot be read or is not TOML, for a pack it
    extends that is not there, and for packs that extend one another in a circle.
    """
    layer = _read(path, table)
    chain = (*chain, path.resolve())
    base_key = _base_key(layer, path)
    if base_key is None:
        return layer
    base = layer.data.pop(base_key)
    where = layer.places.get((base_key,), Where(str(path), 0, base_key))
    if not isinstance(base, str):
        raise PackError.at(where, "must be a string: a built-in's name or a path")
    target = _find_base(base, path, where)
    if target.resolve() in chain:
        circle = " → ".join(p.name for p in (*chain, target))
        raise PackError.at(where, f"packs extend one another in a circle: {circle}")
    nested = ("tool", "nsroute") if target.name == "pyproject.toml" else ()
    return _merge(read_layers(target, nested, chain), layer)


def _base_key(layer: Layer, path: Path) -> str | None:
    given = [key for key in schema.LAYER_KEYS if key in layer.data]
    if len(given) > 1:
        where = layer.places.get(("rules",), Where(str(path), 0, "rules"))
        raise PackError.at(where, "says the same as 'extends'; keep one of them")
    return given[0] if given else None


def _find_base(base: str, path: Path, where: Where) -> Path:
    builtin = builtin_path(base)
    if builtin is not None:
        return builtin
    file = path.parent / base
    if file.is_file():
        return file
    if base.endswith(".toml") or "/" in base:
        raise PackError.at(where, f"there is no file {file}")
    known = builtin_packs()
    raise PackError.at(
        where,
        f"no built-in pack is called {base!r}{did_you_mean(base, known)} "
        f"(built in: {', '.join(known)}; or give a path)",
    )


def _read(path: Path, table: KeyPath) -> Layer:
    text = read_toml(path)
    try:
        data: Any = loads(text)
    except TOMLDecodeError as error:
        raise syntax_error(path, text, error) from None
    for key in table:
        data = data.get(key, {}) if isinstance(data, dict) else {}
    if not isinstance(data, dict):
        raise PackError(str(path), 0, dotted(table), "must be a table")
    size = len(table)
    places = {
        key[size:]: Where(str(path), line, dotted(key))
        for key, line in key_lines(text).items()
        if key[:size] == table and len(key) > size
    }
    layer = Layer(data, places)
    _flatten_accessors(layer)
    return layer


def _flatten_accessors(layer: Layer) -> None:
    """Make ``exec.moe = …`` the same as ``"exec.moe" = …``, an accessor of its own.

    In TOML the first is a table ``exec``, which would take the place of the accessor
    ``exec`` of a pack that is extended. What in a table is neither a table nor
    ``module:name`` belongs to the table's own accessor.
    """
    accessors = layer.data.get("accessors")
    if not isinstance(accessors, dict):
        return
    own = schema.keys_of(schema.AccessorTable)
    flat: dict[str, Any] = {}

    def visit(root: tuple[str, ...], value: Any) -> None:
        if not isinstance(value, dict):
            flat[".".join(root)] = value
            return
        mine = {}
        for key, item in value.items():
            target = isinstance(item, str) and ":" in item and key not in own
            if not root or target or isinstance(item, dict):
                visit((*root, key), item)
            else:
                mine[key] = item
        if mine or (root and not value):
            flat[".".join(root)] = mine
            for key in mine:
                move((*root, key), (".".join(root), key))

    def move(old: KeyPath, new: KeyPath) -> None:
        where = layer.places.get(("accessors", *old))
        if where is not None:
            layer.places.setdefault(("accessors", *new), where)

    visit((), accessors)
    for root in flat:
        move(tuple(root.split(".")), (root,))
    layer.data["accessors"] = flat


def _merge(base: Layer, top: Layer) -> Layer:
    """``top`` over ``base``."""
    places = dict(base.places)
    data = _merged(base.data, top.data, (), places, top)
    return Layer(data, places)


def _merged(
    base: dict[str, Any],
    top: dict[str, Any],
    path: KeyPath,
    places: dict[KeyPath, Where],
    layer: Layer,
) -> dict[str, Any]:
    result = dict(base)
    for key, value in top.items():
        here = (*path, key)
        old = result.get(key)
        if value is False and path in schema.REMOVABLE:
            if key not in result:
                where = layer.places[here]
                hint = did_you_mean(key, result)
                raise PackError.at(where, f"there is no such entry to remove{hint}")
            del result[key]
            _forget(places, here)
        elif isinstance(value, dict) and isinstance(old, dict):
            places.setdefault(here, layer.places[here])
            result[key] = _merged(old, value, here, places, layer)
        elif isinstance(old, list) and _is_tables(value) and _is_tables(old):
            result[key] = [*old, *value]
            _take(places, here, layer, shift=len(old))
        else:
            _forget(places, here)
            _take(places, here, layer)
            result[key] = value
    return result


def _is_tables(value: object) -> bool:
    """A list of tables, as ``[[keep]]`` makes; an empty list is any list."""
    return isinstance(value, list) and all(isinstance(item, dict) for item in value)


def _forget(places: dict[KeyPath, Where], path: KeyPath) -> None:
    for key in [key for key in places if key[: len(path)] == path]:
        del places[key]


def _take(
    places: dict[KeyPath, Where], path: KeyPath, layer: Layer, shift: int = 0
) -> None:
    """The places of ``path`` and below, the items of a list moved up by ``shift``."""
    size = len(path)
    for key, where in layer.places.items():
        if key[:size] != path:
            continue
        rest = key[size:]
        if rest and isinstance(rest[0], int):
            rest = (rest[0] + shift, *rest[1:])
        if rest or not shift:
            places[path + rest] = where
