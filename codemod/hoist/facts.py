"""What one file says about local imports, small and picklable."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from codemod.hoist.ir import TopLevel

#: The name of a ``Patch`` that may replace any attribute.
ANY_NAME = "*"

ContextKind = Literal[
    "if",
    "else",
    "try",
    "except",
    "match",
    "with",
    "suppress",
    "patch",
    "guard",
    "setup",
]


@dataclass(frozen=True, slots=True, order=True)
class Imported:
    """What an import statement names: ``from module import name`` or ``import module``.

    ``module`` is absolute. ``name`` is "" for ``import module``, ``asname`` "" when
    there is none. ``level`` counts the dots it is written with.
    """

    module: str
    name: str = ""
    asname: str = ""
    level: int = 0

    @property
    def bound(self) -> str:
        """The name it binds."""
        return self.asname or self.name or self.module.partition(".")[0]

    def same_object(self, other: Imported) -> bool:
        """Whether both bind the same name to the same object.

        ``import a.b`` and ``import a.c`` do: both bind ``a``.
        """
        if self.bound != other.bound:
            return False
        if not (self.name or self.asname or other.name or other.asname):
            return True
        return (self.module, self.name) == (other.module, other.name)

    def __str__(self) -> str:
        tail = f" as {self.asname}" if self.asname else ""
        if self.name:
            return f"from {self.module} import {self.name}{tail}"
        return f"import {self.module}{tail}"


@dataclass(frozen=True, slots=True)
class Context:
    """A statement between the function and the import that may guard it.

    ``text`` is its test or handler as written. ``guard`` is an ``if`` before the import
    that leaves the function, ``setup`` a statement before it that prepares what an
    import may read. ``platform`` is true for a test that asks about the
    machine or what is installed.
    """

    kind: ContextKind
    line: int
    text: str = ""
    platform: bool = False


@dataclass(frozen=True, slots=True)
class LocalImport:
    """One name of one import statement inside a function.

    ``ordinal`` is the statement's ``import`` anchor (``codemod.model.Anchor``),
    ``offset`` its column as ``ast`` has it. ``scope`` numbers the block of code whose
    name it binds, ``outer`` the functions around it that bind the same name, and
    ``scope_names`` what else they bind it to. ``taken`` says why the name cannot move
    to module level, "" when it can as far as this file shows. ``used_before`` is the
    line of a use before the import, 0 for none. ``purpose`` is what a comment says it
    is local for.
    """

    imported: Imported
    line: int
    column: int
    end_line: int
    offset: int
    ordinal: int
    function: str
    text: str
    scope: int
    outer: tuple[int, ...] = ()
    contexts: tuple[Context, ...] = ()
    used: bool = True
    used_before: int = 0
    taken: str = ""
    suppression: str = ""
    purpose: str = ""

    @property
    def bound(self) -> str:
        """The name it binds."""
        return self.imported.bound


@dataclass(frozen=True, slots=True)
class ModuleImport:
    """One import statement at the module's own level.

    ``where`` is ``plain`` for one that stands directly in the module, ``typing`` under
    ``TYPE_CHECKING``, else ``guarded``. ``spelled`` is the module as a ``from`` import
    names it, without the ``level`` dots. ``star`` imports have no ``names``.
    """

    names: tuple[Imported, ...]
    line: int
    end_line: int
    ordinal: int
    where: Literal["plain", "typing", "guarded"]
    is_from: bool
    module: str
    level: int
    spelled: str = ""
    star: bool = False


@dataclass(frozen=True, slots=True)
class Patch:
    """Somebody replaces ``module``'s attribute ``name`` while the program runs.

    ``name`` is "" when the module itself is replaced in ``sys.modules``, ``ANY_NAME``
    when only running can tell which. ``how`` is the code that does it.
    """

    module: str
    name: str
    file: str
    line: int
    how: str


@dataclass(frozen=True, slots=True)
class FileImports:
    """What one file says: its program, its local imports, what it patches.

    ``wants`` are the names it takes from modules, by ``from`` imports anywhere, and
    ``stars`` the modules it takes all names from. ``has_exports`` tells whether it has
    an ``__all__`` that is not made of all its names. ``lists_names`` is the line that
    goes through the module's own names, 0 for none. ``body_start`` is the last line of
    its docstring and ``__future__`` imports; from ``leading_end`` on (0: never) its own
    functions may be called.
    ``problem`` says why its names could not be looked up.
    """

    path: str
    module: str
    is_package: bool
    top: TopLevel
    sites: tuple[LocalImport, ...] = ()
    imports: tuple[ModuleImport, ...] = ()
    patches: tuple[Patch, ...] = ()
    wants: tuple[tuple[str, str], ...] = ()
    stars: tuple[str, ...] = ()
    has_exports: bool = False
    lists_names: int = 0
    generated: bool = False
    body_start: int = 0
    leading_end: int = 0
    problem: str = ""
