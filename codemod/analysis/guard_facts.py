"""What the guards need to know of one file, and nothing a scan needs.

Made only when the guards are asked, of files that mention a word they watch, and cached
beside the facts of the scan. Dotted names are symbolic here too: the index says what
they mean.
"""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Watched:
    """What the guards look for, as last parts of dotted names.

    ``names`` are accessors, retired getters and the like, ``probes`` what matters only
    where a module is imported, outside of function bodies; ``modules`` those
    whose local imports are looked for; ``methods`` are writers of the record;
    ``parameters`` and ``classes`` name the record as a parameter. ``all_imports`` asks
    for the shadowing of every imported name.
    """

    names: frozenset[str] = frozenset()
    probes: frozenset[str] = frozenset()
    modules: frozenset[str] = frozenset()
    methods: frozenset[str] = frozenset()
    parameters: frozenset[str] = frozenset()
    classes: frozenset[str] = frozenset()
    all_imports: bool = False

    @property
    def words(self) -> frozenset[str]:
        """Every word whose presence makes a file worth a look.

        ``methods`` are common words: they count only where the record is mentioned.
        """
        named = self.names | self.probes | self.modules
        return named | self.parameters | self.classes | {"nsroute:"}

    def among(self, words: frozenset[str]) -> Watched:
        """What a file can have of it that holds just these of the words.

        ``modules`` stay, since a relative import need not spell them.
        """
        return replace(
            self,
            names=self.names & words,
            probes=self.probes & words,
            methods=self.methods & words,
            parameters=self.parameters & words,
            classes=self.classes & words,
        )

    def key(self) -> str:
        """A stable text of it, for cache keys."""
        parts = (
            self.names,
            self.probes,
            self.modules,
            self.methods,
            self.parameters,
            self.classes,
        )
        listed = "|".join(",".join(sorted(part)) for part in parts)
        return f"{listed}|{self.all_imports}"


@dataclass(frozen=True, slots=True)
class Mention:
    """A watched name, read: ``ref`` is the dotted name it is through imports.

    ``path`` are the attributes taken off it (off its result when ``called``),
    ``keywords`` the names of the keyword arguments when the last of ``path`` is called.
    ``import_time`` says that it runs when the module is imported. ``line`` and
    ``column`` are of the whole expression ``text``.
    """

    ref: str
    line: int
    column: int
    function: str
    text: str
    called: bool
    path: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    import_time: bool = False


@dataclass(frozen=True, slots=True)
class MethodCall:
    """A call of a writer method on anything: where its expression starts, and the
    names of its keyword arguments (``**`` for those nobody can read off)."""

    line: int
    column: int
    method: str
    keywords: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Shadow:
    """A use of a name that a local binding hides from an import around.

    ``outer`` is the dotted name the import around binds, ``inner`` the dotted name a
    local import binds, or "". ``state`` says whether the local name is bound at the
    use: ``unbound``, ``maybe``, or ``bound`` (another meaning). ``binding`` is the line
    of the first local binding and ``kind`` its form.
    """

    name: str
    outer: str
    inner: str
    line: int
    column: int
    function: str
    state: str
    binding: int
    kind: str
    called: bool


@dataclass(frozen=True, slots=True)
class LocalImport:
    """An import statement in a function: what it imports, and its text."""

    line: int
    column: int
    function: str
    modules: tuple[str, ...]
    text: str


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter that is named or annotated as the record.

    ``read`` says whether anything in the function reads it, ``pinned`` why the
    signature is not the function's own to change: it is a stub, or decorated.
    """

    name: str
    line: int
    column: int
    function: str
    class_path: str
    annotations: tuple[str, ...]
    read: bool
    pinned: str = ""


@dataclass(frozen=True, slots=True)
class Comment:
    """A keep comment: the lines it covers, its own line, its reason code."""

    first_line: int
    last_line: int
    line: int
    reason: str


@dataclass(frozen=True, slots=True)
class GuardFacts:
    """Everything the guards keep of one file."""

    mentions: tuple[Mention, ...] = ()
    method_calls: tuple[MethodCall, ...] = ()
    shadows: tuple[Shadow, ...] = ()
    local_imports: tuple[LocalImport, ...] = ()
    parameters: tuple[Parameter, ...] = ()
    comments: tuple[Comment, ...] = ()
    bad_comments: tuple[tuple[int, str], ...] = ()
    problem: tuple[int, str] | None = None
