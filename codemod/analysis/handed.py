"""Parameters that hold the record and are read nowhere but to be handed on.

Symbolic, as all facts of a file are. ``codemod.analysis.handed_calls`` finds the calls
of the functions that have such parameters.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator
from dataclasses import dataclass

from codemod.analysis.block_names import names_bound
from codemod.analysis.blocks import Function, blocks_of
from codemod.analysis.flowing import FileFlow
from codemod.analysis.leaving import anchored_nodes
from codemod.analysis.positions import SourceLines
from codemod.analysis.scopes import Scope, lookup
from codemod.analysis.spelling import last_name
from codemod.analysis.spots import Spot
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
    parameter; ``pin`` says why it has to stay whatever its calls are. ``needed`` says
    that it has no default: a call without it fails.
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
    needed: bool = False


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
        statement.name: _made_by(statement)
        for statement in tree.body
        if isinstance(statement, ast.ClassDef)
    }
    for node, path, class_path, found in wanted:
        pin = _pin(node, path, class_path, outer)
        if sum(path == other for _, other, _ in functions) > 1:
            pin = pin or "it is defined more than once"
        if not pin and _is_bound_again(tree, node, class_path):
            pin = "its name is bound again where it is defined"
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
            default = _default(node, argument)
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
                pin
                or _rebound(node, argument.arg)
                or _default_acts(default, vocabulary),
                "classmethod" in _decorators(node),
                default is None,
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


def _default(node: Function, argument: ast.arg) -> ast.expr | None:
    args = node.args
    positional = [*args.posonlyargs, *args.args]
    if argument in positional:
        place = positional.index(argument) - len(positional) + len(args.defaults)
        return args.defaults[place] if place >= 0 else None
    return args.kw_defaults[args.kwonlyargs.index(argument)]


def _default_acts(default: ast.expr | None, vocabulary: Vocabulary) -> str:
    """Why a default has to be evaluated when its function is defined, or ""."""
    if default is None:
        return ""
    for part in ast.walk(default):
        if isinstance(part, ast.Call):
            if last_name(part.func) not in vocabulary.getters or part.args:
                return "its default does something when the function is defined"
        elif isinstance(part, (ast.NamedExpr, ast.Await, ast.Subscript, ast.BinOp)):
            return "its default does something when the function is defined"
    return ""


def _is_bound_again(tree: ast.Module, node: Function, class_path: str) -> bool:
    """Whether the block that defines a function binds its name to something else too.

    A ``global`` statement anywhere lets a function bind a name of the module.
    """
    block: ast.Module | ast.ClassDef = tree
    for name in filter(None, class_path.split(".")):
        block = next(
            s for s in block.body if isinstance(s, ast.ClassDef) and s.name == name
        )
    if [*names_bound(block.body)].count(node.name) > 1:
        return True
    return not class_path and any(
        isinstance(part, ast.Global) and node.name in part.names
        for part in ast.walk(tree)
    )


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


def _made_by(node: ast.ClassDef) -> str:
    """The metaclass of a class that may change its methods, "" for none."""
    for keyword in node.keywords:
        if keyword.arg == "metaclass" and last_name(keyword.value) != "ABCMeta":
            return ast.unparse(keyword.value)
    return ""


def _pin(node: Function, path: str, class_path: str, outer: dict[str, str]) -> str:
    """Why a function's signature is not its own to change, seen from here; or ""."""
    name = path.removeprefix(f"{class_path}.") if class_path else path
    if "." in name or (class_path and class_path not in outer):
        return "it is defined inside a function or a class inside another"
    if outer.get(class_path):
        return f"{outer[class_path]} makes its class, and may wrap its methods"
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
