"""The children of an ``ast`` node in the order they stand in the source.

``ast`` keeps some children by role: a dict's keys apart from its values, a function's
decorators after its body. Anchors (``codemod.model.Anchor``) count nodes in source
order, outer first, so both syntax trees need that order without positions of their
own: ``ast`` positions inside f-strings are wrong before Python 3.12.

    >>> import ast
    >>> tree = ast.parse("a.x if b.y else c.z", mode="eval")
    >>> [node.attr for node in walk_in_order(tree) if isinstance(node, ast.Attribute)]
    ['x', 'y', 'z']

The grammar is the source of every order here (Python reference, "Full Grammar
specification").
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator
from operator import attrgetter
from typing import Any

from codemod.model import AnchorKind

_Children = Callable[[Any], "list[ast.AST]"]

#: Node types that an anchor can name, by kind.
ANCHOR_KINDS: dict[type[ast.AST], AnchorKind] = {
    ast.Attribute: "attribute",
    ast.Call: "call",
    ast.Subscript: "subscript",
    ast.Assign: "assign",
    ast.AnnAssign: "assign",
    ast.AugAssign: "assign",
    ast.Import: "import",
    ast.ImportFrom: "import",
    ast.FunctionDef: "function",
    ast.AsyncFunctionDef: "function",
    ast.NamedExpr: "walrus",
}

# Every node type with children whose fields are in source order, from Python 3.10 to
# 3.14: a plain name is one node, `?` marks a node or None, `*` a list of nodes.
# Contexts, operators, names and constants are left out: nothing is counted in them.
_IN_ORDER = """
    Module body*
    Interactive body*
    Expression body
    FunctionType argtypes* returns
    FunctionDef decorator_list* type_params* args returns? body*
    AsyncFunctionDef decorator_list* type_params* args returns? body*
    Return value?
    Delete targets*
    Assign targets* value
    TypeAlias name type_params* value
    AugAssign target value
    AnnAssign target annotation value?
    For target iter body* orelse*
    AsyncFor target iter body* orelse*
    While test body* orelse*
    If test body* orelse*
    With items* body*
    AsyncWith items* body*
    Match subject cases*
    Raise exc? cause?
    Try body* handlers* orelse* finalbody*
    TryStar body* handlers* orelse* finalbody*
    Assert test msg?
    Import names*
    ImportFrom names*
    Expr value
    BoolOp values*
    NamedExpr target value
    BinOp left right
    UnaryOp operand
    Lambda args body
    IfExp body test orelse
    Set elts*
    ListComp elt generators*
    SetComp elt generators*
    DictComp key value? generators*
    GeneratorExp elt generators*
    Await value
    Yield value?
    YieldFrom value
    Compare left comparators*
    FormattedValue value format_spec?
    Interpolation value format_spec?
    JoinedStr values*
    TemplateStr values*
    Attribute value
    Subscript value slice
    Starred value
    List elts*
    Tuple elts*
    Slice lower? upper? step?
    comprehension target iter ifs*
    ExceptHandler type? body*
    arg annotation?
    keyword value
    withitem context_expr optional_vars?
    match_case pattern guard? body*
    MatchValue value
    MatchSequence patterns*
    MatchClass cls patterns* kwd_patterns*
    MatchAs pattern?
    MatchOr patterns*
    TypeVar bound? default_value?
    ParamSpec default_value?
    TypeVarTuple default_value?
"""

_LEAVES = (
    "Name Constant alias Pass Break Continue Global Nonlocal MatchSingleton MatchStar"
)


def ordered_children(node: ast.AST) -> list[ast.AST]:
    """Return the child nodes of ``node`` in source order.

    Contexts (``ast.Load``) and operators (``ast.Add``) are left out. The list is the
    caller's own. A node type of a later Python than those known here gives its
    children in the order of its fields.
    """
    children = _CHILDREN.get(type(node))
    if children is None:
        return list(ast.iter_child_nodes(node))
    return children(node)


def walk_in_order(node: ast.AST) -> Iterator[ast.AST]:
    """Yield ``node`` and all below it in source order, outer first."""
    stack = [node]
    while stack:
        node = stack.pop()
        yield node
        children = ordered_children(node)
        children.reverse()
        stack += children


def _leaf(node: ast.AST) -> list[ast.AST]:
    return []


def _single(field: str) -> _Children:
    get = attrgetter(field)
    return lambda node: [get(node)]


def _fixed(fields: Iterable[str]) -> _Children:
    get = attrgetter(*fields)
    return lambda node: list(get(node))


def _single_list(field: str) -> _Children:
    get = attrgetter(field)
    return lambda node: list(get(node))


def _mixed(fields: Iterable[str]) -> _Children:
    """Read fields of which some may be None, lists, or unknown to this Python."""
    parts = tuple((field.rstrip("?*"), field.endswith("*")) for field in fields)

    def children(node: ast.AST) -> list[ast.AST]:
        found: list[ast.AST] = []
        for field, is_list in parts:
            value = getattr(node, field, None)
            if value is None:
                continue
            if is_list:
                found += value
            else:
                found.append(value)
        return found

    return children


def _children_of_fields(fields: list[str]) -> _Children:
    if all(field.isidentifier() for field in fields):
        return _single(fields[0]) if len(fields) == 1 else _fixed(fields)
    if len(fields) == 1 and fields[0].endswith("*"):
        return _single_list(fields[0][:-1])
    return _mixed(fields)


def _of_call(node: ast.Call) -> list[ast.AST]:
    if not node.keywords:
        return [node.func, *node.args]
    return [node.func, *_arguments_in_order(node.args, node.keywords)]


def _of_class(node: ast.ClassDef) -> list[ast.AST]:
    return [
        *node.decorator_list,
        *getattr(node, "type_params", ()),
        *_arguments_in_order(node.bases, node.keywords),
        *node.body,
    ]


def _arguments_in_order(
    args: list[ast.expr], keywords: list[ast.keyword]
) -> list[ast.AST]:
    """Merge positional and keyword arguments: only ``*x`` may follow a keyword.

    Positions are compared between siblings of one call only. That order is right
    inside an f-string of Python 3.10 and 3.11 too, where all positions of one
    replacement field are moved by the same amount.
    """
    merged: list[ast.AST] = [*args, *keywords]
    if keywords and any(type(arg) is ast.Starred for arg in args):
        merged.sort(key=_position)
    return merged


def _position(node: ast.AST) -> tuple[int, int]:
    return node.lineno, node.col_offset  # type: ignore[attr-defined]


def _of_arguments(node: ast.arguments) -> list[ast.AST]:
    positional = [*node.posonlyargs, *node.args]
    found: list[ast.AST] = []
    first_default = len(positional) - len(node.defaults)
    for index, arg in enumerate(positional):
        found.append(arg)
        if index >= first_default:
            found.append(node.defaults[index - first_default])
    if node.vararg is not None:
        found.append(node.vararg)
    for arg, default in zip(node.kwonlyargs, node.kw_defaults):
        found.append(arg)
        if default is not None:
            found.append(default)
    if node.kwarg is not None:
        found.append(node.kwarg)
    return found


def _of_dict(node: ast.Dict) -> list[ast.AST]:
    found: list[ast.AST] = []
    for key, value in zip(node.keys, node.values):
        if key is not None:
            found.append(key)
        found.append(value)
    return found


def _of_match_mapping(node: ast.MatchMapping) -> list[ast.AST]:
    return [part for pair in zip(node.keys, node.patterns) for part in pair]


def _build_table() -> dict[type[ast.AST], _Children]:
    table: dict[type[ast.AST], _Children] = {}
    for line in _IN_ORDER.strip().splitlines():
        name, *fields = line.split()
        # Types of a later Python than the running one are passed over.
        if (node_type := getattr(ast, name, None)) is not None:
            table[node_type] = _children_of_fields(fields)
    for name in _LEAVES.split():
        table[getattr(ast, name)] = _leaf
    table[ast.Call] = _of_call
    table[ast.ClassDef] = _of_class
    table[ast.arguments] = _of_arguments
    table[ast.Dict] = _of_dict
    table[ast.MatchMapping] = _of_match_mapping
    return table


_CHILDREN = _build_table()
