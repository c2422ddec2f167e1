"""Bindings that nothing reads once the planned reads are converted.

Found on the text before the rewrite, by taking away the names that converted reads were
taken from; so one pass over the file rewrites and cleans up. What was unused before is
left as it was.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from codemod.analysis.handlers import could_catch, guard_names
from codemod.analysis.leaving import leaving_expressions
from codemod.analysis.origins import Flow
from codemod.analysis.quoted import Quoted
from codemod.analysis.scopes import Binding, Scope, lookup_scopes
from codemod.analysis.spots import Spot
from codemod.analysis.vocabulary import Vocabulary
from codemod.analysis.walk import Walker
from codemod.model import Anchor
from codemod.plan import (
    Edit,
    RemoveImportName,
    RemoveStatement,
    UnwrapStatement,
    UnwrapWalrus,
)


@dataclass(frozen=True, slots=True)
class DeadQuestion:
    """What has to be known to find dead bindings in one file.

    ``converted`` are the anchors of the reads that go; ``getters`` the dotted names
    whose call has no effect; ``visible`` the module-level names that something outside
    the file may see, None for all of them; ``used`` names that the rewrite will use;
    ``raised`` what an unpublished record raises; ``edits`` are planned edits of other
    kinds, with what they take out of the file; ``unread`` are bindings to remove that
    nothing reads as it is, each by its name and the kind and ordinal of its statement.
    """

    converted: frozenset[tuple[str, int]]
    getters: frozenset[str]
    visible: frozenset[str] | None
    used: frozenset[str]
    raised: str | None
    edits: tuple[Edit, ...] = ()
    unread: frozenset[tuple[str, str, int]] = frozenset()
    spelled: frozenset[str] = frozenset()


def dead_edits(
    tree: ast.Module,
    module: str,
    is_package: bool,
    vocabulary: Vocabulary,
    question: DeadQuestion,
) -> tuple[Edit, ...]:
    """Edits that remove what the converted reads leave unread, to a fixpoint."""
    walker = Walker(vocabulary, module, is_package)
    walker.walk(tree)
    leaving = leaving_expressions(tree, question.edits)
    quoted = Quoted(tree, leaving, question.spelled)
    return _Finder(walker, module, vocabulary, question, leaving, quoted).edits()


class _Finder:
    def __init__(
        self,
        walker: Walker,
        module: str,
        vocabulary: Vocabulary,
        question: DeadQuestion,
        leaving: Iterable[ast.expr],
        quoted: Quoted,
    ) -> None:
        self.walker = walker
        self.quoted = quoted
        self.question = question
        self.flow = Flow(vocabulary, module, walker.stars)
        self.gone: set[int] = set()
        self.found: dict[tuple[str, int, str], Edit] = {}
        self.assign_of = {
            id(spot.node.value): spot
            for spot in walker.assigns
            if getattr(spot.node, "value", None) is not None
        }
        self.walrus_of = {id(spot.node.value): spot for spot in walker.walruses}
        self.walrus_bases: set[int] = set()
        for base in self._converted_bases():
            if isinstance(base, ast.NamedExpr):
                self.walrus_bases.add(id(base.value))
            self.gone.update(id(part) for part in ast.walk(base))
        #: Expressions that something is taken off.
        self.read_bases = {
            *(id(spot.node.value) for spot in walker.attributes),
            *(id(spot.node.value) for spot in walker.subscripts),
            *(
                id(spot.node.args[0])
                for spot in walker.calls
                if spot.node.args and getattr(spot.node.func, "id", "") == "getattr"
            ),
        }
        for expression in leaving:
            self.gone.update(id(part) for part in ast.walk(expression))
        #: Scopes whose names code may ask for that does not spell them.
        self.looked_into = {
            id(_block(spot.scope))
            for name in _LOOK_INTO
            for spot in walker.names.get(name, ())
        }
        if "globals" in walker.names:
            self.looked_into.add(id(walker.root))

    def _converted_bases(self) -> Iterator[ast.expr]:
        """The expressions that converted reads take the record from."""
        wanted = self.question.converted
        for spot in self.walker.attributes:
            if ("attribute", spot.ordinal) in wanted:
                yield spot.node.value
        for spot in self.walker.subscripts:
            if ("subscript", spot.ordinal) in wanted:
                yield spot.node.value
        for spot in self.walker.calls:
            if ("call", spot.ordinal) in wanted:
                func = spot.node.func
                by_get = isinstance(func, ast.Attribute) and func.attr == "get"
                yield func.value if by_get else spot.node.args[0]

    def edits(self) -> tuple[Edit, ...]:
        names = {
            name
            for name, spots in self.walker.names.items()
            if any(id(spot.node) in self.gone for spot in spots)
        }
        done: set[tuple[int, str]] = set()
        names |= self.quoted.leaving
        names |= self._take_unread(done)
        while names:
            touched: set[str] = set()
            for name in sorted(names):
                touched |= self._check(name, done)
            names = touched
        # A walrus whose read is converted goes with that read's own edit.
        return tuple(self.found[key] for key in sorted(self.found) if key[0] != "gone")

    def _check(self, name: str, done: set[tuple[int, str]]) -> set[str]:
        """Plan the removal of ``name`` where it is dead; give the names it freed."""
        freed: set[str] = set()
        by_owner: dict[int, tuple[Scope, list[Spot]]] = {}
        root = self.walker.root
        if name in self.quoted.leaving and name in root.bindings:
            by_owner[id(root)] = (root, [])
        for spot in self.walker.names.get(name, ()):
            for owner in lookup_scopes(name, spot.scope):
                by_owner.setdefault(id(owner), (owner, []))[1].append(spot)
        for key, (owner, spots) in by_owner.items():
            if (key, name) in done or any(id(s.node) not in self.gone for s in spots):
                continue
            freed |= self._take(name, owner, spots, done)
        return freed

    def _take(
        self, name: str, owner: Scope, spots: list[Spot], done: set[tuple[int, str]]
    ) -> set[str]:
        """Plan the removal of a name that nothing reads; give the names it freed."""
        edits = self._removal(name, owner, spots)
        if edits is None:
            return set()
        freed: set[str] = set()
        done.add((id(owner), name))
        for where, edit, value in edits:
            self.found[where] = edit
            if value is not None and not isinstance(edit, UnwrapStatement):
                for part in ast.walk(value):
                    self.gone.add(id(part))
                    if isinstance(part, ast.Name):
                        freed.add(part.id)
        return freed

    def _take_unread(self, done: set[tuple[int, str]]) -> set[str]:
        """Plan the removal of what nothing read before; give the names it freed."""
        unread = self.question.unread
        if not unread:
            return set()
        owners: dict[tuple[int, str], tuple[Scope, int]] = {}
        statements = [("assign", spot) for spot in self.walker.assigns]
        statements += [("import", spot) for spot in self.walker.import_statements]
        for kind, spot in statements:
            for name in (n for n, k, o in unread if (k, o) == (kind, spot.ordinal)):
                owner = self.walker.root if name in spot.scope.globals else spot.scope
                _, count = owners.get((id(owner), name), (owner, 0))
                owners[id(owner), name] = owner, count + 1
        freed: set[str] = set()
        for (_, name), (owner, count) in owners.items():
            # Only when they are all its bindings is it nothing but the record.
            if count == len(owner.bindings.get(name, ())):
                freed |= self._take(name, owner, [], done)
        return freed

    def _removal(
        self, name: str, owner: Scope, reads: list[Spot]
    ) -> list[tuple[tuple[str, int, str], Edit, ast.expr | None]] | None:
        """How to remove every binding of a dead name, or None when one must stay."""
        question = self.question
        if owner.kind == "class" or name in question.used:
            return None
        if id(owner) in self.looked_into:
            return None
        if name in self.walker.declared:
            return None  # a ``global`` or ``nonlocal`` needs the binding
        if owner.kind == "module" and (
            question.visible is None
            or name in question.visible
            or name in self.quoted.staying
            or name in self.quoted.asked
        ):
            return None
        found = []
        for binding in owner.bindings[name]:
            edit = self._remove_binding(name, binding, reads)
            if edit is None:
                return None
            found.append(edit)
        return found

    def _remove_binding(
        self, name: str, binding: Binding, reads: list[Spot]
    ) -> tuple[tuple[str, int, str], Edit, ast.expr | None] | None:
        if binding.kind == "import":
            return self._remove_import(name, binding)
        if binding.kind == "declared":
            return self._remove_declaration(name, binding)
        if binding.kind != "value":
            return None
        value = binding.node
        assert isinstance(value, ast.expr)
        walrus = self.walrus_of.get(id(value))
        if walrus is not None:
            edit = UnwrapWalrus(Anchor("walrus", walrus.ordinal))
            with_read = id(value) in self.walrus_bases
            if not with_read and id(walrus.node) in self.read_bases:
                return None  # what is read off it stays, as it is written
            return ("gone" if with_read else "walrus", walrus.ordinal, name), edit, None
        spot = self.assign_of.get(id(value))
        if spot is None or not _binds_only(spot.node, name):
            return None
        if not self._has_no_effect(value, spot.scope):
            return None
        anchor = Anchor("assign", spot.ordinal)
        where = ("assign", spot.ordinal, name)
        if could_catch(guard_names(spot.guards), self.question.raised) or any(
            self._caught_only_there(read, spot) for read in reads
        ):
            if not isinstance(value, ast.Call):
                return None
            return where, UnwrapStatement(anchor), value
        return where, RemoveStatement(anchor), value

    def _remove_declaration(
        self, name: str, binding: Binding
    ) -> tuple[tuple[str, int, str], Edit, ast.expr | None] | None:
        """``name: T`` in a function does nothing but make the name local (7.2.2)."""
        for spot in self.walker.assigns if binding.scope.kind == "function" else ():
            if (
                isinstance(spot.node, ast.AnnAssign)
                and spot.node.value is None
                and (spot.scope, spot.node.lineno) == (binding.scope, binding.line)
                and _binds_only(spot.node, name)
            ):
                where = ("assign", spot.ordinal, name)
                return where, RemoveStatement(Anchor("assign", spot.ordinal)), None
        return None

    def _caught_only_there(self, read: Spot, binding: Spot) -> bool:
        """Whether a handler would catch at the read what it cannot at the binding.

        With the binding gone an unpublished record fails at the read, so the binding's
        value has to be asked for where it was. What a function inside reads fails where
        that function is called.
        """
        guards = read.guards
        home = _function(binding.scope)
        if _function(read.scope) is not home:
            for call in self.walker.calls:
                if call.guards and _function(call.scope) is home:
                    guards += call.guards
        more = tuple(g for g in guards if not any(g is b for b in binding.guards))
        return could_catch(guard_names(more), self.question.raised)

    def _remove_import(
        self, name: str, binding: Binding
    ) -> tuple[tuple[str, int, str], Edit, ast.expr | None] | None:
        if could_catch(guard_names(binding.guards), "ImportError"):
            return None  # ``try: import x`` asks whether x is there
        for spot in self.walker.import_statements:
            if spot.node.lineno == binding.line and spot.scope is binding.scope:
                bound = {
                    alias.asname or alias.name.partition(".")[0]
                    for alias in spot.node.names
                }
                if name in bound:
                    anchor = Anchor("import", spot.ordinal)
                    return (
                        ("import", spot.ordinal, name),
                        RemoveImportName(anchor, name),
                        None,
                    )
        return None

    def _has_no_effect(self, node: ast.expr, scope: Scope) -> bool:
        """Whether evaluating an expression does nothing that anyone could notice."""
        if isinstance(node, ast.Name):
            return True
        if isinstance(node, ast.Attribute):
            return self._has_no_effect(node.value, scope)
        if isinstance(node, (ast.BoolOp, ast.IfExp)):
            parts = (
                node.values
                if isinstance(node, ast.BoolOp)
                else [node.test, node.body, node.orelse]
            )
            return all(self._has_no_effect(part, scope) for part in parts)
        if isinstance(node, ast.Call) and not node.args and not node.keywords:
            origins = self.flow.of(node.func, scope)
            return bool(origins) and all(
                o[0] == "ref" and o[1] in self.question.getters for o in origins
            )
        return False


#: Builtins that show or use the names of the block that calls them.
_LOOK_INTO = ("locals", "vars", "dir", "eval", "exec")


def _block(scope: Scope) -> Scope:
    """The scope whose names ``locals()`` shows: comprehensions show those around."""
    while scope.kind == "comprehension" and scope.parent is not None:
        scope = scope.parent
    return scope


def _function(scope: Scope) -> Scope:
    """The function or module whose code runs in a scope when it runs itself."""
    while scope.kind in ("comprehension", "class") and scope.parent is not None:
        scope = scope.parent
    return scope


def _binds_only(node: ast.stmt, name: str) -> bool:
    """Whether an assignment statement binds one plain name and nothing else."""
    if isinstance(node, ast.Assign):
        targets = node.targets
    elif isinstance(node, ast.AnnAssign):
        targets = [node.target]
    else:
        return False
    return (
        len(targets) == 1 and isinstance(targets[0], ast.Name) and targets[0].id == name
    )
