"""The flow of the record through one walked file, asked only where it may lead.

Ties the walk, the quick filter and the exact origins together: an expression is asked
for its origins only when the names in it are suspects.
"""

from __future__ import annotations

import ast

from codemod.analysis.handlers import Guard
from codemod.analysis.origins import Flow, Origins, mangled, spelled
from codemod.analysis.scopes import Scope
from codemod.analysis.suspects import Suspects
from codemod.analysis.vocabulary import Vocabulary
from codemod.analysis.walk import Walker

#: What a class that sets attributes by other ways than assignment spells: see
#: ``codemod.analysis.opened``.
_OPENING = frozenset(
    {"metaclass", "__getattr", "__setattr__", "__setstate__", "setattr", "__dict__"}
    | {"vars("}
)


class FileFlow:
    """Answers about the record in one file."""

    def __init__(self, walker: Walker, vocabulary: Vocabulary, module: str) -> None:
        self.walker = walker
        self.vocabulary = vocabulary
        self.module = module
        stashes = vocabulary.stashes
        while True:
            self.suspects = Suspects(walker, vocabulary, stashes)
            self.exact = Flow(vocabulary, module, walker.stars)
            self.exact.stash_names |= stashes
            self.exact.class_nodes = {i.path: n for n, _, i in walker.classes}
            found = stashes | self._stashed()
            more = walker.hits is not None and walker.hits.add(
                (self.suspects.names & walker.root.bindings.keys())
                | spelled(found)
                | (_OPENING if found else frozenset())
            )
            if more:
                walker.resume()
            elif found == stashes:
                break
            stashes = found
        self.stash_names = stashes
        self._by_name: dict[tuple[str, int], Origins | None] = {}

    def class_values(self) -> list[tuple[str, ast.expr, Scope]]:
        """Names that class bodies bind to expressions: name, value, body scope."""
        return [
            (name, binding.node, inner)
            for _, _, inner in self.walker.classes
            for name, bindings in inner.bindings.items()
            for binding in bindings
            if binding.kind == "value" and isinstance(binding.node, ast.expr)
        ]

    def class_imports(self) -> list[tuple[str, str, Scope]]:
        """Names that class bodies import: mangled name, dotted name, body scope."""
        return [
            (mangled(name, inner), binding.ref, inner)
            for _, _, inner in self.walker.classes
            for name, bindings in inner.bindings.items()
            for binding in bindings
            if binding.kind == "import"
        ]

    def _stashed(self) -> frozenset[str]:
        """Attributes that this file binds to what may be the record."""
        found: set[str] = set()
        known = self.vocabulary.attributes
        for spot, value in self.walker.attribute_stores:
            name = mangled(spot.node.attr, spot.scope)
            if (
                value is not None
                and name not in known
                and self.suspects.expression(value)
                and self.holds_record(self.exact.of(value, spot.scope))
            ):
                found.add(name)
        for name, value, scope in self.class_values():
            if (
                name not in known
                and self.suspects.expression(value)
                and self.holds_record(self.exact.of(value, scope))
            ):
                found.add(mangled(name, scope))
        for name, ref, _ in self.class_imports():
            if name not in known and _last(ref) in self.vocabulary.objects:
                found.add(name)
        return frozenset(found)

    def record_origins(self, node: ast.expr, scope: Scope) -> Origins | None:
        """The origins of an expression that may be the record, else None."""
        if type(node) is ast.Name:
            if node.id not in self.suspects.names:
                return None
            key = (node.id, id(scope))
            if key not in self._by_name:
                found = self.exact.of_name(node.id, scope)
                self._by_name[key] = found if self.may_be_record(found) else None
            return self._by_name[key]
        if not self.suspects.expression(node):
            return None
        found = self.exact.of(node, scope)
        return found if self.may_be_record(found) else None

    def binding_guards(self, node: ast.expr, scope: Scope) -> tuple[Guard, ...]:
        """Handlers around the bindings that give an expression's names their value."""
        return self.exact.binding_guards(node, scope)

    def holds_record(self, origins: Origins) -> bool:
        """Whether an origin could be the record itself, not merely a parameter."""
        return self.may_be_record(frozenset(o for o in origins if o[0] != "param"))

    def may_be_record(self, origins: Origins) -> bool:
        """Whether some origin could be the record by its spelling."""
        words = self.vocabulary
        for origin in origins:
            kind = origin[0]
            if kind == "attr" or kind == "stash":
                return True
            if kind == "call" and _last(origin[1]) in words.getters:
                return True
            if kind == "ref" and (
                _last(origin[1]) in words.objects
                or _last(origin[1]) in self.exact.stash_names
            ):
                return True
            if kind == "param" and (origin[1] or self._annotated(origin[2])):
                return True
        return False

    def is_getter(self, origins: Origins) -> bool:
        """Whether some origin could be a getter of the record, not called."""
        return any(
            o[0] == "ref" and _last(o[1]) in self.vocabulary.getters for o in origins
        )

    def _annotated(self, annotations: str) -> bool:
        return any(
            _last(ref) in self.vocabulary.classes for ref in annotations.split("|")
        )


def _last(ref: str) -> str:
    return ref.rpartition(".")[2]
