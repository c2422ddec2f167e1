"""How tests patch a function: ``patch``, ``patch.object``, ``monkeypatch.setattr``.

``unittest.mock`` ("patch", "Where to patch") and pytest ("Monkeypatching") are the
sources of what each spelling does.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from codemod.analysis.arguments import is_literal
from codemod.analysis.facts import Candidate
from codemod.analysis.origins import Flow
from codemod.analysis.spots import Spot
from codemod.analysis.walk import Walker

Place = Callable[[Spot, tuple[str, int]], Candidate]


@dataclass(frozen=True, slots=True)
class PatchSite:
    """One patch of what may be a probe.

    ``targets`` are dotted names of what it replaces, none when nobody can tell.
    ``value`` is the source text that answers instead, None with ``problem`` when it is
    not static. ``how`` is ``with``, ``decorator``, ``rest`` (a ``monkeypatch.setattr``
    that holds for the rest of a test function), ``string`` (a name that is only
    spelled) or ``other``, again with ``problem``.
    ``function`` and ``parameter`` name the mock that a decorator hands in.
    """

    place: Candidate
    targets: tuple[str, ...]
    value: str | None
    how: str
    problem: str = ""
    function: int = -1
    parameter: str = ""


def patch_sites(
    tree: ast.Module,
    walker: Walker,
    flow: Flow,
    place: Place,
    probes: frozenset[str],
) -> Iterator[PatchSite]:
    """Every patch of an object whose last name is one of the probes'."""
    bare = frozenset(
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and node.value in probes
    )
    found = []
    for spot in walker.calls:
        kind = _kind(spot, flow)
        if not kind:
            continue
        given = _positional(spot.node, kind)
        computed = bool(bare) and _is_computed(given, kind)
        if computed or _mentions(given, probes):
            found.append((spot, kind, given, computed))
    if not found:
        return
    around = _Around(tree, walker)
    for spot, kind, node, computed in found:
        targets = _targets(node, spot, flow, bare if computed else frozenset())
        if computed and not targets:
            continue
        value, new = _value(node, kind)
        problem = "" if value is not None else "its value is not static"
        how, function, parameter = "other", -1, ""
        if computed:
            problem = "its name is computed"
        elif value is not None:
            how, function, parameter, problem = around.how(spot, kind, new)
        yield PatchSite(
            place(spot, ("call", spot.ordinal)),
            targets,
            value,
            how,
            problem,
            function,
            parameter,
        )


def _kind(spot: Spot, flow: Flow) -> str:
    """``patch``, ``object`` or ``setattr``, or "" for a call that is no patch."""
    func = spot.node.func
    name = func.attr if isinstance(func, ast.Attribute) else getattr(func, "id", "")
    if name == "setattr" and isinstance(func, ast.Attribute):
        return "setattr"
    refs = set(flow.refs(func, spot.scope))
    if refs & {"unittest.mock.patch", "mock.patch"}:
        return "patch"
    if refs & {"unittest.mock.patch.object", "mock.patch.object"}:
        return "object"
    if name in ("patch", "object") and isinstance(func, ast.Attribute):
        return "fixture"  # mocker.patch(…), mocker.patch.object(…)
    return ""


#: The parameters of each kind of patch that may be given by name or by place.
_PARAMETERS = {
    "patch": ("target", "new"),
    "object": ("target", "attribute", "new"),
    "setattr": ("target", "name", "value"),
}


def _positional(node: ast.Call, kind: str) -> ast.Call:
    """The call with its first arguments by place, whichever were given by name."""
    if kind == "fixture":
        kind = node.func.attr if isinstance(node.func, ast.Attribute) else ""
    args = list(node.args)
    rest = {keyword.arg: keyword for keyword in node.keywords}
    for name in _PARAMETERS.get(kind, ())[len(args) :]:
        if name not in rest:
            break
        args.append(rest.pop(name).value)
    return ast.Call(node.func, args, [k for k in node.keywords if k in rest.values()])


def _is_computed(node: ast.Call, kind: str) -> bool:
    """Whether what an object is to have set is named by a value of the program."""
    if kind == "patch" or len(node.args) < 2:
        return False
    if isinstance(node.args[0], ast.Constant):
        return False
    return isinstance(node.args[1], (ast.Name, ast.Attribute, ast.Subscript))


def _mentions(node: ast.Call, probes: frozenset[str]) -> bool:
    for part in node.args[:2]:
        for inner in ast.walk(part):
            text = inner.value if isinstance(inner, ast.Constant) else None
            if isinstance(text, str) and text.rpartition(".")[2] in probes:
                return True
    return False


def _targets(
    node: ast.Call, spot: Spot, flow: Flow, names: frozenset[str]
) -> tuple[str, ...]:
    """What a patch replaces; ``names`` are those that a computed one may be."""
    first = node.args[0]
    if isinstance(first, ast.Constant) and isinstance(first.value, str):
        return (first.value,)
    name = node.args[1] if len(node.args) > 1 else None
    if isinstance(name, ast.Constant) and isinstance(name.value, str):
        names = frozenset({name.value})
    refs = flow.refs(first, spot.scope)
    return tuple(sorted(f"{ref}.{name}" for ref in refs for name in names))


def _value(node: ast.Call, kind: str) -> tuple[str | None, bool]:
    """The text of what answers instead, and whether the new object is given."""
    first = node.args[0]
    by_string = isinstance(first, ast.Constant) and kind != "object"
    rest = node.args[1 if by_string else 2 :]
    given = {keyword.arg: keyword.value for keyword in node.keywords}
    if kind == "setattr":
        given.pop("raising", None)
        if "value" in given and not rest:
            rest = [given.pop("value")]
    elif "new" in given and not rest:
        rest = [given.pop("new")]
    if len(rest) == 1 and not given and isinstance(rest[0], ast.Lambda):
        body = rest[0].body
        return (ast.unparse(body) if is_literal(body) else None), True
    if not rest and set(given) == {"return_value"} and kind != "setattr":
        value = given["return_value"]
        if is_literal(value):
            return ast.unparse(value), False
    return None, False


class _Around:
    """What stands around a call: decorator, ``with``, statement."""

    def __init__(self, tree: ast.Module, walker: Walker) -> None:
        self._walker = walker
        self._decorated: dict[int, ast.AST] = {}
        self._items: dict[int, ast.withitem] = {}
        self._entered: set[int] = set()
        self._blocks: dict[int, tuple[ast.AST, int]] = {}
        self._functions: dict[int, int] = {}
        self._methods: set[int] = set()
        self._patches = {
            id(spot.node): spot
            for spot in walker.calls
            if "patch" in ast.unparse(spot.node.func)
        }
        from codemod.analysis.leaving import anchored_nodes

        for anchor, node in anchored_nodes(tree).items():
            if anchor.kind == "function":
                self._functions[id(node)] = anchor.ordinal
        for node in ast.walk(tree):
            for decorator in getattr(node, "decorator_list", ()):
                self._decorated[id(decorator)] = node
            if isinstance(node, ast.ClassDef):
                self._methods.update(map(id, node.body))
            if isinstance(node, (ast.With, ast.AsyncWith)):
                for item in node.items:
                    self._items[id(item.context_expr)] = item
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                for index, statement in enumerate(node.body):
                    if isinstance(statement, ast.Expr):
                        self._blocks[id(statement.value)] = (node, index)
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
                func = node.value.func
                name = getattr(func, "attr", "")
                if name in ("enter_context", "enterContext") and node.value.args:
                    self._entered.add(id(node.value.args[0]))

    def how(self, spot: Spot, kind: str, new: bool) -> tuple[str, int, str, str]:
        """How the patch is put on, the mock it hands in, and what is in the way."""
        node = spot.node
        if kind == "setattr":
            return self._set(spot)
        if kind == "fixture":
            return "other", -1, "", "it holds until the fixture ends"
        item = self._items.get(id(node))
        if item is not None:
            if item.optional_vars is not None:
                return "other", -1, "", "the mock it gives is bound to a name"
            return "with", -1, "", ""
        if id(node) in self._entered:
            return "with", -1, "", ""
        owner = self._decorated.get(id(node))
        if owner is None:
            return "other", -1, "", "it is not started where it is written"
        return self._decorator(node, owner, new)

    def _decorator(
        self, node: ast.Call, owner: ast.AST, new: bool
    ) -> tuple[str, int, str, str]:
        if not isinstance(owner, ast.FunctionDef):
            what = "a class" if isinstance(owner, ast.ClassDef) else "a coroutine"
            return "other", -1, "", f"it decorates {what}"
        if new:
            return "decorator", -1, "", ""
        ordinal = self._functions[id(owner)]
        below = owner.decorator_list[owner.decorator_list.index(node) + 1 :]
        handed = 0
        for each in below:
            if id(each) in self._patches:
                handed += not _gives_new(each)
            elif not _hands_nothing(each):
                return "other", -1, "", "another decorator may hand in arguments"
        positional = [*owner.args.posonlyargs, *owner.args.args]
        static = any(
            isinstance(d, ast.Name) and d.id == "staticmethod"
            for d in owner.decorator_list
        )
        index = handed + (id(owner) in self._methods and not static)
        if index >= len(positional):
            return "other", -1, "", "the mock it hands in has no parameter of its own"
        name = positional[index].arg
        if self._is_read(owner, name):
            return "other", -1, "", f"the mock it hands in, {name}, is used"
        return "decorator", ordinal, name, ""

    @staticmethod
    def _is_read(owner: ast.FunctionDef, name: str) -> bool:
        return any(
            isinstance(part, ast.Name) and part.id == name
            for statement in owner.body
            for part in ast.walk(statement)
        )

    def _set(self, spot: Spot) -> tuple[str, int, str, str]:
        block = self._blocks.get(id(spot.node))
        func = spot.node.func
        base = func.value.id if isinstance(func.value, ast.Name) else ""
        if block is None or base != "monkeypatch":
            return "other", -1, "", "it holds until the fixture ends"
        owner, index = block
        assert isinstance(owner, (ast.FunctionDef, ast.AsyncFunctionDef))
        parameters = {arg.arg for arg in (*owner.args.args, *owner.args.kwonlyargs)}
        if not owner.name.startswith("test") or base not in parameters:
            return "other", -1, "", "it is put on for another function"
        if index + 1 == len(owner.body):
            return "other", -1, "", "nothing runs under it here"
        if _may_undo(owner):
            return "other", -1, "", "monkeypatch may undo it before the test ends"
        return "rest", -1, "", ""


def _may_undo(owner: ast.AST) -> bool:
    """Whether a test undoes its patches, or hands ``monkeypatch`` to who may."""
    plain = set()
    for part in ast.walk(owner):
        if isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name):
            plain.add(id(part.value))
            if part.value.id == "monkeypatch" and part.attr == "undo":
                return True
    return any(
        isinstance(part, ast.Name)
        and part.id == "monkeypatch"
        and id(part) not in plain
        for part in ast.walk(owner)
    )


def _gives_new(node: ast.expr) -> bool:
    """Whether a patch as decorator is given the new object, and so hands in none."""
    if not isinstance(node, ast.Call):
        return False
    name = getattr(node.func, "attr", "")
    least = 2 if name == "object" else 1
    return len(node.args) > least or any(k.arg == "new" for k in node.keywords)


def _hands_nothing(node: ast.expr) -> bool:
    """Whether a decorator is known to call the function with what it was given."""
    text = ast.unparse(node)
    return text.startswith(("pytest.mark.", "unittest.skip", "override_"))
