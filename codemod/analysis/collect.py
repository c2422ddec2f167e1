"""From a parsed file that mentions the pack's words to its facts."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemod.analysis.candidates import CandidateReads
from codemod.analysis.comments import suppressions
from codemod.analysis.facts import (
    NONE,
    OTHER,
    AttributeStore,
    ClassFact,
    FileFacts,
    Origin,
)
from codemod.analysis.flowing import FileFlow
from codemod.analysis.handlers import guard_names
from codemod.analysis.hits import Hits
from codemod.analysis.opened import opened
from codemod.analysis.origins import class_of_self, mangled
from codemod.analysis.positions import source_lines
from codemod.analysis.rebinding import patches, rebound
from codemod.analysis.scopes import Binding
from codemod.analysis.strings import dotted_strings
from codemod.analysis.toplevel import ModuleLevel, class_facts
from codemod.analysis.uses import collect_uses
from codemod.analysis.vocabulary import Vocabulary
from codemod.analysis.walk import Walker


def collect(
    tree: ast.Module,
    text: str,
    level: ModuleLevel,
    vocabulary: Vocabulary,
    whole: bool,
) -> FileFacts:
    """The facts of one file, reads and bindings included.

    Without ``whole``, definitions that mention nothing of interest are not walked: the
    facts are the same, but the ordinals of anchors are not those of the file.
    """
    lines = source_lines(text)
    hits = None
    if not whole:
        hits = Hits(text, lines)
        hits.add(vocabulary.words | vocabulary.classes)
    walker = Walker(vocabulary, level.module, level.is_package, hits)
    walker.walk(tree)
    flow = FileFlow(walker, vocabulary, level.module)
    kept, warnings = suppressions(text)
    reads = CandidateReads(flow, lines, kept)
    reads.collect()
    return FileFacts(
        imports=tuple(level.imports),
        definitions=frozenset(level.definitions),
        exports=None if level.exports is None else tuple(level.exports),
        classes=_classes(flow, level),
        close=True,
        candidates=tuple(reads.found),
        uses=(*collect_uses(flow, reads.bases, lines), *patches(flow)),
        walrus_aliases=reads.walrus_aliases(),
        stores=_stores(flow, text),
        rebound=tuple(rebound(flow)),
        record_names=_record_names(flow),
        module_names=_module_names(flow),
        patched=dotted_strings(text, vocabulary.words),
        references=_references(flow),
        warnings=warnings,
    )


def _stores(flow: FileFlow, text: str) -> tuple[AttributeStore, ...]:
    """Assignments to attributes that hold, or may hold, the record.

    ``module.NAME = …`` counts too: it may rebind an exported record or getter.
    """
    names = flow.stash_names | flow.vocabulary.words
    found: list[AttributeStore] = []
    for spot, value in flow.walker.attribute_stores:
        attribute = mangled(spot.node.attr, spot.scope)
        if attribute not in names:
            continue
        guards = spot.guards
        origins: tuple[Origin, ...] = (OTHER,)
        if _is_none(value):
            origins = (NONE,)
        elif value is not None:
            origins = tuple(sorted(flow.exact.of(value, spot.scope)))
            guards += flow.binding_guards(value, spot.scope)
        class_path = class_of_self(spot.node.value, spot.scope)
        found.append(
            AttributeStore(
                attribute, class_path, origins, spot.node.lineno, guard_names(guards)
            )
        )
    found += _annotated(flow)
    followed = flow.stash_names | flow.vocabulary.attributes
    for name, value, scope in flow.class_values():
        attribute = mangled(name, scope)
        if attribute in followed:
            origins = tuple(sorted(flow.exact.of(value, scope)))
            if name in flow.vocabulary.attributes and _is_none(value):
                origins = (NONE,)
            found.append(AttributeStore(attribute, scope.path, origins, value.lineno))
    for name, ref, scope in flow.class_imports():
        if name in flow.stash_names:
            found.append(AttributeStore(name, scope.path, (("ref", ref),), 1))
    found += _hidden_by_classes(flow)
    found += opened(flow, text)
    return tuple(found)


def _is_none(value: ast.expr | None) -> bool:
    return isinstance(value, ast.Constant) and value.value is None


def _annotated(flow: FileFlow) -> Iterator[AttributeStore]:
    """Attributes of the pack that a class says the type of: as good as a parameter's.

    In the body of the class, or where a method assigns to its ``self``.
    """
    for spot in flow.walker.assigns:
        node, scope = spot.node, spot.scope
        if not isinstance(node, ast.AnnAssign):
            continue
        if isinstance(node.target, ast.Name) and scope.kind == "class":
            attribute, class_path = node.target.id, scope.path
        elif isinstance(node.target, ast.Attribute):
            attribute = node.target.attr
            class_path = class_of_self(node.target.value, scope)
        else:
            continue
        if class_path and attribute in flow.vocabulary.attributes:
            refs = "|".join(flow.exact.annotation_refs(node.annotation, scope))
            origin = ("param", "", refs)
            yield AttributeStore(attribute, class_path, (origin,), node.lineno)


def _hidden_by_classes(flow: FileFlow) -> Iterator[AttributeStore]:
    """What class bodies define under a stash's name: a property takes its place."""
    for _, _, inner in flow.walker.classes:
        for name, bindings in inner.bindings.items():
            attribute = mangled(name, inner)
            if attribute in flow.stash_names and any(
                binding.kind not in ("value", "declared", "import")
                for binding in bindings
            ):
                line = bindings[0].line
                yield AttributeStore(attribute, inner.path, (OTHER,), line, ())


def _classes(flow: FileFlow, level: ModuleLevel) -> tuple[ClassFact, ...]:
    found = {fact.path: fact for fact in class_facts(level)}
    for node, scope, inner in flow.walker.classes:
        if inner.path in found:
            continue
        bases: list[str] = []
        for base in node.bases:
            part = base.value if isinstance(base, ast.Subscript) else base
            bases += flow.exact.refs(part, scope)
        found[inner.path] = ClassFact(inner.path, tuple(bases), node.lineno)
    return tuple(found.values())


def _record_names(flow: FileFlow) -> dict[str, tuple[Origin, ...]]:
    """Module-level names that another module may import the record or getter by."""
    found: dict[str, tuple[Origin, ...]] = {}
    root = flow.walker.root
    for name in sorted(root.bindings.keys() & flow.suspects.names):
        origins = flow.exact.of_name(name, root)
        if flow.is_getter(origins) or flow.may_be_record(origins):
            found[name] = tuple(sorted(origins))
    return found


def _module_names(flow: FileFlow) -> dict[str, tuple[str, ...]]:
    """Accessor names bound at module level, and what they are bound to.

    A binding that has no value in sight, as ``del`` and ``for`` make one, has "".
    """
    root = flow.walker.root

    def meant(name: str, binding: Binding) -> str:
        if binding.kind == "other":
            return ""
        return binding.ref or f"{flow.module}.{name}"

    return {
        name: tuple(sorted({meant(name, b) for b in root.bindings[name]}))
        for name in sorted(flow.vocabulary.accessors & root.bindings.keys())
    }


def _references(flow: FileFlow) -> frozenset[str]:
    """Dotted names ending in a pack word that this file reaches through imports."""
    words = flow.vocabulary.words
    found = {
        target
        for _, target in flow.walker.imports
        if target.rpartition(".")[2] in words
    }
    for spot in flow.walker.attributes:
        if spot.node.attr in words:
            origins = flow.exact.of(spot.node, spot.scope)
            found.update(o[1] for o in origins if o[0] == "ref")
    return frozenset(found)
