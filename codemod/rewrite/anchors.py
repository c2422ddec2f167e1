"""LibCST nodes in source order, and the marks both syntax trees must agree on.

``codemod.analysis.source_order`` gives the same order for ``ast``. The two meet only
here: before an edit the marks of both trees are compared one by one, so an anchor that
``ast`` counted can be trusted to name the same node in LibCST.
"""

from __future__ import annotations

import ast
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import libcst as cst

from codemod.analysis.source_order import ANCHOR_KINDS, ordered_children
from codemod.model import Anchor, AnchorKind

#: One node as both trees see it: its kind and the name it carries, if any.
Mark = tuple[str, str]

# Fields that can hold expressions or statements, in source order. Names that are no
# expression (of attributes, keywords, parameters, captures), operators and whitespace
# are left out.
_IN_ORDER = """
    Module body
    IndentedBlock body
    SimpleStatementSuite body
    SimpleStatementLine body
    AnnAssign target annotation value
    Annotation annotation
    Assert test msg
    Assign targets value
    AssignTarget target
    AugAssign target value
    Del target
    Expr value
    Raise exc cause
    From item
    Return value
    TypeAlias name type_parameters value
    ClassDef decorators type_parameters bases keywords body
    FunctionDef decorators type_parameters params returns body
    Decorator decorator
    Parameters posonly_params params star_arg kwonly_params star_kwarg
    Param annotation default
    TypeParameters params
    TypeParam param default
    TypeVar bound
    For target iter body orelse
    While test body orelse
    If test body orelse
    Else body
    Try body handlers orelse finalbody
    TryStar body handlers orelse finalbody
    ExceptHandler type body
    ExceptStarHandler type body
    Finally body
    With items body
    WithItem item asname
    AsName name
    Match subject cases
    MatchCase pattern guard body
    MatchValue value
    MatchList patterns
    MatchTuple patterns
    MatchSequenceElement value
    MatchMapping elements
    MatchMappingElement key pattern
    MatchClass cls patterns kwds
    MatchKeywordElement pattern
    MatchAs pattern
    MatchOr patterns
    MatchOrElement pattern
    Attribute value
    Subscript value slice
    SubscriptElement slice
    Index value
    Slice lower upper step
    Call func args
    Arg value
    BinaryOperation left right
    BooleanOperation left right
    Comparison left comparisons
    ComparisonTarget comparator
    UnaryOperation expression
    IfExp body test orelse
    Lambda params body
    Tuple elements
    List elements
    Set elements
    Element value
    StarredElement value
    Dict elements
    DictElement key value
    StarredDictElement value
    ListComp elt for_in
    SetComp elt for_in
    GeneratorExp elt for_in
    DictComp key value for_in
    StarredDictComp value for_in
    CompFor target iter ifs inner_for_in
    CompIf test
    Await expression
    Yield value
    NamedExpr target value
    ConcatenatedString left right
    FormattedString parts
    FormattedStringExpression expression format_spec
    TemplatedString parts
    TemplatedStringExpression expression format_spec
"""

#: Child fields of each LibCST node type, in source order.
FIELDS: Mapping[type[cst.CSTNode], tuple[str, ...]] = {
    getattr(cst, name): tuple(fields)
    for name, *fields in map(str.split, _IN_ORDER.strip().splitlines())
    # A LibCST older than the newest grammar lacks some types.
    if hasattr(cst, name)
}

_KINDS: Mapping[type[cst.CSTNode], AnchorKind] = {
    cst.Attribute: "attribute",
    cst.Call: "call",
    cst.Subscript: "subscript",
    cst.Assign: "assign",
    cst.AnnAssign: "assign",
    cst.AugAssign: "assign",
    cst.Import: "import",
    cst.ImportFrom: "import",
    cst.FunctionDef: "function",
    cst.NamedExpr: "walrus",
}

# LibCST reads these as names, ``ast`` as constants.
_CONSTANTS = frozenset({"True", "False", "None"})


@dataclass(frozen=True, slots=True)
class Located:
    """What one walk over a LibCST tree found.

    ``nodes`` holds the anchors asked for that exist; ``parents`` maps the ``id`` of
    every walked node to the node above it; ``marks`` are in source order.
    """

    nodes: Mapping[Anchor, cst.CSTNode]
    parents: Mapping[int, cst.CSTNode]
    marks: list[Mark]


def children(node: cst.CSTNode) -> list[cst.CSTNode]:
    """Return the expressions and statements right below ``node``, in source order."""
    found: list[cst.CSTNode] = []
    for field in FIELDS.get(type(node), ()):
        value = getattr(node, field)
        if isinstance(value, cst.CSTNode):
            found.append(value)
        elif isinstance(value, (list, tuple)):
            found += value
    return found


def walk(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """Yield ``node`` and all expressions and statements below it, outer first."""
    stack = [node]
    while stack:
        node = stack.pop()
        yield node
        stack += reversed(children(node))


def locate(module: cst.Module, anchors: Iterable[Anchor]) -> Located:
    """Find the nodes of ``anchors``, the parents and the marks in one walk."""
    wanted = set(anchors)
    nodes: dict[Anchor, cst.CSTNode] = {}
    parents: dict[int, cst.CSTNode] = {}
    marks: list[Mark] = []
    counts: dict[AnchorKind, int] = dict.fromkeys(_KINDS.values(), 0)
    stack: list[cst.CSTNode] = [module]
    while stack:
        node = stack.pop()
        node_type = type(node)
        if (kind := _KINDS.get(node_type)) is not None:
            anchor = Anchor(kind, counts[kind])
            counts[kind] += 1
            if anchor in wanted:
                nodes[anchor] = node
            marks.append((kind, _name_of(node)))
        elif node_type is cst.Name and node.value not in _CONSTANTS:  # type: ignore[attr-defined]
            marks.append(("name", _normal(node.value)))  # type: ignore[attr-defined]
        below = children(node)
        for child in below:
            parents[id(child)] = node
        below.reverse()
        stack += below
    return Located(nodes, parents, marks)


@dataclass(frozen=True, slots=True)
class Span:
    """A function's marks: from its own (``start``) over its ``body`` to before ``end``.

    What a body without marks would span is empty.
    """

    node: ast.FunctionDef | ast.AsyncFunctionDef
    start: int
    body: int
    end: int


@dataclass(frozen=True, slots=True)
class MarkedTree:
    """The marks of an ``ast`` tree in source order, and the node of each."""

    marks: list[Mark]
    nodes: list[ast.expr | ast.stmt]
    spans: Sequence[Span]


def marked_tree(tree: ast.AST) -> MarkedTree:
    """Walk an ``ast`` tree for its marks and the spans of its functions."""
    marks: list[Mark] = []
    nodes: list[ast.expr | ast.stmt] = []
    spans: list[Span] = []
    # An open function stands in the stack twice: where its body starts and ends.
    stack: list[ast.AST | _Open] = [tree]
    while stack:
        node = stack.pop()
        if type(node) is _Open:
            if node.body < 0:
                node.body = len(marks)
            else:
                spans.append(Span(node.node, node.start, node.body, len(marks)))
            continue
        assert isinstance(node, ast.AST)
        below = ordered_children(node)
        node_type = type(node)
        if (kind := ANCHOR_KINDS.get(node_type)) is not None:
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                opened = _Open(node, len(marks), -1)
                first = len(below) - len(node.body)
                stack += [opened, *below[: first - 1 : -1], opened]
                below = below[:first]
            marks.append((kind, _name_of_ast(node)))
            nodes.append(node)  # type: ignore[arg-type]
        elif node_type is ast.Name:
            marks.append(("name", node.id))  # type: ignore[attr-defined]
            nodes.append(node)  # type: ignore[arg-type]
        below.reverse()
        stack += below
    return MarkedTree(marks, nodes, spans)


@dataclass(slots=True)
class _Open:
    node: ast.FunctionDef | ast.AsyncFunctionDef
    start: int
    body: int


def _name_of(node: cst.CSTNode) -> str:
    if isinstance(node, cst.Attribute):
        return _normal(node.attr.value)
    if isinstance(node, cst.FunctionDef):
        return _normal(node.name.value)
    if isinstance(node, (cst.Import, cst.ImportFrom)):
        if isinstance(node.names, cst.ImportStar):
            return "*"
        return _normal(",".join(alias.evaluated_name for alias in node.names))
    return ""


def _name_of_ast(node: ast.AST) -> str:
    if isinstance(node, ast.Attribute):
        return node.attr
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return node.name
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        return ",".join(alias.name for alias in node.names)
    return ""


def _normal(name: str) -> str:
    """Return ``name`` as the interpreter sees it (Python reference 2.3, NFKC)."""
    return name if name.isascii() else unicodedata.normalize("NFKC", name)
