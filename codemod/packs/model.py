"""A pack as data: what one TOML file says about a migration.

Names are the pack's own keys (``class`` is ``cls``). Every list of globs is a list of
dotted globs, see ``codemod.packs.globs``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from codemod.packs.errors import Where
from codemod.packs.globs import module_matches
from codemod.packs.guarding import Guards, Publish
from codemod.packs.steps import Step, Verify

# A key in a pack: names of tables and keys, and indices into lists.
KeyPath = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Record:
    """The process-global config object, and every way to get hold of it.

    ``cls``, ``calls`` and ``objects`` are ``module:name``. ``attributes`` are names
    that hold the record on other objects. ``access`` says which of ``attribute``,
    ``getattr``, ``subscript`` and ``get`` take a field off it. ``unpublished`` names
    the exception a getter raises before the record is published, if it does.
    ``owners`` are globs of the modules that own the record and keep using it.
    """

    cls: str | None = None
    calls: tuple[str, ...] = ()
    objects: tuple[str, ...] = ()
    attributes: tuple[str, ...] = ()
    access: frozenset[str] = frozenset({"attribute", "getattr"})
    unpublished: str | None = None
    owners: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Routes:
    """Where the field → namespace table comes from.

    ``source`` is the key ``from``: ``module:Class`` or ``path.py:Class``, by default
    the record's class. ``marker`` is the name of the call in an annotation that
    carries the namespace; ``metadata_key`` (the key ``metadata``) the key in the
    metadata of ``dataclasses.field``, ``attrs.field`` or pydantic's ``Field`` that
    does. ``fields`` are routes by hand, which win.
    """

    source: str | None = None
    marker: str = "NS"
    metadata_key: str | None = None
    fields: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Accessor:
    """What returns the namespace ``root``: a call, or an object that is it.

    ``alias`` is the name to import it under where its own is taken. ``unpublished``
    names the exception it raises before the record is published: its own key, else
    that of the whole table, else None.
    """

    root: str
    module: str
    name: str
    kind: Literal["call", "object"] = "call"
    alias: str | None = None
    unpublished: str | None = None


@dataclass(frozen=True, slots=True)
class Keep:
    """Reads to leave alone, with the reason's code and a sentence why.

    The lists that are given must all match (AND); in a list one match is enough.
    """

    reason: str
    why: str
    modules: tuple[str, ...] = ()
    functions: tuple[str, ...] = ()
    fields: tuple[str, ...] = ()
    namespaces: tuple[str, ...] = ()
    forms: tuple[str, ...] = ()
    except_fields: tuple[str, ...] = ()
    except_modules: tuple[str, ...] = ()

    def matches(
        self,
        module: str,
        function: str,
        field: str,
        namespace: str | None,
        form: str,
        origin: str | None = None,
    ) -> bool:
        """Whether a read is kept by this entry.

        A read with no route (``namespace`` None) matches no list of namespaces.
        ``origin`` is, for a read of form ``alias`` or ``stash``, the form of what the
        name was bound to: after ``sa = runner.server_args`` it is ``attribute``, and
        the read ``sa.field`` matches the forms ``alias`` and ``alias:attribute``.
        """
        if self.forms and not (form in self.forms or f"{form}:{origin}" in self.forms):
            return False
        if self.namespaces and (
            namespace is None or not module_matches(self.namespaces, namespace)
        ):
            return False
        return (
            (not self.fields or module_matches(self.fields, field))
            and (not self.modules or module_matches(self.modules, module))
            and (not self.functions or module_matches(self.functions, function))
            and not module_matches(self.except_fields, field)
            and not module_matches(self.except_modules, module)
        )


@dataclass(frozen=True, slots=True)
class Derived:
    """A property or method of the record that has a named accessor of its own.

    ``call`` is ``module:function``; ``rec.member`` (a property) or ``rec.member(…)``
    (a method) becomes a call of it.
    """

    member: str
    call: str
    kind: Literal["property", "method"]


@dataclass(frozen=True, slots=True)
class Site:
    """One function that reads a configured size rather than the live one, and why.

    ``function`` is the dotted path in the module, ``""`` for module level.
    """

    module: str
    function: str
    why: str


@dataclass(frozen=True, slots=True)
class Configured:
    """A field whose accessor gives the live value, and the call for the configured.

    ``sites`` are the places that must have the configured value.
    """

    field: str
    call: str
    sites: tuple[Site, ...] = ()


@dataclass(frozen=True, slots=True)
class Writer:
    """A method of the record that writes its fields, and what writes namespaces.

    ``rec.<method>(source, f=v)`` becomes ``<call>().<target>(source, f=v)``. ``source``
    is the parameter that says who writes, by position or name; None when there is none.
    """

    method: str
    call: str
    target: str
    source: str | None = "source"


@dataclass(frozen=True, slots=True)
class ProbeKeep:
    """Modules whose probes stay as they are, with the reason's code and why."""

    reason: str
    why: str
    modules: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Probes:
    """Free functions that answer a fact, and the one object that answers them all.

    ``call`` returns the object, ``override`` is a context manager and decorator that
    takes facts by name and says so for a while, for tests; both are ``module:name``.
    ``facts`` maps each probe (``module:name``) to the attribute with its answer.
    """

    call: str
    facts: Mapping[str, str]
    override: str | None = None
    keeps: tuple[ProbeKeep, ...] = ()


@dataclass(frozen=True, slots=True)
class Cleanup:
    """What the clean-up leaves although nothing reads it.

    ``public`` are globs of ``module.function`` paths whose signature others rely on.
    """

    public: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Pack:
    """One migration.

    ``source`` is the built-in's name or the file's path. ``digest`` changes when
    anything the pack says changes, through ``extends`` too, and not when only
    comments or order of keys do. ``accessors_unpublished`` names the exception that
    accessors raise before the record is published, unless one says otherwise. Without
    ``steps`` the migration has the default series.
    """

    name: str
    description: str
    source: str
    digest: str
    record: Record
    routes: Routes = field(default_factory=Routes)
    accessors: tuple[Accessor, ...] = ()
    accessors_unpublished: str | None = None
    keeps: tuple[Keep, ...] = ()
    derived: Mapping[str, Derived] = field(default_factory=dict)
    configured: Mapping[str, Configured] = field(default_factory=dict)
    writers: Mapping[str, Writer] = field(default_factory=dict)
    probes: Probes | None = None
    cleanup: Cleanup = field(default_factory=Cleanup)
    steps: tuple[Step, ...] = ()
    verify: Verify | None = None
    publish: Publish | None = None
    guards: Guards = field(default_factory=Guards)
    places: Mapping[KeyPath, Where] = field(
        default_factory=dict, compare=False, repr=False
    )

    def where(self, *path: str | int) -> Where:
        """The place of a key (``"record", "class"``), else of the nearest above it."""
        for length in range(len(path), 0, -1):
            place = self.places.get(path[:length])
            if place is not None:
                return Where(place.file, place.line, dotted(path))
        return Where(self.source, 0, dotted(path))


def dotted(path: KeyPath) -> str:
    """``("keep", 0, "fields")`` as a person writes it: ``keep[0].fields``."""
    out = ""
    for part in path:
        if isinstance(part, int):
            out += f"[{part}]"
            continue
        plain = part.replace("-", "").replace("_", "").isalnum()
        name = part if plain else f'"{part}"'
        out += f".{name}" if out else name
    return out
