"""The new text is analysed again: what was planned happened, and nothing else did."""

from __future__ import annotations

import ast
import warnings
from collections import Counter
from collections.abc import Sequence

from codemod.analysis.facts import OTHER, Candidate, FileFacts, Origin
from codemod.analysis.leaving import leaving_anchors
from codemod.analysis.origins import Flow, Origins
from codemod.analysis.scopes import Scope, lookup_scopes
from codemod.analysis.summarise import summarise
from codemod.analysis.walk import Walker
from codemod.plan import Edit, ReplaceExpression, SplitCall
from codemod.series.nested import on_the_way
from codemod.series.task import FileEdits, FileTask, place

#: What a read is known by in both texts, its own text last.
Fingerprint = tuple[object, ...]
#: The path of the scope that a name is bound in, and where its value comes from.
Meaning = tuple[str, Origins]


def problems_of(
    task: FileTask, planned: FileEdits, dead: Sequence[Edit], text: str
) -> list[str]:
    """What is wrong with a rewritten file; empty when it may be delivered.

    ``dead`` are the removals of what the planned edits leave unread.

    The planned reads are gone, every other read is there unchanged and in its order,
    so that a second run finds nothing to do; the file compiles; and every name that
    new code uses means the accessor wherever it is read.
    """
    file = task.source.file
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
            compile(text, file.path, "exec", dont_inherit=True)
    except (SyntaxError, ValueError) as error:
        return [f"the rewritten file does not compile: {error}"]
    after = summarise(text, file.module, file.is_package, task.vocabulary, close=True)
    if after.problem is not None:
        return [after.problem[1]]
    found = _reads_changed(task, planned, dead, after)
    found += _names_unbound(task, tree)
    found += _replaced_otherwise(task, planned, tree)
    return found


def _fingerprint(candidate: Candidate) -> Fingerprint:
    text = "".join(candidate.text.split())
    return (
        candidate.function,
        candidate.form,
        candidate.via,
        candidate.field,
        candidate.context,
        candidate.origins,
        text,
    )


def _reads_changed(
    task: FileTask, planned: FileEdits, dead: Sequence[Edit], after: FileFacts
) -> list[str]:
    converted = planned.question.converted
    if edits := (*task.edits, *dead):
        # A binding that goes may hold what is spelled like a read of another record.
        converted |= leaving_anchors(_parsed(task.source.data), edits)
    before = [c for c in planned.facts.candidates if c.anchor not in converted]
    expected = Counter(_fingerprint(c) for c in before)
    # What the scan of the file did not list may go with a statement that goes.
    listed = {place(c) for c in task.facts.candidates}
    wanted = Counter(_fingerprint(c) for c in before if place(c) in listed)
    # An accessor may be spelled like the record, and a namespace like a field.
    of_accessors = {
        origin
        for _, wanted in task.names
        for origin in (("ref", wanted), ("call", wanted, ""))
    }
    there = Counter(
        _fingerprint(c)
        for c in after.candidates
        if not c.origins or not of_accessors.issuperset(c.origins)
    )
    missing, extra = wanted - there, there - expected
    _pair_off(missing, extra)
    gone = [c for c in planned.facts.candidates if c.anchor in converted]
    missing -= Counter(_fingerprint(c) for c in on_the_way(before, gone))
    found = [f"the kept read {each[-1]} is no longer there" for each in missing]
    return found + [f"the read {each[-1]} is still there" for each in extra]


def _pair_off(missing: Counter[Fingerprint], extra: Counter[Fingerprint]) -> None:
    """Forget kept reads that are there, and have a converted one inside.

    What they are taken from is then spelled otherwise: ``sa.config.size``, where
    ``config`` is a field and the name of a record, or ``path.size`` after
    ``path = sa.path``.
    """
    for old in [*missing.elements()]:
        new = next((each for each in extra if _site(each) == _site(old)), None)
        if new is not None:
            for counts, key in ((missing, old), (extra, new)):
                counts[key] -= 1
                if not counts[key]:
                    del counts[key]


def _site(fingerprint: Fingerprint) -> tuple[object, ...]:
    """What of a read does not depend on how its base is spelled."""
    function, _, via, field, context, *_ = fingerprint
    return function, via, field, context


def _replaced_otherwise(
    task: FileTask, planned: FileEdits, tree: ast.Module
) -> list[str]:
    """Texts that edits put in and that are not there as often as they should be."""
    wanted = Counter(
        edit.text for edit in planned.edits if isinstance(edit, ReplaceExpression)
    )
    wanted += Counter(
        edit.callee for edit in planned.edits if isinstance(edit, SplitCall)
    )
    if not wanted:
        return []
    old = _parsed(task.source.data)
    found = []
    for text, count in wanted.items():
        made = _occurrences(tree, text) - _occurrences(old, text)
        if made != count:
            found.append(f"{text} is there {made} times more, and should be {count}")
    return found


def _occurrences(tree: ast.Module, text: str) -> int:
    """How often an expression is in a tree."""
    wanted = ast.parse(text, mode="eval").body
    dump = ast.dump(wanted)
    last = _last_name(wanted)
    return sum(
        type(node) is type(wanted)
        and _last_name(node) == last
        and ast.dump(node) == dump
        for node in ast.walk(tree)
    )


def _last_name(node: ast.AST) -> str:
    """The name that an expression ends in, a quick word for what it may be equal to."""
    if isinstance(node, ast.Call):
        return _last_name(node.func)
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def _names_unbound(task: FileTask, tree: ast.Module) -> list[str]:
    """Names of new code that do not mean the accessor everywhere they are read.

    The name may mean something else in scopes that had it before.
    """
    names = [name for name, _ in task.names]
    before = _meanings(task, _parsed(task.source.data), names)
    after = _meanings(task, tree, names)
    found = []
    for name, wanted in task.names:
        new = _added(before[name], after[name])
        if not new:
            found.append(f"{name} is not used by the rewritten file")
        for meaning in new:
            if not meaning:
                found.append(f"{name} is not bound everywhere it is read")
            elif not all(_is_accessor(origin, name, wanted) for origin in meaning):
                found.append(f"{name} does not mean {wanted} everywhere")
    return found


def _added(before: Counter[Meaning], after: Counter[Meaning]) -> list[Origins]:
    """What the reads mean that are there now and were not before.

    A local name that is read as often as before is the one that it was, though the
    value it is bound to may have been rewritten.
    """
    more: Counter[str] = Counter()
    for counts, sign in ((after, 1), (before, -1)):
        for (scope, _), count in counts.items():
            more[scope] += sign * count
    return [origins for scope, origins in after - before if more[scope] > 0]


def _parsed(data: bytes) -> ast.Module:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(data)


def _meanings(
    task: FileTask, tree: ast.Module, names: list[str]
) -> dict[str, Counter[Meaning]]:
    """For each name, how often it is read with which meaning; no origins: not bound."""
    file = task.source.file
    walker = Walker(task.vocabulary, file.module, file.is_package)
    walker.walk(tree)
    flow = Flow(task.vocabulary, file.module, walker.stars)
    return {
        name: Counter(
            _meaning(flow, name, spot.scope) for spot in walker.names.get(name, ())
        )
        for name in names
    }


def _meaning(flow: Flow, name: str, scope: Scope) -> Meaning:
    owners = lookup_scopes(name, scope)
    where = owners[0].path if owners else ""
    if not owners and not flow.stars:
        return where, frozenset()
    if owners and owners[0].kind == "class":
        # Its own name comes first in the body of a class; that a name of the module
        # stands behind it is new only where there was none.
        return where, frozenset({OTHER})
    return where, flow.of_name(name, scope)


def _is_accessor(origin: Origin, name: str, wanted: str) -> bool:
    """Whether an origin is the accessor, or its own name by way of a re-export."""
    if origin == ("ref", wanted):
        return True
    own = wanted.rpartition(".")[2]
    return name == own and origin[0] == "ref" and origin[1].endswith(f".{own}")
