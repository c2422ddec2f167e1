"""Calls of free functions that answer a fact, and the patches that tests make of them.

Facts of one whole file, symbolic as all facts are: which dotted name is a probe of the
pack is asked with every file in view.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field

from codemod.analysis.candidates import CandidateReads
from codemod.analysis.comments import suppressions
from codemod.analysis.facts import Candidate
from codemod.analysis.flowing import FileFlow
from codemod.analysis.patching import PatchSite, patch_sites
from codemod.analysis.patching_otherwise import other_patches
from codemod.analysis.positions import SourceLines
from codemod.analysis.refs import walked_references
from codemod.analysis.scopes import Scope, lookup_scopes
from codemod.analysis.spelling import last_name
from codemod.analysis.spots import Spot
from codemod.analysis.vocabulary import Vocabulary
from codemod.analysis.walk import Walker


@dataclass(frozen=True, slots=True)
class ProbeSite:
    """One place where what may be a probe is read.

    ``refs`` are the dotted names it may mean; ``certain`` says that it means nothing
    else. ``use`` is ``call`` for a call without arguments, ``arguments`` for one with,
    ``value`` when it is not called. ``key`` is the name that is looked up when the
    place runs, as a patch would spell it: ``module.name``. ``candidate`` is the place:
    the call, or what stands for it.
    """

    candidate: Candidate
    refs: tuple[str, ...]
    certain: bool
    use: str
    key: str


@dataclass(frozen=True, slots=True)
class ProbeFacts:
    """What one file says about probes.

    ``imported`` are dotted names with a probe's last name that it takes from other
    modules, ``asked`` last names that it asks any object for; ``stars`` modules it
    imports everything from; ``module_names`` names of new code that it binds, with what
    they are bound to.
    """

    sites: tuple[ProbeSite, ...] = ()
    patches: tuple[PatchSite, ...] = ()
    imported: frozenset[str] = frozenset()
    asked: frozenset[str] = frozenset()
    stars: tuple[str, ...] = ()
    exports: tuple[str, ...] = ()
    module_names: dict[str, tuple[str, ...]] = field(default_factory=dict)


def probe_facts(
    text: str,
    module: str,
    is_package: bool,
    probes: frozenset[str],
    names: frozenset[str],
) -> ProbeFacts:
    """The facts of one file. ``probes`` are last names of probes, ``names`` those that
    new code wants to use."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return ProbeFacts()
    vocabulary = Vocabulary(getters=probes, accessors=names)
    walker = Walker(vocabulary, module, is_package)
    walker.walk(tree)
    flow = FileFlow(walker, vocabulary, module)
    places = _Places(flow, SourceLines(text), suppressions(text)[0])
    root = walker.root
    return ProbeFacts(
        sites=tuple(places.sites(probes)),
        patches=tuple(_patches(tree, walker, flow, places, probes)),
        asked=frozenset(_asked(tree, walker, flow, probes)),
        imported=frozenset(_imported(walker, flow, probes)),
        stars=tuple(walker.stars),
        module_names={
            name: tuple(sorted({b.ref or f"{module}.{name}" for b in bindings}))
            for name, bindings in root.bindings.items()
            if name in names
        },
    )


def _patches(
    tree: ast.Module,
    walker: Walker,
    flow: FileFlow,
    places: _Places,
    probes: frozenset[str],
) -> Iterator[PatchSite]:
    found = list(patch_sites(tree, walker, flow.exact, places.place, probes))
    yield from found
    ordinals = {p.place.anchor[1] for p in found}
    known = {id(spot.node) for spot in walker.calls if spot.ordinal in ordinals}
    yield from other_patches(tree, walker, flow.exact, places.place, probes, known)


def _asked(
    tree: ast.Module, walker: Walker, flow: FileFlow, probes: frozenset[str]
) -> Iterator[str]:
    """Probes that the file asks something for by their name, whatever that is."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and last_name(node.func) in _ASKING:
            for part in node.args[:2]:
                if isinstance(part, ast.Constant) and part.value in probes:
                    yield part.value
    called = {id(spot.node.func) for spot in walker.calls}
    for spot in walker.attributes:
        if spot.node.attr in probes and id(spot.node) in called:
            origins = flow.exact.of(spot.node, spot.scope)
            if any(origin[0] != "ref" for origin in origins) or not origins:
                yield spot.node.attr


_ASKING = frozenset({"getattr", "hasattr", "attrgetter", "methodcaller"})


def _imported(walker: Walker, flow: FileFlow, probes: frozenset[str]) -> Iterator[str]:
    for _, target in walker.imports:
        if target.rpartition(".")[2] in probes:
            yield target
    for spot in walker.attributes:
        if spot.node.attr in probes:
            for origin in flow.exact.of(spot.node, spot.scope):
                if origin[0] == "ref":
                    yield origin[1]


class _Places(CandidateReads):
    """Makes places of calls, with all that naming new code there has to know."""

    def sites(self, probes: frozenset[str]) -> Iterator[ProbeSite]:
        """Every place where what may be a probe is read, in source order."""
        calls = {id(spot.node.func): spot for spot in self.walker.calls}
        for spot, refs in walked_references(self.walker, self.flow.exact, probes):
            node = spot.node
            if id(node) in self.walker.consumed and id(node) not in calls:
                continue  # bound to a name: the name's own reads count
            call = calls.get(id(node))
            origins = self.flow.exact.of(node, spot.scope)
            use, where, anchor = "value", spot, ("attribute", spot.ordinal)
            if call is not None:
                given = call.node.args or call.node.keywords
                use = "arguments" if given else "call"
                where, anchor = call, ("call", call.ordinal)
            yield ProbeSite(
                self.place(where, anchor, node),
                refs,
                all(o[0] == "ref" and o[1] in refs for o in origins),
                use,
                self._key(node, spot.scope, refs[0]),
            )

    def place(
        self, spot: Spot, anchor: tuple[str, int], names_in: ast.expr | None = None
    ) -> Candidate:
        """A place in the file as a candidate; ``names_in`` is what goes with it."""
        node, scope = spot.node, spot.scope
        taken, local = self._accessors_around(spot)
        end_line = node.end_lineno or node.lineno
        roots = tuple(
            sorted({n.id for n in ast.walk(names_in) if isinstance(n, ast.Name)})
            if names_in is not None
            else ()
        )
        return Candidate(
            line=node.lineno,
            column=self.lines.column(node.lineno, node.col_offset),
            end_line=end_line,
            function=scope.path,
            form="call",
            via="attribute",
            text=self.lines.segment(node)
            if spot.fstring is None
            else ast.unparse(node),
            field="",
            origins=(),
            anchor=anchor,
            roots=roots,
            import_time=not scope.in_function(),
            suppression=self._suppression(node.lineno, end_line),
            taken=taken,
            local_imports=local,
            functions=spot.functions,
        )

    def _key(self, node: ast.expr, scope: Scope, ref: str) -> str:
        """The name that is looked up when the place runs, as a patch would spell it."""
        if isinstance(node, ast.Name):
            owners = lookup_scopes(node.id, scope)
            if not owners or owners[0].kind == "module":
                return f"{self.flow.module}.{node.id}"
        return ref
