"""What one file says, small enough to cache, complete enough never to re-parse.

Facts are symbolic: a read names where its record would come from (an origin), and the
index, which sees every file, says whether that origin is the record. So one pass over
a file serves however its imports resolve.
"""

from __future__ import annotations

from dataclasses import dataclass, field

#: Where a value comes from. The first item is the kind:
#:
#: ``("call", ref, arguments)``  the result of calling ``ref``; ``arguments`` is "" when
#:     the call passes none
#: ``("ref", ref)``  the object that the dotted name ``ref`` means
#: ``("attr", attribute, class path, ref, classes)``  ``<x>.<attribute>`` by the pack's
#:     word; ``class path`` when ``<x>`` is a method's ``self``, ``ref`` when
#:     ``<x>.<attribute>`` is a dotted name from an import, ``classes`` are dotted names
#:     joined by "|" that ``<x>`` is annotated with or called by
#: ``("stash", class path, attribute)``  an instance attribute some class binds
#: ``("param", listed, annotations)``  a parameter; ``listed`` says why it is listed
#:     (``name``, ``default``) or is "", ``annotations`` are dotted names joined by "|"
#: ``("none",)``  ``None``, assigned to an attribute
#: ``("other",)``  anything else
Origin = tuple[str, ...]

OTHER: Origin = ("other",)
NONE: Origin = ("none",)


@dataclass(frozen=True, slots=True)
class Candidate:
    """One expression that takes one name off what may be the record."""

    line: int
    column: int
    end_line: int
    function: str
    form: str
    via: str
    text: str
    field: str
    origins: tuple[Origin, ...]
    anchor: tuple[str, int]
    #: For an alias, the form of what it was bound to: ``sa = runner.server_args`` makes
    #: it ``attribute``. ``attribute`` wins where bindings differ; else "".
    origin_form: str = ""
    #: Names that the base is taken from, through the values of aliases.
    roots: tuple[str, ...] = ()
    #: ``load``, ``store`` or ``del``; ``pattern`` for a load that a ``case`` compares
    #: with, ``private`` for one whose attribute would be a private name of its class.
    context: str = "load"
    #: Handlers that stand around the read or around a binding of its alias.
    guards: tuple[str, ...] = ()
    import_time: bool = False
    #: The attribute is called: ``record.member()``.
    called: bool = False
    default: bool = False
    suppression: str | None = None
    #: Accessor names that a scope between the read and the module binds.
    taken: tuple[str, ...] = ()
    #: Accessor names that a local import before the read binds to ``ref``.
    local_imports: tuple[tuple[str, str], ...] = ()
    #: Index into ``FileFacts.walrus_aliases`` when the base is ``(name := record)``.
    walrus: int = -1
    #: Ordinals of the ``def`` statements around the read, outermost first.
    functions: tuple[int, ...] = ()
    #: What the base is taken from may do something: a call, ``await``, ``:=``.
    acts: bool = False


@dataclass(frozen=True, slots=True)
class UseFact:
    """The record used whole, or in a way that is not a read of one literal field."""

    line: int
    function: str
    kind: str
    origins: tuple[Origin, ...]
    #: The expression that is the record, and the column it starts in.
    column: int = 1
    text: str = ""


@dataclass(frozen=True, slots=True)
class WalrusAlias:
    """A name bound by ``(name := record).field``: where else the name is read.

    ``loads`` counts its other reads; ``anchors`` are those of them that are candidates
    themselves. Only when all are converted may the binding go.
    """

    name: str
    loads: int
    anchors: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class AttributeStore:
    """An assignment to an attribute of interest: on ``self`` of a class, or not."""

    attribute: str
    class_path: str
    origins: tuple[Origin, ...]
    line: int
    guards: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Rebinding:
    """A name of a module, with its module, that is bound other than by its scope."""

    name: str
    origins: tuple[Origin, ...]


@dataclass(frozen=True, slots=True)
class ClassFact:
    """A class and the dotted names of its bases."""

    path: str
    bases: tuple[str, ...]
    line: int


@dataclass(frozen=True, slots=True)
class ImportFact:
    """One name bound by an import statement that runs when the module is imported.

    ``target`` is the dotted name of what is imported, ``bound`` the name it gets (for
    ``import a.b`` the first part, for a star ``*``). ``where`` is ``plain``,
    ``typing`` (under ``TYPE_CHECKING``), ``try`` or ``if``. ``module`` is the module
    whose import the statement runs.
    """

    target: str
    bound: str
    module: str
    line: int
    where: str = "plain"


@dataclass(frozen=True, slots=True)
class FileFacts:
    """Everything the index keeps of one file."""

    imports: tuple[ImportFact, ...] = ()
    definitions: frozenset[str] = frozenset()
    exports: tuple[str, ...] | None = None
    classes: tuple[ClassFact, ...] = ()
    # Below: only for files that mention a word of the pack.
    close: bool = False
    candidates: tuple[Candidate, ...] = ()
    uses: tuple[UseFact, ...] = ()
    walrus_aliases: tuple[WalrusAlias, ...] = ()
    stores: tuple[AttributeStore, ...] = ()
    rebound: tuple[Rebinding, ...] = ()
    #: Module-level names that may be the record or its getter → their origins.
    record_names: dict[str, tuple[Origin, ...]] = field(default_factory=dict)
    #: Accessor names bound at module level → the dotted names they are bound to.
    module_names: dict[str, tuple[str, ...]] = field(default_factory=dict)
    #: ``module.name`` texts in strings, as tests patch them, that hold a pack word.
    patched: frozenset[str] = frozenset()
    #: Dotted names with a pack word that this file takes from another module.
    references: frozenset[str] = frozenset()
    problem: tuple[int, str] | None = None
    #: Only the syntax was looked at: the module's own level is not known yet.
    syntax_only: bool = False
    #: Bad suppression comments: line and what is wrong.
    warnings: tuple[tuple[int, str], ...] = ()
