"""Where a value comes from: the flow of the record through names and expressions.

A name has the origins of every binding that lookup says it may mean; ``x or y`` and
``x if c else y`` have those of each arm; an attribute, a call and a ``getattr`` with a
literal name are followed through imports to a dotted name. Nothing here knows which
dotted name is the record: see ``codemod.index``.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

from codemod.analysis.facts import OTHER, Origin
from codemod.analysis.handlers import Guard
from codemod.analysis.receivers import Bound, attribute_bindings, class_refs
from codemod.analysis.scopes import Binding, Scope, lookup, lookup_scopes
from codemod.analysis.vocabulary import Vocabulary

Origins = frozenset[Origin]

_NOTHING: Origins = frozenset()
_UNKNOWN: Origins = frozenset({OTHER})
_MODULES: Origins = frozenset({("ref", "sys.modules")})
_IMPORT_MODULE: Origins = frozenset({("ref", "importlib.import_module")})

#: Bindings looked at to answer for one. Ten times ``x = x.next()`` can be followed in
#: ten factorial ways; a name that needs more of them than this is anything.
_MOST_STEPS = 500


class Flow:
    """Answers for one walked file; every answer about a name is computed once."""

    def __init__(
        self, vocabulary: Vocabulary, module: str, stars: Iterable[str] = ()
    ) -> None:
        self.vocabulary = vocabulary
        self.module = module
        self.stars = tuple(stars)
        self.stash_names: set[str] = set(vocabulary.stashes)
        #: Classes of the file, by their path: what they bind is looked at.
        self.class_nodes: dict[str, ast.ClassDef] = {}
        self._held: dict[str, dict[str, list[Bound]]] = {}
        self._by_binding: dict[int, Origins] = {}
        self._by_owner: dict[tuple[int, str], Origins] = {}
        self._active: set[int] = set()
        self._cycles = 0
        self._steps = 0

    # -- names ------------------------------------------------------------------

    def of_name(self, name: str, scope: Scope) -> Origins:
        """The origins of a name read in a scope."""
        owners = lookup_scopes(name, scope)
        if not owners:
            if name in self.vocabulary.words and self.stars:
                return frozenset(("ref", f"{star}.{name}") for star in self.stars)
            return _UNKNOWN
        if len(owners) == 1:
            return self._of_owned(name, owners[0])
        return frozenset().union(*(self._of_owned(name, each) for each in owners))

    def _of_owned(self, name: str, owner: Scope) -> Origins:
        """The origins of every binding of a name in the scope that owns it."""
        bindings = owner.bindings[name]
        if len(bindings) == 1:
            return self.of_binding(name, bindings[0])
        if self._steps > _MOST_STEPS and self._active:
            self._cycles += 1
            return _UNKNOWN
        key = (id(owner), name)
        known = self._by_owner.get(key)
        if known is None:
            cycles = self._cycles
            known = frozenset().union(*(self.of_binding(name, b) for b in bindings))
            if self._cycles == cycles or not self._active:
                self._by_owner[key] = known
        return known

    def of_binding(self, name: str, binding: Binding) -> Origins:
        """The origins of one binding; a binding by way of itself adds none."""
        key = id(binding)
        known = self._by_binding.get(key)
        if known is not None:
            return known
        if key in self._active:
            self._cycles += 1
            return _NOTHING
        self._steps = self._steps + 1 if self._active else 0
        if self._steps > _MOST_STEPS:
            self._cycles += 1
            return _UNKNOWN
        self._active.add(key)
        cycles = self._cycles
        found = self._of_binding(name, binding)
        self._active.discard(key)
        if self._cycles == cycles or not self._active:
            # Inside a cycle the answer may be partial: only whole ones are kept.
            self._by_binding[key] = found
        return found

    def _of_binding(self, name: str, binding: Binding) -> Origins:
        kind = binding.kind
        if kind == "value":
            assert isinstance(binding.node, ast.expr)
            return self.of(binding.node, binding.scope)
        if kind == "import":
            return frozenset({("ref", binding.ref)})
        if kind == "parameter":
            return frozenset({self._of_parameter(name, binding)})
        if kind == "declared":
            return _NOTHING
        if kind == "definition" and binding.scope.kind == "module":
            return frozenset({("ref", f"{self.module}.{name}")})
        return _UNKNOWN

    def _of_parameter(self, name: str, binding: Binding) -> Origin:
        node = binding.node
        assert isinstance(node, ast.arg)
        listed = "name" if name in self.vocabulary.attributes else ""
        for other in binding.scope.bindings.get(name, ()):
            if other.kind == "declared" and other.ref == "default":
                assert isinstance(other.node, ast.expr)
                origins = self.of(other.node, other.scope)
                if any(origin[0] == "call" for origin in origins):
                    refs = "|".join(sorted(o[1] for o in origins if o[0] == "call"))
                    return ("param", listed or f"default:{refs}", "")
        annotations = ""
        if node.annotation is not None:
            scope = binding.scope.parent or binding.scope
            annotations = "|".join(self.annotation_refs(node.annotation, scope))
        return ("param", listed, annotations)

    def annotation_refs(self, node: ast.expr, scope: Scope) -> list[str]:
        """The dotted names of the classes an annotation mentions, strings included."""
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            try:
                node = ast.parse(node.value.strip(), mode="eval").body
            except (SyntaxError, ValueError, RecursionError):
                return []
        found: list[str] = []
        stack: list[ast.expr] = [node]
        while stack:
            part = stack.pop()
            if isinstance(part, (ast.Name, ast.Attribute)):
                found += self.refs(part, scope)
            elif isinstance(part, ast.Subscript):
                stack += [part.slice, part.value]
            elif isinstance(part, ast.BinOp):
                stack += [part.right, part.left]
            elif isinstance(part, (ast.Tuple, ast.List)):
                stack += part.elts
            elif isinstance(part, ast.Constant) and isinstance(part.value, str):
                found += self.annotation_refs(part, scope)
        return found

    # -- expressions ------------------------------------------------------------

    def of(self, node: ast.expr, scope: Scope) -> Origins:
        """The origins of an expression."""
        kind = type(node)
        if kind is ast.Name:
            return self.of_name(node.id, scope)  # type: ignore[attr-defined]
        if kind is ast.Attribute:
            attr = mangled(node.attr, scope)  # type: ignore[attr-defined]
            return self._of_attribute(node.value, attr, scope)  # type: ignore[attr-defined]
        if kind is ast.Call:
            return self._of_call(node, scope)  # type: ignore[arg-type]
        if kind is ast.NamedExpr:
            return self.of(node.value, scope)  # type: ignore[attr-defined]
        if kind is ast.BoolOp:
            return frozenset().union(*(self.of(v, scope) for v in node.values))  # type: ignore[attr-defined]
        if kind is ast.IfExp:
            return self.of(node.body, scope) | self.of(node.orelse, scope)  # type: ignore[attr-defined]
        if kind is ast.Subscript:
            return self._of_item(node, scope)  # type: ignore[arg-type]
        return _UNKNOWN

    def refs(self, node: ast.expr, scope: Scope) -> list[str]:
        """The dotted names that an expression may mean by itself."""
        return [origin[1] for origin in self.of(node, scope) if origin[0] == "ref"]

    def _of_item(self, node: ast.Subscript, scope: Scope) -> Origins:
        """``sys.modules["m"]`` is the module (``sys.modules`` of the library)."""
        key = node.slice
        if self.of(node.value, scope) != _MODULES:
            return _UNKNOWN
        if isinstance(key, ast.Name) and key.id == "__name__":
            return frozenset({("ref", self.module)})
        if isinstance(key, ast.Constant) and isinstance(key.value, str):
            return frozenset({("ref", key.value)})
        return _UNKNOWN

    def _imported(self, node: ast.Call, func: Origins, scope: Scope) -> str:
        """The module that a call imports by an absolute name in a string, or ""."""
        key = node.args[0] if node.args else None
        if not isinstance(key, ast.Constant) or not isinstance(key.value, str):
            return ""
        if len(node.args) > 1 or node.keywords or key.value.startswith("."):
            return ""
        if func == _IMPORT_MODULE:
            return key.value
        if isinstance(node.func, ast.Name) and node.func.id == "__import__":
            named = is_builtin("__import__", scope)
            return key.value.partition(".")[0] if named else ""
        return ""

    def _of_call(self, node: ast.Call, scope: Scope) -> Origins:
        literal = literal_getattr(node, scope)
        if literal is not None:
            found = self._of_attribute(literal[0], literal[1], scope)
            return found | _UNKNOWN if literal[2] else found
        arguments = "arguments" if node.args or node.keywords else ""
        func = self.of(node.func, scope)
        module = self._imported(node, func, scope) if arguments else ""
        if module:
            return frozenset({("ref", module)})
        found = frozenset(
            ("call", origin[1], arguments) if origin[0] == "ref" else OTHER
            for origin in func
        )
        return found or _UNKNOWN

    def _of_attribute(self, value: ast.expr, attr: str, scope: Scope) -> Origins:
        """The origins of an attribute by the name it has once mangled."""
        words = self.vocabulary
        bases = self.of(value, scope)
        refs = [origin[1] for origin in bases if origin[0] == "ref"]
        if attr in words.attributes:
            ref = f"{refs[0]}.{attr}" if refs else ""
            own = class_of_self(value, scope)
            classes = _classes_of(bases) | self._held_classes(value, scope)
            return frozenset({("attr", attr, own, ref, "|".join(sorted(classes)))})
        if attr in self.stash_names:
            class_path = class_of_self(value, scope)
            if class_path or not refs:
                return frozenset({("stash", class_path, attr)})
            # ``Class.attribute`` or ``module.name``: the index knows which.
        if refs:
            return frozenset(("ref", f"{ref}.{attr}") for ref in refs)
        return _UNKNOWN

    def _held_classes(self, node: ast.expr, scope: Scope) -> frozenset[str]:
        """What the class around says that ``self.<attribute>`` is."""
        if not isinstance(node, ast.Attribute):
            return frozenset()
        path = class_of_self(node.value, scope)
        owner = self.class_nodes.get(path) if path else None
        if owner is None:
            return frozenset()
        if path not in self._held:
            self._held[path] = attribute_bindings(owner)
        bindings = self._held[path].get(node.attr, ())
        root = scope
        while root.parent is not None:
            root = root.parent
        return class_refs(
            bindings,
            lambda note: self.annotation_refs(note, root),
            lambda func: self.refs(func, root),
        )

    # -- guards -----------------------------------------------------------------

    def binding_guards(self, node: ast.expr, scope: Scope) -> tuple[Guard, ...]:
        """Handlers around the bindings that ``node``, if a name, gets its value by."""
        found: dict[int, Guard] = {}
        seen: set[int] = set()
        stack = [(node, scope)]
        while stack:
            part, here = stack.pop()
            if isinstance(part, (ast.BoolOp, ast.IfExp)):
                arms = (
                    part.values
                    if isinstance(part, ast.BoolOp)
                    else [
                        part.body,
                        part.orelse,
                    ]
                )
                stack += [(arm, here) for arm in arms]
            elif isinstance(part, ast.NamedExpr):
                stack.append((part.value, here))
            if not isinstance(part, ast.Name):
                continue
            for binding in lookup(part.id, here):
                if id(binding) in seen:
                    continue
                seen.add(id(binding))
                if binding.kind == "value":
                    for guard in binding.guards:
                        found[id(guard)] = guard
                    stack.append((binding.node, binding.scope))  # type: ignore[arg-type]
        return tuple(found.values())


def _classes_of(origins: Origins) -> set[str]:
    """The dotted names that may be classes of an object with these origins."""
    found = {origin[1] for origin in origins if origin[0] == "call"}
    return found | {r for o in origins if o[0] == "param" for r in o[2].split("|") if r}


def class_of_self(node: ast.expr, scope: Scope) -> str:
    """The path of the class whose method's first parameter ``node`` is, or ""."""
    if not isinstance(node, ast.Name):
        return ""
    here: Scope | None = scope
    while here is not None:
        if node.id in here.bindings and here.kind != "class":
            owned = here.kind == "function" and here.self_name == node.id
            bound = [b for b in here.bindings[node.id] if b.kind != "declared"]
            only = len(bound) == 1
            return here.class_path if owned and only else ""
        here = here.parent
    return ""


def mangled(attr: str, scope: Scope) -> str:
    """The attribute's name after private name mangling (reference 6.2.1)."""
    if not attr.startswith("__") or attr.endswith("__") or not scope.class_path:
        return attr
    name = scope.class_path.rpartition(".")[2].lstrip("_")
    return f"_{name}{attr}" if name else attr


def spelled(names: Iterable[str]) -> frozenset[str]:
    """Attribute names with, for each that may be mangled, its private spellings.

    >>> sorted(spelled(["_Engine__held"]))
    ['_Engine__held', '__held']
    """
    found: set[str] = set()
    for name in names:
        found.add(name)
        at = name.find("__", 2) if name[0] == "_" else -1
        while at > 0 and not name.endswith("__"):
            found.add(name[at:])
            at = name.find("__", at + 1)
    return frozenset(found)


def literal_getattr(node: ast.Call, scope: Scope) -> tuple[ast.expr, str, bool] | None:
    """``(object, name, has a default)`` of ``getattr`` with a literal name."""
    if (
        isinstance(node.func, ast.Name)
        and node.func.id == "getattr"
        and 2 <= len(node.args) <= 3
        and not node.keywords
        and isinstance(node.args[1], ast.Constant)
        and isinstance(node.args[1].value, str)
        and node.args[1].value.isidentifier()
        and not any(isinstance(arg, ast.Starred) for arg in node.args)
        and is_builtin("getattr", scope)
    ):
        return node.args[0], node.args[1].value, len(node.args) == 3
    return None


def is_builtin(name: str, scope: Scope) -> bool:
    """Whether a name read in a scope means the builtin: nothing else binds it."""
    bindings = lookup(name, scope)
    return all(b.kind == "import" and b.ref == f"builtins.{name}" for b in bindings)
