"""Parameters that hold the record and are read nowhere but to be handed on.

Two looks at a file, both symbolic. The first finds functions with such parameters and
every read of them; the second, once it is known which functions are of interest, finds
their calls and every other mention of them.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator
from dataclasses import dataclass

from codemod.analysis.blocks import Function, blocks_of
from codemod.analysis.flowing import FileFlow
from codemod.analysis.leaving import anchored_nodes
from codemod.analysis.origins import Flow, class_of_self
from codemod.analysis.positions import SourceLines
from codemod.analysis.refs import walked_references
from codemod.analysis.scopes import Scope, lookup
from codemod.analysis.spots import Spot
from codemod.analysis.strings import dotted_strings
from codemod.analysis.vocabulary import Vocabulary
from codemod.analysis.walk import Walker

#: The place of an argument: the ordinal of its call, and its keyword or number.
ArgumentAt = tuple[int, str]


@dataclass(frozen=True, slots=True)
class HandedParameter:
    """One parameter by which a function is given the record.

    ``function`` is the ordinal of the ``def`` as an anchor, ``path`` its dotted path in
    the module; ``class_path`` that of its class, "" for none. ``position`` is where it
    stands among the positional parameters, -1 for keyword-only; ``bound`` how many of
    those a bound call fills itself; a ``class_method`` is bound by its class too.
    ``handed_to`` are the arguments that are this very
    parameter; ``pin`` says why it has to stay whatever its calls are.
    """

    name: str
    function: int
    path: str
    class_path: str
    line: int
    column: int
    position: int
    keyword: bool
    bound: int
    handed_to: tuple[ArgumentAt, ...]
    pin: str = ""
    class_method: bool = False


@dataclass(frozen=True, slots=True)
class UnreadBinding:
    """A name bound to what may be the record, and read nowhere: its statement."""

    name: str
    kind: str
    ordinal: int
    target: str


@dataclass(frozen=True, slots=True)
class HandedFacts:
    """What the first look finds."""

    parameters: tuple[HandedParameter, ...] = ()
    unread: tuple[UnreadBinding, ...] = ()


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
    called or taken off objects that nobody knows, ``spelled`` names in strings.
    """

    calls: tuple[HandedCall, ...] = ()
    taken: frozenset[str] = frozenset()
    unknown: frozenset[str] = frozenset()
    spelled: frozenset[str] = frozenset()
    methods: frozenset[str] = frozenset()


def parse_quietly(text: str) -> ast.Module | None:
    """The tree of a text, None when it does not parse."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text)
    except (SyntaxError, ValueError):
        return None


def handed_facts(
    text: str,
    module: str,
    is_package: bool,
    vocabulary: Vocabulary,
    probes: frozenset[str],
) -> HandedFacts:
    """The record's parameters of a file, and its bindings that nothing reads.

    ``probes`` are last names of functions whose unread imports count too.
    """
    tree = parse_quietly(text)
    if tree is None:
        return HandedFacts()
    walker = Walker(vocabulary, module, is_package)
    walker.walk(tree)
    return HandedFacts(
        tuple(_parameters(tree, walker, vocabulary, SourceLines(text))),
        tuple(_unread(walker, FileFlow(walker, vocabulary, module), probes, text)),
    )


def _parameters(
    tree: ast.Module, walker: Walker, vocabulary: Vocabulary, lines: SourceLines
) -> Iterator[HandedParameter]:
    functions = blocks_of(tree).functions
    wanted = [
        (node, path, class_path, found)
        for node, path, class_path in functions
        if (found := _of_record(node, vocabulary))
    ]
    if not wanted:
        return
    ordinals = {
        id(node): anchor.ordinal
        for anchor, node in anchored_nodes(tree).items()
        if anchor.kind == "function"
    }
    arguments = _argument_places(walker)
    outer = {
        statement.name for statement in tree.body if isinstance(statement, ast.ClassDef)
    }
    for node, path, class_path, found in wanted:
        pin = _pin(node, path, class_path, outer)
        if sum(path == other for _, other, _ in functions) > 1:
            pin = pin or "it is defined more than once"
        positional = [*node.args.posonlyargs, *node.args.args]
        for argument in found:
            loads = [
                spot.node
                for spot in walker.names.get(argument.arg, ())
                if any(b.node is argument for b in lookup(argument.arg, spot.scope))
            ]
            if not all(id(load) in arguments for load in loads):
                continue
            at = positional.index(argument) if argument in positional else -1
            yield HandedParameter(
                argument.arg,
                ordinals[id(node)],
                path,
                class_path,
                argument.lineno,
                lines.column(argument.lineno, argument.col_offset),
                at,
                argument not in node.args.posonlyargs,
                _bound(node, class_path),
                tuple(arguments[id(load)] for load in loads),
                pin or _rebound(node, argument.arg),
                "classmethod" in _decorators(node),
            )


def _of_record(node: Function, vocabulary: Vocabulary) -> list[ast.arg]:
    args = node.args
    return [
        arg
        for arg in (*args.posonlyargs, *args.args, *args.kwonlyargs)
        if arg.arg in vocabulary.attributes
        or (
            arg.annotation is not None
            and any(word in ast.unparse(arg.annotation) for word in vocabulary.classes)
        )
    ]


def _argument_places(walker: Walker) -> dict[int, ArgumentAt]:
    """For each plain name that is an argument of a call: which call, and where."""
    found: dict[int, ArgumentAt] = {}
    for spot in walker.calls:
        for number, value in enumerate(spot.node.args):
            if isinstance(value, ast.Name):
                found[id(value)] = (spot.ordinal, str(number))
        for keyword in spot.node.keywords:
            if keyword.arg is not None and isinstance(keyword.value, ast.Name):
                found[id(keyword.value)] = (spot.ordinal, keyword.arg)
    return found


def _bound(node: Function, class_path: str) -> int:
    if not class_path:
        return 0
    return 0 if "staticmethod" in _decorators(node) else 1


def _decorators(node: Function) -> set[str]:
    return {d.id for d in node.decorator_list if isinstance(d, ast.Name)}


def _pin(node: Function, path: str, class_path: str, outer: set[str]) -> str:
    """Why a function's signature is not its own to change, seen from here; or ""."""
    name = path.removeprefix(f"{class_path}.") if class_path else path
    if "." in name or (class_path and class_path not in outer):
        return "it is defined inside a function or a class inside another"
    if node.name.startswith("__") and node.name.endswith("__"):
        return "Python calls it"
    for decorator in node.decorator_list:
        plain = isinstance(decorator, ast.Name) and decorator.id
        if plain not in ("staticmethod", "classmethod"):
            return "it is decorated, and the decorator may call it"
    if all(_is_stub(statement) for statement in node.body):
        return "it is a stub: others have its signature"
    called = {
        part.func.id
        for part in ast.walk(node)
        if isinstance(part, ast.Call) and isinstance(part.func, ast.Name)
    }
    if called & {"locals", "vars", "eval", "exec", "dir"}:
        return "it looks into its own names"
    return ""


def _is_stub(statement: ast.stmt) -> bool:
    if isinstance(statement, (ast.Pass, ast.Raise)):
        return True
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _rebound(node: Function, name: str) -> str:
    for part in ast.walk(node):
        if isinstance(part, ast.Name):
            if part.id == name and not isinstance(part.ctx, ast.Load):
                return "it is bound again in the function"
        elif isinstance(part, (ast.Global, ast.Nonlocal)) and name in part.names:
            return "it is bound again in the function"
    return ""


def _unread(
    walker: Walker, flow: FileFlow, probes: frozenset[str], text: str
) -> Iterator[UnreadBinding]:
    """Statements that bind the record, or import what leads to it, for no reader.

    An import that a person marked as meant to be unused is left out: by ``noqa``, or by
    ``import x as x``, which re-exports (PEP 484, "Stub Files").
    """
    words = flow.vocabulary.getters | flow.vocabulary.objects | probes
    for spot in walker.import_statements:
        if _is_meant(spot.node, text):
            continue
        for bound, target in _bound_by(spot, walker):
            last = target.rpartition(".")[2]
            if last in words and not _is_read(walker, bound, spot.scope):
                yield UnreadBinding(bound, "import", spot.ordinal, target)
    for spot in walker.assigns:
        node = spot.node
        targets = getattr(node, "targets", None) or [node.target]
        value = getattr(node, "value", None)
        if len(targets) != 1 or not isinstance(targets[0], ast.Name) or value is None:
            continue
        name = targets[0].id
        if _is_read(walker, name, spot.scope) or spot.scope.kind == "class":
            continue
        origins = flow.record_origins(value, spot.scope)
        if origins is not None and flow.holds_record(origins):
            yield UnreadBinding(name, "assign", spot.ordinal, "")


def _is_meant(node: ast.Import | ast.ImportFrom, text: str) -> bool:
    lines = text.split("\n")[node.lineno - 1 : node.end_lineno]
    if any("noqa" in line for line in lines):
        return True
    return any(alias.asname == alias.name for alias in node.names)


def _bound_by(spot: Spot, walker: Walker) -> Iterator[tuple[str, str]]:
    names = {alias.asname or alias.name.partition(".")[0] for alias in spot.node.names}
    for name in names:
        for binding in spot.scope.bindings.get(name, ()):
            if binding.kind == "import" and binding.line == spot.node.lineno:
                yield name, binding.ref


def _is_read(walker: Walker, name: str, scope: Scope) -> bool:
    bindings = {id(binding) for binding in scope.bindings.get(name, ())}
    return any(
        bindings & {id(binding) for binding in lookup(name, spot.scope)}
        for spot in walker.names.get(name, ())
    )


# -- the second look ------------------------------------------------------------


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
        only = all(o[0] == "ref" for o in flow.of(spot.node, spot.scope))
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
        frozenset(s.rpartition(".")[2] for s in dotted_strings(text, names)),
        frozenset(
            f"{class_path}.{node.name}"
            for node, _, class_path in blocks_of(tree).functions
            if class_path and node.name in names
        ),
    )


def _call(spot: Spot, refs: tuple[str, ...], bound: bool, flow: Flow) -> HandedCall:
    node = spot.node
    keys: list[str] = []
    effects: list[str] = []
    getters: list[str] = []
    for key, value in _pairs(node):
        if _is_quiet(value):
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
