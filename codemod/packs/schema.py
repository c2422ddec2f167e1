"""The shape of a pack's TOML: one struct for a table, one field for a key.

A new table is a struct here, a line in ``TABLES`` and its dataclass in ``model``.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

# Forms of a read, and of an alias or stash by the form of what it was bound to.
Form = Literal[
    "call",
    "object",
    "alias",
    "alias:call",
    "alias:object",
    "alias:self",
    "alias:stash",
    "alias:attribute",
    "self",
    "attribute",
    "stash",
    "stash:call",
    "stash:object",
    "stash:self",
    "stash:attribute",
    "parameter",
]


class Table(msgspec.Struct, forbid_unknown_fields=True):
    """A table in which every key is known."""


class PackTable(Table):
    """``[pack]``"""

    name: str = "project"
    description: str = ""


class RecordTable(Table, rename={"cls": "class"}):
    """``[record]``"""

    cls: str | None = None
    calls: tuple[str, ...] = ()
    objects: tuple[str, ...] = ()
    attributes: tuple[str, ...] = ()
    access: tuple[Literal["attribute", "getattr", "subscript", "get"], ...] = (
        "attribute",
        "getattr",
    )
    unpublished: str | None = None
    owners: tuple[str, ...] = ()


class RoutesTable(Table, rename={"source": "from"}):
    """``[routes]``"""

    source: str | None = None
    marker: str = "NS"
    metadata: str | None = None
    fields: dict[str, str] = {}


class AccessorTable(Table):
    """``[accessors]`` ``root = {…}``"""

    call: str | None = None
    object: str | None = None
    alias: str | None = None
    unpublished: str | None = None


class KeepTable(Table):
    """``[[keep]]``"""

    reason: str
    why: str
    modules: tuple[str, ...] = ()
    functions: tuple[str, ...] = ()
    fields: tuple[str, ...] = ()
    namespaces: tuple[str, ...] = ()
    forms: tuple[Form, ...] = ()
    except_fields: tuple[str, ...] = ()
    except_modules: tuple[str, ...] = ()


class DerivedTable(Table):
    """``[derived]`` ``member = {…}``"""

    call: str
    kind: Literal["property", "method"]


class SiteTable(Table):
    """``[configured]`` ``name = { sites = [{…}] }``"""

    module: str
    why: str
    function: str = ""


class ConfiguredTable(Table):
    """``[configured]`` ``name = {…}``"""

    call: str
    sites: tuple[SiteTable, ...] = ()


class StepTable(Table):
    """``[[step]]``"""

    name: str
    transform: str | tuple[str, ...] | None = None
    namespaces: tuple[str, ...] = ()
    modules: tuple[str, ...] = ()
    fields: tuple[str, ...] = ()
    imports: tuple[str, ...] = ()
    message: str | None = None
    split: Any = None
    command: str | None = None
    codemod: str | None = None
    bowler: str | None = None
    arguments: tuple[str, ...] = ()
    python: str | None = None
    timeout: float | None = None


class VerifyTable(Table):
    """``[verify]``"""

    command: str | None = None
    timeout: float | None = None


class WriterTable(Table):
    """``[writers]`` ``method = {…}``"""

    call: str
    target: str | None = None
    source: str = "source"


class ProbeKeepTable(Table):
    """``[[probes.keep]]``"""

    reason: str
    why: str
    modules: tuple[str, ...]


class ProbesTable(Table):
    """``[probes]``"""

    call: str | None = None
    override: str | None = None
    facts: dict[str, str | tuple[str, ...]] = {}
    keep: tuple[ProbeKeepTable, ...] = ()


class CleanupTable(Table):
    """``[cleanup]``"""

    public: tuple[str, ...] = ()


class PublishTable(Table):
    """``[publish]``"""

    call: str | None = None
    entries: tuple[str, ...] = ()


class GuardTable(Table):
    """``[guards.NAME]``: what every guard knows."""

    except_modules: tuple[str, ...] = ()


class LegacyTable(GuardTable):
    """``[guards.legacy]``"""

    calls: tuple[str, ...] = ()


class LocalImportsTable(GuardTable):
    """``[guards.local-imports]``"""

    modules: tuple[str, ...] = ()


class ShadowingTable(GuardTable):
    """``[guards.shadowing]``"""

    names: Literal["accessors", "imports"] = "accessors"


# Tables with fixed keys, and tables whose keys are names, by the type of a value.
TABLES: dict[str, type[Table]] = {
    "pack": PackTable,
    "record": RecordTable,
    "routes": RoutesTable,
    "verify": VerifyTable,
    "publish": PublishTable,
    "probes": ProbesTable,
    "cleanup": CleanupTable,
}
# The tables of guards that know more than every guard does.
GUARD_TABLES: dict[str, type[GuardTable]] = {
    "legacy": LegacyTable,
    "local-imports": LocalImportsTable,
    "shadowing": ShadowingTable,
}
LISTS: dict[str, type[Table]] = {"keep": KeepTable, "step": StepTable}
MAPS: dict[str, type[Table]] = {
    "accessors": AccessorTable,
    "derived": DerivedTable,
    "configured": ConfiguredTable,
    "writers": WriterTable,
    "guards": GuardTable,
}
# Keys that say where a pack comes from; they are used up while layers are merged.
LAYER_KEYS = ("extends", "rules")
# Maps in which a pack that extends another may take an entry away with ``false``.
REMOVABLE = (
    ("accessors",),
    ("routes", "fields"),
    ("derived",),
    ("configured",),
    ("writers",),
    ("probes", "facts"),
)


def keys_of(table: type[Table]) -> tuple[str, ...]:
    """The TOML keys of a table."""
    return tuple(field.encode_name for field in msgspec.structs.fields(table))


def convert(value: Any, table: type[Any]) -> Any:
    """The struct of a table; raises msgspec.ValidationError."""
    return msgspec.convert(value, type=table)
