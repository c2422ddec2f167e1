"""The reads of a walked file, with all that a decision has to know of each.

A candidate is listed when at least one origin of its base could be the record by its
spelling. Whether it is one, and what becomes of it, is decided with the whole project
in view.
"""

from __future__ import annotations

import ast

from codemod.analysis.acting import acts
from codemod.analysis.comments import Suppression
from codemod.analysis.facts import Candidate, WalrusAlias
from codemod.analysis.flowing import FileFlow
from codemod.analysis.fstrings import repair_positions
from codemod.analysis.handlers import guard_names
from codemod.analysis.origins import Origins, literal_getattr, mangled
from codemod.analysis.positions import SourceLines
from codemod.analysis.scopes import Scope, lookup, lookup_scopes
from codemod.analysis.spots import Spot

_CONTEXTS: dict[type[ast.expr_context], str] = {
    ast.Load: "load",
    ast.Store: "store",
    ast.Del: "del",
}


class CandidateReads:
    """Collects the candidates of one file; ``bases`` are the expressions they read."""

    def __init__(
        self,
        flow: FileFlow,
        lines: SourceLines,
        suppressions: tuple[Suppression, ...],
    ) -> None:
        self.flow = flow
        self.walker = flow.walker
        self.words = flow.vocabulary
        self.lines = lines
        self.suppressions = suppressions
        self.found: list[Candidate] = []
        #: id of each base expression → the anchor of the candidate that reads it.
        self.bases: dict[int, tuple[str, int]] = {}
        self._claimed: set[int] = set()
        self._repaired: set[int] = set()
        self._walrus: list[tuple[ast.NamedExpr, Scope]] = []

    def collect(self) -> None:
        """Fill ``found``, in source order."""
        for spot in self.walker.calls:
            self._call(spot)
        for spot in self.walker.attributes:
            self._attribute(spot)
        for spot in self.walker.subscripts:
            self._subscript(spot)
        self.found.sort(key=lambda c: (c.line, c.column, c.end_line))

    def walrus_aliases(self) -> tuple[WalrusAlias, ...]:
        """For each candidate on ``(name := record)``, the other reads of the name."""
        found = []
        for node, scope in self._walrus:
            name = node.target.id
            owners = {id(owner) for owner in lookup_scopes(name, scope)}
            loads = [
                spot.node
                for spot in self.walker.names.get(name, ())
                if owners & {id(s) for s in lookup_scopes(name, spot.scope)}
            ]
            anchors = [self.bases[id(n)] for n in loads if id(n) in self.bases]
            found.append(WalrusAlias(name, len(loads), tuple(anchors)))
        return tuple(found)

    # -- the three ways to read -------------------------------------------------

    def _attribute(self, spot: Spot) -> None:
        node = spot.node
        if id(node) in self._claimed:
            return
        origins = self.flow.record_origins(node.value, spot.scope)
        # ``record.server_args`` holds the record again; dunders are no fields.
        if origins is None or node.attr in self.words.attributes:
            return
        if node.attr.startswith("__") and node.attr.endswith("__"):
            return
        self._add(
            spot,
            node.value,
            origins,
            via="attribute",
            field=mangled(node.attr, spot.scope),
            context="pattern"
            if id(node) in self.walker.in_pattern
            else _CONTEXTS[type(node.ctx)],
            anchor=("attribute", spot.ordinal),
            called=id(node) in self.walker.called,
        )

    def _call(self, spot: Spot) -> None:
        node = spot.node
        literal = literal_getattr(node, spot.scope)
        if literal is not None:
            base, name, default = literal
            if "getattr" not in self.words.access or name in self.words.attributes:
                return
            via = "getattr"
        else:
            read = _get_with_literal(node) if "get" in self.words.access else None
            if read is None:
                return
            base, name, default = read
            via = "get"
        origins = self.flow.record_origins(base, spot.scope)
        if origins is None:
            return
        if via == "get":
            self._claimed.add(id(node.func))
        self._add(
            spot,
            base,
            origins,
            via=via,
            field=name,
            anchor=("call", spot.ordinal),
            default=default,
        )

    def _subscript(self, spot: Spot) -> None:
        node = spot.node
        key = node.slice
        if not (isinstance(key, ast.Constant) and isinstance(key.value, str)):
            return
        origins = self.flow.record_origins(node.value, spot.scope)
        if origins is not None:
            self._add(
                spot,
                node.value,
                origins,
                via="subscript",
                field=key.value,
                context=_CONTEXTS[type(node.ctx)],
                anchor=("subscript", spot.ordinal),
            )

    # -- facts of one candidate -------------------------------------------------

    def _add(
        self,
        spot: Spot,
        base: ast.expr,
        origins: Origins,
        *,
        via: str,
        field: str,
        anchor: tuple[str, int],
        context: str = "load",
        called: bool = False,
        default: bool = False,
    ) -> None:
        node, scope = spot.node, spot.scope
        self.bases[id(base)] = anchor
        if spot.fstring is not None and id(spot.fstring) not in self._repaired:
            self._repaired.add(id(spot.fstring))
            repair_positions(spot.fstring, self.lines)
        guards = spot.guards + self.flow.binding_guards(base, scope)
        if context == "load" and _is_private(node, field, via, default, scope):
            context = "private"
        walrus = -1
        if isinstance(base, ast.NamedExpr):
            walrus = len(self._walrus)
            self._walrus.append((base, scope))
        taken, local = self._accessors_around(spot)
        origin_form, roots = self._origin(base, scope)
        end_line = node.end_lineno or node.lineno
        self.found.append(
            Candidate(
                line=node.lineno,
                column=self.lines.column(node.lineno, node.col_offset),
                end_line=end_line,
                function=scope.path,
                form=self._form(base, scope, origins),
                via=via,
                text=self.lines.segment(node),
                field=field,
                origins=tuple(sorted(origins)),
                anchor=anchor,
                origin_form=origin_form,
                roots=roots,
                context=context,
                guards=guard_names(guards),
                import_time=not scope.in_function(),
                called=called,
                default=default,
                suppression=self._suppression(node.lineno, end_line),
                taken=taken,
                local_imports=local,
                walrus=walrus,
                functions=spot.functions,
                acts=self._acts(base, scope),
            )
        )

    def _acts(self, base: ast.expr, scope: Scope) -> bool:
        """Whether something would not be done without the base.

        The name that ``(name := record)`` binds is settled with its other reads.
        """
        value = base.value if isinstance(base, ast.NamedExpr) else base
        return acts(value, scope, lambda call: self._gets(call, scope))

    def _gets(self, call: ast.Call, scope: Scope) -> bool:
        origins = self.flow.record_origins(call, scope)
        return origins is not None and {o[0] for o in origins} <= {"call", "ref"}

    def _form(self, base: ast.expr, scope: Scope, origins: Origins) -> str:
        kind = type(base)
        if isinstance(base, ast.Name):
            bindings = lookup(base.id, scope)
            kinds = {binding.kind for binding in bindings} - {"declared"}
            if "parameter" in kinds:
                return "parameter"
            return "object" if kinds <= {"import"} else "alias"
        if kind is ast.NamedExpr:
            return "alias"
        kinds_of_origin = {origin[0] for origin in origins}
        if "call" in kinds_of_origin:
            return "call"
        if "stash" in kinds_of_origin:
            return "stash"
        if "attr" in kinds_of_origin:
            value = base.value if isinstance(base, ast.Attribute) else None
            own = isinstance(value, ast.Name) and value.id == "self"
            return "self" if own else "attribute"
        return "object" if "ref" in kinds_of_origin else "parameter"

    def _origin(self, base: ast.expr, scope: Scope) -> tuple[str, tuple[str, ...]]:
        """The form of what an alias was bound to, and every name on the way to it."""
        forms: set[str] = set()
        names: set[str] = set()
        seen: set[int] = set()
        stack = [(base, scope)]
        while stack:
            node, here = stack.pop()
            if isinstance(node, ast.Name):
                names.add(node.id)
                for binding in lookup(node.id, here):
                    if binding.kind == "value" and id(binding) not in seen:
                        seen.add(id(binding))
                        assert isinstance(binding.node, ast.expr)
                        stack.append((binding.node, binding.scope))
                continue
            stack += [
                (child, here)
                for child in ast.iter_child_nodes(node)
                if isinstance(child, ast.expr)
            ]
            if node is not base and not isinstance(
                node, (ast.NamedExpr, ast.BoolOp, ast.IfExp)
            ):
                origins = self.flow.record_origins(node, here)
                if origins is not None:
                    forms.add(self._form(node, here, origins))
        if isinstance(base, (ast.Name, ast.NamedExpr)):
            ranked = ("attribute", "self", "stash", "call", "object")
            form = next((form for form in ranked if form in forms), "")
        else:
            form = ""
        return form, tuple(sorted(names))

    def _accessors_around(
        self, spot: Spot
    ) -> tuple[tuple[str, ...], tuple[tuple[str, str], ...]]:
        """Accessor names that scopes between the read and the module bind."""
        taken: set[str] = set()
        local: list[tuple[str, str]] = []
        for name in self.words.accessors & self.walker.bound_in_functions.keys():
            for scope in lookup_scopes(name, spot.scope):
                if scope.kind == "module":
                    continue
                bindings = scope.bindings[name]
                only = bindings[0]
                if (
                    len(bindings) == 1
                    and only.kind == "import"
                    and only.direct
                    and scope.kind == "function"
                    and only.line < spot.node.lineno
                ):
                    local.append((name, only.ref))
                else:
                    taken.add(name)
        return tuple(sorted(taken)), tuple(sorted(local))

    def _suppression(self, first: int, last: int) -> str | None:
        for each in self.suppressions:
            if each.first_line <= first and last <= each.last_line:
                return f"{each.reason}: {each.text}"
        return None


def _get_with_literal(node: ast.Call) -> tuple[ast.expr, str, bool] | None:
    """``(object, name, has a default)`` of ``object.get("name"[, default])``."""
    func = node.func
    if (
        isinstance(func, ast.Attribute)
        and func.attr == "get"
        and 1 <= len(node.args) <= 2
        and not node.keywords
        and isinstance(node.args[0], ast.Constant)
        and isinstance(node.args[0].value, str)
        and not any(isinstance(arg, ast.Starred) for arg in node.args)
    ):
        return func.value, node.args[0].value, len(node.args) == 2
    return None


def _is_private(
    node: ast.AST, field: str, via: str, default: bool, scope: Scope
) -> bool:
    """Whether the field is, or as an attribute would be, a private name of a class."""
    if isinstance(node, ast.Attribute):
        return node.attr != field
    return via != "get" and not default and mangled(field, scope) != field
