"""What the generator knows of the code it writes: scopes, names, and what reads are.

The expected decision of a read is found by DESIGN.md's order of reasons from what was
built, never by looking at the text: so the analysis is checked by something that does
not share its code.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from tests.proof.programs import world
from tests.proof.programs.draw import Draw
from tests.proof.programs.marks import mark
from tests.proof.programs.world import PackWords

#: Lines of code; a nested list is an indented block below the line before it.
Lines = list  # list[str | "Lines"]

YES = frozenset({"yes"})


@dataclass
class Site:
    """One place where a field is taken off an object, and what should become of it.

    ``decision`` is ``convert``, ``keep``, or ``unlisted`` for the record reached
    through something that scan does not follow. ``form`` is "" where it does not
    matter.
    """

    number: int
    field: str
    decision: str
    reason: str | None
    form: str
    via: str
    in_fstring: bool = False
    #: The functions and classes around, as scan names them, and the module.
    path: str = ""
    module: str = ""


@dataclass
class Base:
    """An expression that is, or may be, the record.

    ``statuses`` are what its bindings make it, by the words of ``index.record``;
    ``caught`` says whether a handler stands around one of its bindings.
    """

    text: str
    statuses: frozenset[str]
    form: str
    caught: bool = False
    simple: bool = True
    #: At run time it is not the record but an object of that kind.
    foreign: bool = False
    #: Something happens on the way to it.
    acts: bool = False

    @property
    def unlisted(self) -> bool:
        """Whether scan has no way to know of it."""
        return not self.statuses & {"yes", "mixed", "listed"}


@dataclass
class Alias:
    """A local name with all that its bindings will ever be, fixed when it is made."""

    name: str
    statuses: frozenset[str]
    form: str = "alias"
    caught: bool = False
    foreign: bool = False

    def base(self) -> Base:
        """The name as an expression."""
        return Base(
            self.name, self.statuses, self.form, self.caught, True, self.foreign
        )


@dataclass
class Scope:
    """A block of code with names of its own."""

    kind: str  # module, function, lambda, class
    parent: Scope | None = None
    path: str = ""
    aliases: list[Alias] = field(default_factory=list)
    #: Accessor names that this scope binds to something else.
    taken: set[str] = field(default_factory=set)
    #: Accessor names that this scope imports, before anything else happens.
    imported: set[str] = field(default_factory=set)
    #: Names of integers that are bound by now.
    numbers: list[str] = field(default_factory=list)
    counter: list[int] = field(default_factory=lambda: [0])

    def fresh(self, stem: str) -> str:
        """A name that nothing else in the module has."""
        self.counter[0] += 1
        return f"{stem}_{self.counter[0]}"

    def inner(self, kind: str, name: str = "") -> Scope:
        """A scope nested in this one."""
        path = f"{self.path}.{name}".lstrip(".") if name else self.path
        return Scope(kind, self, path, counter=self.counter)

    def visible_aliases(self) -> list[Alias]:
        """Aliases by the name they have here; class bodies hide from functions."""
        found: dict[str, Alias] = {}
        here: Scope | None = self
        first = True
        while here is not None:
            if first or here.kind != "class":
                for alias in here.aliases:
                    found.setdefault(alias.name, alias)
            first = False
            here = here.parent
        return list(found.values())

    def visible_numbers(self) -> list[str]:
        """Names of integers that can be read here."""
        found: list[str] = []
        here: Scope | None = self
        first = True
        while here is not None:
            if first or here.kind != "class":
                found += here.numbers
            first = False
            here = here.parent
        return found

    def is_taken(self, name: str) -> bool:
        """Whether reading an accessor name here gives something else."""
        here: Scope | None = self
        first = True
        while here is not None:
            if first or here.kind != "class":
                if name in here.taken:
                    return True
                if name in here.imported:
                    return False
            first = False
            here = here.parent
        return False

    def around(self) -> Scope:
        """The scope in which a walrus here binds: comprehensions have none."""
        scope = self
        while scope.kind == "comprehension" and scope.parent is not None:
            scope = scope.parent
        return scope

    def in_def(self) -> bool:
        """Whether a ``def`` is around."""
        here: Scope | None = self
        while here is not None:
            if here.kind == "function":
                return True
            here = here.parent
        return False


@dataclass
class Module:
    """A module while it is written."""

    name: str
    draw: Draw
    scope: Scope
    is_package: bool = False
    #: The accessors' module imports this one: an import back must be local.
    cyclic: bool = False
    owner: bool = False
    kept: bool = False
    future: bool = False
    #: Imports and whatever they need, then code.
    head: Lines = field(default_factory=list)
    pieces: list[Lines] = field(default_factory=list)
    #: Ways to spell the record at module level of this module.
    bases: list[Base] = field(default_factory=list)
    calls: list[str] = field(default_factory=list)
    #: Calls of probes of the machine, as this module spells them.
    probes: tuple[str, ...] = ()
    #: It reads the record when it is imported.
    after_publish: bool = False
    tail: Lines = field(default_factory=list)


@dataclass(frozen=True)
class Place:
    """Where code stands."""

    module: Module
    scope: Scope
    #: Code here waits for a call.
    live: bool = False
    #: A handler that may catch what an unpublished record raises is around.
    caught: bool = False
    asynchronous: bool = False
    generator: bool = False
    loop: bool = False
    suppressed: bool = False
    in_fstring: bool = False
    walrus: bool = True
    #: It runs before the record is published.
    early: bool = False
    #: Bases that only hold here, such as ``self`` of a method.
    own: tuple[Base, ...] = ()
    depth: int = 0

    def deeper(self, **changes: object) -> Place:
        """The same place, one level further in."""
        return replace(self, depth=self.depth + 1, **changes)  # type: ignore[arg-type]


@dataclass
class Program:
    """Everything of one program while it is written."""

    draw: Draw
    pack: PackWords
    features: frozenset[str]
    sites: list[Site] = field(default_factory=list)
    #: Marks of places where the record escapes: scan has to list a use on the line.
    escapes: set[int] = field(default_factory=set)
    modules: list[Module] = field(default_factory=list)
    #: Mapping of exported bases: text of the import → base, for other modules.
    families: list[object] = field(default_factory=list)

    #: Names are told apart over the whole program: attributes are followed by name.
    counter: list[int] = field(default_factory=lambda: [0])

    def label(self) -> str:
        """A new label for the trace."""
        return f"p{len(self.sites)}"

    def escape(self) -> str:
        """A mark for an expression by which the record leaves what scan follows."""
        site = Site(len(self.sites), "", "escape", None, "", "")
        self.sites.append(site)
        return mark(site.number)

    def read(
        self,
        place: Place,
        base: Base,
        name: str,
        via: str = "attribute",
        context: str = "load",
    ) -> str:
        """The mark of a read of ``name`` off ``base`` at ``place``."""
        decision, reason = self.expect(place, base, name, context)
        site = Site(
            len(self.sites),
            name,
            decision,
            reason,
            base.form,
            via,
            place.in_fstring,
            place.scope.path,
            place.module.name,
        )
        self.sites.append(site)
        return mark(site.number)

    def expect(
        self, place: Place, base: Base, name: str, context: str = "load"
    ) -> tuple[str, str | None]:
        """Decision and reason of a read, in the order that DESIGN.md checks them."""
        if base.unlisted:
            return "unlisted", None
        reason = self._reason(place, base, name, context)
        return ("keep", reason) if reason else ("convert", None)

    def _reason(self, place: Place, base: Base, name: str, context: str) -> str | None:
        module = place.module
        if place.suppressed:
            return "suppressed"
        if module.owner:
            return "owner"
        if module.kept:
            return "per-instance"
        parts = place.scope.path.split(".")
        if name == "zeta" and any(part.startswith("keep_") for part in parts):
            return "named-keep"
        if "listed" in base.statuses:
            return "parameter"
        if "parameter" in base.statuses:
            return "backfill"
        if base.statuses != YES:
            return "ambiguous"
        if context in ("store", "del"):
            return "write-target"
        if not place.live:
            return "import-time"
        if (place.caught or base.caught) and not self.pack.same:
            return "guarded"
        if place.early:
            return "pre-publish"
        if base.acts and (name in world.MEMBERS or name in world.ROUTES):
            return "side-effect"
        if name in world.MEMBERS:
            return "derived"
        if name == world.CONFIGURED and self.pack.configured:
            return "configured"
        if name not in world.ROUTES:
            return "unrouted"
        if context == "pattern" and not world.ROUTES[name].startswith("serve"):
            return "name-taken"  # a pattern holds no call
        return None if self._has_name(place, name) else "name-taken"

    def _has_name(self, place: Place, name: str) -> bool:
        root = world.ROUTES[name].partition(".")[0]
        if place.module.cyclic and not place.scope.in_def():
            return False
        names = (world.ACCESSORS[root], world.ALIASES[root])
        return not all(place.scope.is_taken(each) for each in names)
