"""Calls of functions that hold the record for nobody, and every other mention of them.

The second look of the clean-up at a file; ``codemod.analysis.handed`` is the first.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator
from dataclasses import dataclass

from codemod.analysis.block_names import names_bound
from codemod.analysis.computed_names import ComputedName, computed_names
from codemod.analysis.handed import parse_quietly
from codemod.analysis.origins import Flow, class_of_self
from codemod.analysis.refs import walked_references
from codemod.analysis.scopes import Scope
from codemod.analysis.setting import SETTING
from codemod.analysis.spelling import last_name
from codemod.analysis.spots import Spot
from codemod.analysis.strings import dotted_strings
from codemod.analysis.vocabulary import Vocabulary
from codemod.analysis.walk import Walker


@dataclass(frozen=True, slots=True)
class HandedCall:
    """One call of a function of interest.

    ``refs`` are the dotted names it may mean; ``bound`` says that it is a method called
    on ``self``. ``keys`` are its arguments that nobody would miss, ``effects`` the
    others; ``getters`` are names whose call, without effect, is an argument. ``caller``
    is the dotted path of the function around it.
    """

    refs: tuple[str, ...]
    caller: str
    bound: bool
    ordinal: int
    positional: int
    keys: tuple[str, ...]
    effects: tuple[str, ...]
    getters: tuple[str, ...]
    stars: bool


@dataclass(frozen=True, slots=True)
class CallFacts:
    """What the second look finds.

    ``taken`` are dotted names that are read without a call, ``unknown`` last names
    called or taken off objects that nobody knows, ``spelled`` names in strings and in
    keywords that set what they name, ``methods`` what classes bind, ``open_methods``
    what those bind of which a base is no known name, ``computed`` names that only
    running the file tells.
    """

    calls: tuple[HandedCall, ...] = ()
    taken: frozenset[str] = frozenset()
    unknown: frozenset[str] = frozenset()
    spelled: frozenset[str] = frozenset()
    methods: frozenset[str] = frozenset()
    computed: frozenset[ComputedName] = frozenset()
    open_methods: frozenset[str] = frozenset()


def call_facts(
    text: str, module: str, is_package: bool, names: frozenset[str]
) -> CallFacts:
    """The calls of functions with one of the last names, and every other mention."""
    tree = parse_quietly(text)
    if tree is None:
        return CallFacts()
    vocabulary = Vocabulary(getters=names)
    walker = Walker(vocabulary, module, is_package)
    walker.walk(tree)
    flow = Flow(vocabulary, module, walker.stars)
    calls = {id(spot.node.func): spot for spot in walker.calls}
    found: list[HandedCall] = []
    taken: set[str] = set()
    seen: set[int] = set()
    for spot, refs in walked_references(walker, flow, names):
        seen.add(id(spot.node))
        call = calls.get(id(spot.node))
        origins = flow.of(spot.node, spot.scope)
        only = all(o[0] == "ref" and o[1] in refs for o in origins)
        if call is None or not only:
            taken.update(refs)
        else:
            found.append(_call(call, refs, False, flow))
    unknown: set[str] = set()
    for spot in walker.attributes:
        node = spot.node
        if node.attr not in names or id(node) in seen:
            continue
        own = class_of_self(node.value, spot.scope)
        call = calls.get(id(node))
        if own and call is not None:
            ref = f"{module}.{own}.{node.attr}"
            found.append(_call(call, (ref,), True, flow))
        else:
            unknown.add(node.attr)
    return CallFacts(
        tuple(found),
        frozenset(taken),
        frozenset(unknown),
        frozenset(_spelled(tree, text, names)),
        frozenset(
            f"{inner.path}.{name}"
            for node, _, inner in walker.classes
            for name in names_bound(node.body)
            if name in names
        ),
        computed_names(tree),
        frozenset(
            name
            for node, outer, _ in walker.classes
            if not all(_is_known(base, outer, flow) for base in node.bases)
            for name in names_bound(node.body)
            if name in names
        ),
    )


def _is_known(base: ast.expr, scope: Scope, flow: Flow) -> bool:
    """Whether a base class is a dotted name, with type arguments maybe."""
    if isinstance(base, ast.Subscript):
        base = base.value
    if isinstance(base, ast.Name) and hasattr(builtins, base.id):
        return True
    origins = flow.of(base, scope)
    return bool(origins) and all(origin[0] == "ref" for origin in origins)


def _spelled(tree: ast.Module, text: str, names: frozenset[str]) -> Iterator[str]:
    """The names that strings and keywords spell, for something to look up or run."""
    for dotted in dotted_strings(text, names):
        yield dotted.rpartition(".")[2]
    if not names:
        return
    any_of = "|".join(map(re.escape, sorted(names)))
    called = re.compile(rf"\b({any_of})\s*\(\s*(?:$|[^)\s])")
    entry = re.compile(rf"[\w.]+:(?:[\w.]+\.)?({any_of})")
    documents = set(_docstrings(tree))
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            if id(node) not in documents or ">>>" in node.value:
                yield from called.findall(node.value)
            found = entry.fullmatch(node.value.strip())
            if found is not None:
                yield found[1]
        elif isinstance(node, ast.Call) and last_name(node.func) in SETTING:
            yield from (k.arg for k in node.keywords if k.arg in names)


def _docstrings(tree: ast.Module) -> Iterator[int]:
    """ids of strings that stand as a statement."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            yield id(node.value)


def _call(spot: Spot, refs: tuple[str, ...], bound: bool, flow: Flow) -> HandedCall:
    node = spot.node
    keys: list[str] = []
    effects: list[str] = []
    getters: list[str] = []
    for key, value in _pairs(node):
        # Where a failure is caught, asking for the record may be what fails.
        caught = bool(spot.guards) and not isinstance(value, (ast.Name, ast.Constant))
        if _is_quiet(value) and not caught:
            keys.append(key)
            getters += _getter_calls(value, spot.scope, flow)
        else:
            effects.append(key)
    stars = any(isinstance(a, ast.Starred) for a in node.args) or any(
        k.arg is None for k in node.keywords
    )
    return HandedCall(
        refs,
        spot.scope.path,
        bound,
        spot.ordinal,
        len(node.args),
        tuple(keys),
        tuple(effects),
        tuple(getters),
        stars,
    )


def _pairs(node: ast.Call) -> Iterator[tuple[str, ast.expr]]:
    for number, value in enumerate(node.args):
        yield str(number), value
    for keyword in node.keywords:
        if keyword.arg is not None:
            yield keyword.arg, keyword.value


def _is_quiet(node: ast.expr) -> bool:
    """Whether evaluating it does nothing, given that its bare calls do nothing."""
    if isinstance(node, (ast.Name, ast.Constant)):
        return True
    if isinstance(node, ast.Attribute):
        return _is_quiet(node.value)
    if isinstance(node, ast.BoolOp):
        return all(map(_is_quiet, node.values))
    if isinstance(node, ast.IfExp):
        return all(map(_is_quiet, (node.test, node.body, node.orelse)))
    return isinstance(node, ast.Call) and not node.args and not node.keywords


def _getter_calls(node: ast.expr, scope: Scope, flow: Flow) -> Iterator[str]:
    for part in ast.walk(node):
        if isinstance(part, ast.Call):
            for origin in flow.of(part.func, scope):
                yield origin[1] if origin[0] == "ref" else "?"
