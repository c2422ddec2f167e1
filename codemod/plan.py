"""What a rewrite is told to do to one file: edits that name nodes by anchor.

An edit says what, never how: the decision is made before, the formatting is kept
after. Anchors count nodes of the text the edits are applied to.
"""

from __future__ import annotations

from dataclasses import dataclass

from codemod.model import Anchor, Via


@dataclass(frozen=True, slots=True)
class ReadEdit:
    """Turn one read into accessor, path and field.

    ``accessor`` is source text (``get_exec()``, or ``settings`` for an object),
    ``path`` the rest of the namespace (``("kernel",)``), ``field`` the last name.
    ``get_server_args().x`` becomes ``get_exec().kernel.x``; with ``via="getattr"`` and
    a default, ``getattr(sa, "x", d)`` becomes ``getattr(get_exec().kernel, "x", d)``.
    """

    anchor: Anchor
    via: Via
    field: str
    accessor: str
    path: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AddImport:
    """Bind ``from module import name [as asname]``.

    ``function`` is the anchor of the ``def`` that gets it, or None for module level.
    """

    module: str
    name: str
    asname: str | None = None
    function: Anchor | None = None


@dataclass(frozen=True, slots=True)
class RemoveStatement:
    """Delete an assignment statement whose target nothing reads any more."""

    anchor: Anchor


@dataclass(frozen=True, slots=True)
class UnwrapStatement:
    """Turn ``name = value`` into ``value``: the value must still be evaluated there.

    For a binding inside a ``try``, whose failure the handler waits for.
    """

    anchor: Anchor


@dataclass(frozen=True, slots=True)
class UnwrapWalrus:
    """Turn ``(name := value)`` into ``value``, with the parentheses it still needs."""

    anchor: Anchor


@dataclass(frozen=True, slots=True)
class RemoveImportName:
    """Delete one bound name from an import statement, and the statement when empty.

    ``bound`` is the name as the statement binds it (the ``as`` name, if any).
    """

    anchor: Anchor
    bound: str


@dataclass(frozen=True, slots=True)
class ReplaceExpression:
    """Put other source text where an attribute, call or subscript stands.

    ``get_config().is_large`` becomes ``is_large()``; of ``rec.override(…)`` the anchor
    of the attribute changes what is called and leaves the arguments as they are. The
    expression's own parentheses and comments stay.
    """

    anchor: Anchor
    text: str


@dataclass(frozen=True, slots=True)
class SplitCall:
    """Make two statements of a call: the keywords ``moved`` go to one of ``callee``.

    Positional arguments, and the keyword ``shared``, go to both. ``names`` are the
    arguments to bind to local names first, each by its keyword, or by its number as
    text when it is positional; ``moved_first`` says which call comes first.
    """

    anchor: Anchor
    callee: str
    moved: tuple[str, ...]
    moved_first: bool
    names: tuple[tuple[str, str], ...] = ()
    shared: str | None = None


@dataclass(frozen=True, slots=True)
class RemoveArguments:
    """Take arguments out of a call: by keyword, or by number (from 0) as text."""

    anchor: Anchor
    keys: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RemoveParameters:
    """Take parameters out of a ``def``, with their annotations and defaults."""

    anchor: Anchor
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class WrapRest:
    """Take out the statement that is this call, and put ``with text:`` around the rest
    of its block."""

    anchor: Anchor
    text: str


Edit = (
    ReadEdit
    | AddImport
    | RemoveStatement
    | UnwrapStatement
    | UnwrapWalrus
    | RemoveImportName
    | ReplaceExpression
    | SplitCall
    | RemoveArguments
    | RemoveParameters
    | WrapRest
)


@dataclass(frozen=True, slots=True)
class FilePlan:
    """All edits of one file, with what import placement has to know of it."""

    path: str
    module: str
    is_package: bool
    edits: tuple[Edit, ...]
