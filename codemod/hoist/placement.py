"""Where at module level a hoisted import goes.

It joins the module's own import of the same module where there is one; else it goes
among its siblings in the file's own order (``codemod.rewrite`` has that rule). An
import in ``try``, ``if`` or ``TYPE_CHECKING`` does not bind the name for sure, and one
below code that may call the module's functions does not bind it in time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from codemod.hoist.facts import FileImports, Imported, ModuleImport
from codemod.hoist.store import Order


@dataclass(frozen=True, slots=True)
class Place:
    """The module-level statement an import joins, or stands before or after.

    In the order of execution it comes after everything that starts in ``line`` or
    before; 0 is the start of the module's code. ``join``, ``before`` and ``after`` are
    ``import`` anchors' ordinals, -1 for none.
    """

    line: int
    join: int = -1
    after: int = -1
    before: int = -1


def present(imported: Imported, file: FileImports) -> ModuleImport | None:
    """The plain module-level import that binds the same name to the same object."""
    for statement in file.imports:
        if statement.where != "plain":
            continue
        for other in statement.names:
            same = other.same_object(imported)
            # ``import a.b`` and ``import a.c`` bind the same name, but load different
            # modules.
            if same and (imported.name or other.module == imported.module):
                return statement
    return None


def place(imported: Imported, file: FileImports) -> Place:
    """Where ``imported`` goes in ``file``, which does not import it yet."""
    leading = leading_imports(file)
    for statement in leading if imported.name else ():
        joins = statement.is_from and not statement.star
        if joins and statement.module == imported.module:
            return Place(statement.line, join=statement.ordinal)
    if not leading:
        return Place(file.body_start)
    index = _index(imported, file, leading)
    if 0 < index < len(leading):
        mine = section(imported.module, imported.level > 0, file)
        following = leading[index]
        # The first of its section stands with it, below the blank line.
        if section_of(leading[index - 1], file) != mine == section_of(following, file):
            return Place(following.line - 1, before=following.ordinal)
    if index:
        after = leading[index - 1]
        return Place(after.line, after=after.ordinal)
    return Place(leading[0].line - 1, before=leading[0].ordinal)


def leading_imports(file: FileImports) -> list[ModuleImport]:
    """The plain imports that run before any function of the module can be called."""
    return [
        statement
        for statement in file.imports
        if statement.where == "plain"
        and not (file.leading_end and statement.line >= file.leading_end)
    ]


def _index(
    imported: Imported, file: FileImports, leading: Sequence[ModuleImport]
) -> int:
    """The index among ``leading`` that a new import is to be inserted at."""
    from codemod.rewrite.import_place import ImportLine, new_index

    def line(statement: ModuleImport) -> ImportLine:
        renaming = bool(statement.names) and all(n.asname for n in statement.names)
        if statement.is_from:
            module = "." * statement.level + statement.spelled
        else:
            module = statement.names[0].module
        number = section_of(statement, file)
        return ImportLine(number, statement.is_from, module, renaming)

    new = ImportLine(
        section(imported.module, imported.level > 0, file),
        bool(imported.name),
        spelled(imported, file),
        bool(imported.asname),
    )
    return new_index(new, {i: line(s) for i, s in enumerate(leading)}, 0)


def section_of(statement: ModuleImport, file: FileImports) -> int:
    """isort's section of an import that is there."""
    first = statement.names[0].module if statement.names else ""
    return section(statement.spelled or first, statement.level > 0, file)


def order_of(imported: Imported, at: Place, file: FileImports) -> Order:
    """How an import that comes to ``at`` is sorted among others that come there.

    Those that join a statement run with it, before new statements after it.
    """
    if at.join >= 0:
        return (-1, True, "")
    number = section(imported.module, imported.level > 0, file)
    module = spelled(imported, file) if imported.name else imported.module
    return (number, bool(imported.name), module.lower())


def section(module: str, relative: bool, file: FileImports) -> int:
    """isort's section of an import in ``file``, from the standard library on."""
    from codemod.rewrite import import_place

    return import_place.section_of(module, relative, file.module.partition(".")[0])


def spelled(imported: Imported, file: FileImports) -> str:
    """The module as the new statement names it: relative stays relative."""
    if not imported.level:
        return imported.module
    package = file.module.split(".")
    if not file.is_package:
        package = package[:-1]
    base = package[: len(package) - (imported.level - 1)]
    rest = imported.module.split(".")[len(base) :]
    return "." * imported.level + ".".join(rest)
