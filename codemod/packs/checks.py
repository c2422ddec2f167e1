"""From a merged document to a pack, with every mistake named by file, line and key."""

from __future__ import annotations

import hashlib
import json
import keyword
import re
from collections.abc import Iterable, Mapping
from typing import Any, Literal

import msgspec

from codemod.packs import schema
from codemod.packs.errors import PackError, Where, did_you_mean
from codemod.packs.globs import BadGlobError, translate
from codemod.packs.guard_checks import build_guards, build_publish
from codemod.packs.layers import Layer
from codemod.packs.model import (
    Accessor,
    Cleanup,
    Configured,
    Derived,
    Keep,
    KeyPath,
    Pack,
    ProbeKeep,
    Probes,
    Record,
    Routes,
    Site,
    Writer,
    dotted,
)
from codemod.packs.step_checks import build_step, build_verify, check_names
from codemod.packs.steps import Step

_PATH = re.compile(r"\.(\w[\w-]*)|\[(\d+)\]")
_REASON = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_TOML_WORDS = {
    "str": "a string",
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "array": "a list",
    "object": "a table",
    "null": "nothing",
}


def build_pack(layer: Layer, source: str) -> Pack:
    """The pack that a merged document describes; raises PackError."""
    return _Checker(layer, source).pack()


class _Checker:
    def __init__(self, layer: Layer, source: str) -> None:
        self._data = layer.data
        self._places = layer.places
        self._source = source

    def pack(self) -> Pack:
        known = (*schema.TABLES, *schema.LISTS, *schema.MAPS, *schema.LAYER_KEYS)
        for key in self._data:
            if key not in known:
                raise self._error((key,), f"unknown key{did_you_mean(key, known)}")
        head = self._table("pack")
        accessors, accessors_unpublished = self._accessors()
        return Pack(
            name=head.name,
            description=head.description,
            source=self._source,
            digest=_digest(self._data),
            record=self._record(),
            routes=self._routes(),
            accessors=accessors,
            accessors_unpublished=accessors_unpublished,
            keeps=self._keeps(),
            derived=self._derived(),
            configured=self._configured(),
            writers=self._writers(),
            probes=self._probes(),
            cleanup=self._cleanup(),
            steps=self._steps(),
            verify=build_verify(("verify",), self._table("verify"), self._error),
            publish=build_publish(
                ("publish",), self._table("publish"), self._check_target, self._error
            ),
            guards=build_guards(
                self._map("guards"),
                self._convert,
                self._check_target,
                self._check_glob,
                self._error,
            ),
            places=self._places,
        )

    def _record(self) -> Record:
        table = self._table("record")
        here: KeyPath = ("record",)
        if table.cls is not None:
            self._check_target((*here, "class"), table.cls)
        for key in ("calls", "objects"):
            self._each((*here, key), getattr(table, key), self._check_target)
        self._each((*here, "attributes"), table.attributes, self._check_name)
        self._each((*here, "owners"), table.owners, self._check_glob)
        if table.unpublished is not None:
            self._check_dotted((*here, "unpublished"), table.unpublished)
        if not (table.calls or table.objects or table.attributes):
            raise self._error(
                here,
                "nothing says how the record is reached: give calls, objects or "
                "attributes",
            )
        return Record(
            cls=table.cls,
            calls=table.calls,
            objects=table.objects,
            attributes=table.attributes,
            access=frozenset(table.access),
            unpublished=table.unpublished,
            owners=table.owners,
        )

    def _routes(self) -> Routes:
        table = self._table("routes")
        if table.source is not None:
            path, colon, name = table.source.rpartition(":")
            is_file = (path or name).endswith(".py")
            if not is_file or (colon and not name.isidentifier()):
                self._check_target(("routes", "from"), table.source)
        self._check_name(("routes", "marker"), table.marker)
        for name, namespace in table.fields.items():
            self._check_name(("routes", "fields", name), name)
            self._check_dotted(("routes", "fields", name), namespace)
        return Routes(table.source, table.marker, table.metadata, table.fields)

    def _accessors(self) -> tuple[tuple[Accessor, ...], str | None]:
        """The accessors by root, and the ``unpublished`` of the table."""
        entries = dict(self._map("accessors"))
        unpublished = None
        shared = entries.get("unpublished")
        if (
            isinstance(shared, str) and ":" not in shared
        ):  # else a namespace of the name
            self._check_dotted(("accessors", "unpublished"), shared)
            unpublished = entries.pop("unpublished")
        found = []
        for root, value in entries.items():
            path: KeyPath = ("accessors", root)
            self._check_dotted(path, root)
            found.append(self._accessor(root, path, value, unpublished))
        return tuple(sorted(found, key=lambda a: a.root)), unpublished

    def _accessor(
        self, root: str, path: KeyPath, value: Any, unpublished: str | None
    ) -> Accessor:
        if isinstance(value, str):
            module, name = self._check_target(path, value)
            return Accessor(root, module, name, unpublished=unpublished)
        if not isinstance(value, dict):
            raise self._error(path, "must be 'module:name' or a table")
        table = self._convert(path, value, schema.AccessorTable)
        if (table.call is None) == (table.object is None):
            raise self._error(path, "must have one of 'call' and 'object'")
        if table.alias is not None:
            self._check_name((*path, "alias"), table.alias)
        if table.unpublished is not None:
            self._check_dotted((*path, "unpublished"), table.unpublished)
            unpublished = table.unpublished
        kind: Literal["call", "object"] = "call" if table.object is None else "object"
        module, name = self._check_target((*path, kind), table.call or table.object)
        return Accessor(root, module, name, kind, table.alias, unpublished)

    def _keeps(self) -> tuple[Keep, ...]:
        entries = self._data.get("keep", [])
        if not isinstance(entries, list):
            raise self._error(("keep",), "must be a list of tables: write [[keep]]")
        keeps = []
        for index, value in enumerate(entries):
            path: KeyPath = ("keep", index)
            table = self._convert(path, value, schema.KeepTable)
            if not _REASON.fullmatch(table.reason):
                problem = f"{table.reason!r} must be words of a-z and 0-9 joined by '-'"
                raise self._error((*path, "reason"), problem)
            if not table.why.strip():
                raise self._error((*path, "why"), "must say why, in a sentence")
            for key in _GLOB_KEYS:
                self._each((*path, key), getattr(table, key), self._check_glob)
            if not any(getattr(table, key) for key in _SELECTING_KEYS):
                choice = ", ".join(_SELECTING_KEYS)
                raise self._error(path, f"would keep every read; narrow it by {choice}")
            keeps.append(Keep(**msgspec.structs.asdict(table)))
        return tuple(keeps)

    def _derived(self) -> dict[str, Derived]:
        found = {}
        for member, value in self._map("derived").items():
            path: KeyPath = ("derived", member)
            self._check_name(path, member)
            table = self._convert(path, value, schema.DerivedTable)
            self._check_target((*path, "call"), table.call)
            found[member] = Derived(member, table.call, table.kind)
        return found

    def _configured(self) -> dict[str, Configured]:
        found = {}
        for name, value in self._map("configured").items():
            path: KeyPath = ("configured", name)
            self._check_name(path, name)
            table = self._convert(path, value, schema.ConfiguredTable)
            self._check_target((*path, "call"), table.call)
            sites = []
            for index, site in enumerate(table.sites):
                here = (*path, "sites", index)
                self._check_dotted((*here, "module"), site.module)
                if not site.why.strip():
                    raise self._error((*here, "why"), "must say why, in a sentence")
                sites.append(Site(site.module, site.function, site.why))
            found[name] = Configured(name, table.call, tuple(sites))
        return found

    def _steps(self) -> tuple[Step, ...]:
        entries = self._data.get("step", [])
        if not isinstance(entries, list):
            raise self._error(("step",), "must be a list of tables: write [[step]]")
        steps = []
        for index, value in enumerate(entries):
            path: KeyPath = ("step", index)
            table = self._convert(path, value, schema.StepTable)
            for key in ("namespaces", "modules", "fields", "imports"):
                self._each((*path, key), getattr(table, key), self._check_glob)
            steps.append(build_step(path, table, self._error))
        check_names(tuple(steps), self._error)
        return tuple(steps)

    def _writers(self) -> dict[str, Writer]:
        found = {}
        for method, value in self._map("writers").items():
            path: KeyPath = ("writers", method)
            self._check_name(path, method)
            table = self._convert(path, value, schema.WriterTable)
            self._check_target((*path, "call"), table.call)
            target = table.target or method
            self._check_name((*path, "target"), target)
            if table.source:
                self._check_name((*path, "source"), table.source)
            found[method] = Writer(method, table.call, target, table.source or None)
        return found

    def _probes(self) -> Probes | None:
        here: KeyPath = ("probes",)
        if "probes" not in self._data:
            return None
        table = self._table("probes")
        if table.call is None:
            raise self._error(here, "has no 'call'")
        self._check_target((*here, "call"), table.call)
        if table.override is not None:
            self._check_target((*here, "override"), table.override)
        facts: dict[str, str] = {}
        for fact, probes in table.facts.items():
            path: KeyPath = (*here, "facts", fact)
            self._check_name(path, fact)
            for probe in [probes] if isinstance(probes, str) else probes:
                self._check_target(path, probe)
                if facts.setdefault(probe, fact) != fact:
                    problem = f"{probe!r} already answers {facts[probe]!r}"
                    raise self._error(path, problem)
        if not facts:
            raise self._error(here, "names no probe: give [probes.facts]")
        keeps = []
        for index, entry in enumerate(table.keep):
            at = (*here, "keep", index)
            if not _REASON.fullmatch(entry.reason):
                problem = f"{entry.reason!r} must be words of a-z and 0-9 joined by '-'"
                raise self._error((*at, "reason"), problem)
            self._each((*at, "modules"), entry.modules, self._check_glob)
            keeps.append(ProbeKeep(entry.reason, entry.why, entry.modules))
        return Probes(table.call, facts, table.override, tuple(keeps))

    def _cleanup(self) -> Cleanup:
        table = self._table("cleanup")
        self._each(("cleanup", "public"), table.public, self._check_glob)
        return Cleanup(table.public)

    # The checks of single values. Each raises the error at the value's own place.

    def _each(self, path: KeyPath, values: Iterable[str], check: Any) -> None:
        for index, value in enumerate(values):
            check((*path, index), value)

    def _check_name(self, path: KeyPath, value: str) -> None:
        if not _is_name(value):
            raise self._error(path, f"{value!r} is not a Python name")

    def _check_dotted(self, path: KeyPath, value: str) -> None:
        if not all(map(_is_name, value.split("."))):
            raise self._error(path, f"{value!r} is not a dotted Python name")

    def _check_target(self, path: KeyPath, value: str) -> tuple[str, str]:
        module, colon, name = value.partition(":")
        if not (colon and all(map(_is_name, module.split("."))) and _is_name(name)):
            hint = ""
            if not colon and all(map(_is_name, value.split("."))) and "." in value:
                hint = f"; did you mean {':'.join(value.rsplit('.', 1))!r}?"
            raise self._error(path, f"{value!r} is not 'module:name'{hint}")
        return module, name

    def _check_glob(self, path: KeyPath, value: str) -> None:
        try:
            translate(value)
        except BadGlobError as error:
            raise self._error(path, f"bad glob: {error}") from None

    # Shapes.

    def _table(self, name: str) -> Any:
        value = self._data.get(name, {})
        return self._convert((name,), value, schema.TABLES[name])

    def _map(self, name: str) -> Mapping[str, Any]:
        value = self._data.get(name, {})
        if not isinstance(value, dict):
            raise self._error((name,), f"must be a table: write [{name}]")
        return value

    def _convert(self, path: KeyPath, value: Any, table: type[schema.Table]) -> Any:
        try:
            return schema.convert(value, table)
        except msgspec.ValidationError as error:
            raise self._explained(path, value, table, str(error)) from None

    def _explained(
        self, path: KeyPath, value: Any, table: type[schema.Table], message: str
    ) -> PackError:
        """msgspec's message, with the key it names found in the file."""
        text, _, at = message.partition(" - at `$")
        below = tuple(int(index) if index else key for key, index in _PATH.findall(at))
        if "[...]" in at:  # the value of some key in a map: find out which
            inner = _inside(value, below)
            wrong = (k for k, v in inner.items() if not isinstance(v, str))
            below = (*below, next(wrong, ""))
        names = re.findall(r"`([^`]*)`", text)
        if "unknown field" in text:
            known = _known_keys(table, below)
            path = (*path, *below, names[0])
            return self._error(path, f"unknown key{did_you_mean(names[0], known)}")
        if "missing required field" in text:
            return self._error((*path, *below), f"has no {names[0]!r}")
        if text.startswith("Invalid enum value"):
            got = _inside(value, below)
            known = _choices(table, below)
            hint = did_you_mean(str(got), known)
            problem = f"{got!r} is not one of {', '.join(known)}{hint}"
            return self._error((*path, *below), problem)
        if text.startswith("Expected") and len(names) == 2:
            want, got = (
                " or ".join(
                    _TOML_WORDS.get(w, w) for w in n.split(" | ") if w != "null"
                )
                for n in names
            )
            return self._error((*path, *below), f"must be {want}, not {got}")
        return self._error((*path, *below), text)

    def _error(self, path: KeyPath, message: str) -> PackError:
        for length in range(len(path), 0, -1):
            place = self._places.get(path[:length])
            if place is not None:
                rest = dotted(path[length:])
                joint = "" if not rest or rest.startswith("[") else "."
                key = f"{place.key}{joint}{rest}"
                return PackError(place.file, place.line, key, message)
        return PackError.at(Where(self._source, 0, dotted(path)), message)


_GLOB_KEYS = (
    "modules",
    "functions",
    "fields",
    "namespaces",
    "except_fields",
    "except_modules",
)
_SELECTING_KEYS = ("modules", "functions", "fields", "namespaces", "forms")


def _is_name(text: str) -> bool:
    return text.isidentifier() and not keyword.iskeyword(text)


def _inside(value: Any, path: KeyPath) -> Any:
    for part in path:
        value = value[part]
    return value


def _known_keys(table: type[schema.Table], below: KeyPath) -> tuple[str, ...]:
    """The keys of a table, or of the tables listed in it that ``below`` leads to."""
    if below and table is schema.ConfiguredTable:
        return schema.keys_of(schema.SiteTable)
    return schema.keys_of(table)


def _choices(table: type[schema.Table], below: KeyPath) -> tuple[str, ...]:
    """The words that a Literal field allows."""
    from typing import get_args, get_type_hints

    names = {f.encode_name: f.name for f in msgspec.structs.fields(table)}
    hint = get_type_hints(table)[names[str(below[0])]]
    flat = [hint]
    while any(get_args(item) for item in flat):
        flat = [part for item in flat for part in get_args(item) or (item,)]
    return tuple(str(item) for item in flat if isinstance(item, str))


def _digest(data: Mapping[str, Any]) -> str:
    text = json.dumps(data, sort_keys=True, default=str, ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()
