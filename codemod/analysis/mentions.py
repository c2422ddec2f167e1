"""Where a file reads watched names: accessors, probes, retired getters.

Found like the reads of a scan: names are followed through imports and plain aliases to
a dotted name, by scope.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from codemod.analysis.blocks import Blocks
from codemod.analysis.fstrings import repair_positions
from codemod.analysis.guard_facts import Mention, MethodCall, Watched
from codemod.analysis.hits import Hits
from codemod.analysis.origins import Flow
from codemod.analysis.positions import SourceLines
from codemod.analysis.scopes import Scope
from codemod.analysis.spelling import last_name
from codemod.analysis.spots import Spot
from codemod.analysis.vocabulary import Vocabulary
from codemod.analysis.walk import Walker


@dataclass(frozen=True)
class Mentions:
    """The reads of watched names, the calls of watched methods, and whether a binding
    in a function may hide one of the names."""

    found: tuple[Mention, ...] = ()
    calls: tuple[MethodCall, ...] = ()
    may_be_hidden: bool = False


def mentions(
    tree: ast.Module,
    blocks: Blocks,
    text: str,
    lines: SourceLines,
    module: str,
    is_package: bool,
    watched: Watched,
) -> Mentions:
    """Every read of a watched name, in source order."""
    names = watched.names | watched.probes
    if not names and not watched.methods:
        return Mentions()
    vocabulary = Vocabulary(getters=names)
    hits = Hits(text, lines, whole=True)
    hits.add(watched.names | watched.methods)
    if watched.probes:
        hits.add_outside(watched.probes, _bodies(blocks))
    walker = Walker(vocabulary, module, is_package, hits)
    walker.walk(tree)
    aliases = _aliases(walker, names)
    flow = Flow(vocabulary, module, walker.stars)
    found = _Collector(walker, flow, lines, names, aliases, _not_imported(tree))
    found.collect()
    listed = sorted(found.found, key=lambda m: (m.line, m.column, m.text))
    return Mentions(
        tuple(listed),
        tuple(_method_calls(walker, lines, watched.methods)),
        any(_may_hide(walker, name) for name in names),
    )


def _may_hide(walker: Walker, name: str) -> bool:
    """Whether a name is bound in a function, and once more anywhere."""
    times = walker.bound_in_functions[name]
    return times > 1 or (times == 1 and name in walker.root.bindings)


def _bodies(blocks: Blocks) -> list[tuple[int, int]]:
    """The lines of function bodies, without that of the ``def`` itself."""
    return [
        (max(node.lineno + 1, node.body[0].lineno), node.end_lineno or node.lineno)
        for node, _, _ in blocks.functions
    ]


def _method_calls(
    walker: Walker, lines: SourceLines, methods: frozenset[str]
) -> Iterator[MethodCall]:
    for spot in walker.calls:
        func = spot.node.func
        if isinstance(func, ast.Attribute) and func.attr in methods:
            yield MethodCall(
                func.lineno,
                lines.column(func.lineno, func.col_offset),
                func.attr,
                tuple(keyword.arg or "**" for keyword in spot.node.keywords),
            )


def _aliases(walker: Walker, names: frozenset[str]) -> frozenset[str]:
    """Names that some binding may make a watched one, the watched among them."""
    known = set(names)
    while True:
        found = {
            bound
            for bound, target in walker.imports
            if target.rpartition(".")[2] in names
        }
        for name, value in walker.values:
            if last_name(value) in known:
                found.add(name)
        if found <= known:
            return frozenset(known)
        known |= found
        assert walker.hits is not None
        if walker.hits.add(found):
            walker.resume()


def _not_imported(tree: ast.Module) -> list[tuple[int, int]]:
    """The lines at module level that an import of the module does not run.

    Those under ``if __name__ == "__main__"`` and ``if TYPE_CHECKING``, and those behind
    the ``else`` of the opposite.
    """
    found = []
    stack: list[ast.stmt] = list(tree.body)
    while stack:
        node = stack.pop()
        if isinstance(node, ast.Try):
            stack += [*node.body, *node.orelse, *node.finalbody]
        if not isinstance(node, ast.If):
            continue
        names = {n.id for n in ast.walk(node.test) if isinstance(n, ast.Name)}
        attributes = {
            n.attr for n in ast.walk(node.test) if isinstance(n, ast.Attribute)
        }
        stack += [*node.body, *node.orelse]
        if "__name__" in names or "TYPE_CHECKING" in names | attributes:
            asleep = node.orelse if _is_negated(node.test) else node.body
            if asleep:
                last = asleep[-1].end_lineno or node.lineno
                found.append((asleep[0].lineno, last))
    return found


def _is_negated(test: ast.expr) -> bool:
    if isinstance(test, ast.UnaryOp):
        return isinstance(test.op, ast.Not)
    return isinstance(test, ast.Compare) and isinstance(test.ops[0], ast.NotEq)


class _Collector:
    """Collects the mentions of a walked file."""

    def __init__(
        self,
        walker: Walker,
        flow: Flow,
        lines: SourceLines,
        names: frozenset[str],
        aliases: frozenset[str],
        asleep: list[tuple[int, int]],
    ) -> None:
        self.found: list[Mention] = []
        self._walker = walker
        self._flow = flow
        self._lines = lines
        self._names = names
        self._aliases = aliases
        self._asleep = asleep
        #: ids of nodes that are part of a longer expression already taken.
        self._claimed: set[int] = set()
        self._calls = {id(s.node.func): s.node for s in walker.calls}
        self._repaired: set[int] = set()

    def collect(self) -> None:
        """Fill ``found``."""
        # Outer attributes come first: the longest expression takes the shorter ones.
        for spot in self._walker.attributes:
            if id(spot.node) not in self._claimed:
                self._chain(spot)
        for spot in self._walker.calls:
            if id(spot.node) not in self._claimed:
                self._chain(spot)
        for name in sorted(self._aliases & self._walker.names.keys()):
            for spot in self._walker.names[name]:
                if id(spot.node) not in self._claimed:
                    self._chain(spot)

    def _chain(self, spot: Spot) -> None:
        """``ref[()][.a.b…]`` that starts at a watched name, if ``spot`` is one."""
        node: ast.expr = spot.node
        path: list[str] = []
        passed: list[ast.expr] = []
        while True:
            passed.append(node)
            if type(node) is ast.Attribute:
                if node.attr in self._names and (ref := self._ref(node, spot.scope)):
                    self._add(spot, ref, False, path, passed)
                    return
                path.insert(0, node.attr)
                node = node.value
            elif type(node) is ast.Call:
                if self._may_be(node.func) and (
                    ref := self._ref(node.func, spot.scope)
                ):
                    passed += _names_of(node.func)
                    self._add(spot, ref, True, path, passed)
                return
            else:
                if self._may_be(node) and (ref := self._ref(node, spot.scope)):
                    self._add(spot, ref, False, path, passed)
                return

    def _may_be(self, node: ast.expr) -> bool:
        """Whether an expression is spelled like a watched name or an alias of one."""
        if type(node) is ast.Name:
            return node.id in self._aliases
        return type(node) is ast.Attribute and node.attr in self._names

    def _ref(self, node: ast.expr, scope: Scope) -> str | None:
        """The watched name that an expression is, by its first dotted name."""
        for origin in sorted(self._flow.of(node, scope)):
            if origin[0] == "ref" and origin[1].rpartition(".")[2] in self._names:
                return origin[1]
        return None

    def _add(
        self,
        spot: Spot,
        ref: str,
        called: bool,
        path: list[str],
        passed: list[ast.expr],
    ) -> None:
        self._claimed |= {id(node) for node in passed}
        node: ast.expr = spot.node
        if spot.fstring is not None and id(spot.fstring) not in self._repaired:
            self._repaired.add(id(spot.fstring))
            repair_positions(spot.fstring, self._lines)
        keywords: tuple[str, ...] = ()
        call = self._calls.get(id(node))
        if call is not None and path:
            keywords = tuple(k.arg or "**" for k in call.keywords)
        self.found.append(
            Mention(
                ref=ref,
                line=node.lineno,
                column=self._lines.column(node.lineno, node.col_offset),
                function=spot.scope.path,
                text=self._lines.segment(node),
                called=called,
                path=tuple(path),
                keywords=keywords,
                import_time=not spot.scope.in_function()
                and not any(a <= node.lineno <= b for a, b in self._asleep),
            )
        )


def _names_of(node: ast.expr) -> list[ast.expr]:
    """An attribute chain and everything below it."""
    found = [node]
    while isinstance(node, ast.Attribute):
        node = node.value
        found.append(node)
    return found
