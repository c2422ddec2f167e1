"""Reads: the record's field is taken off a namespace instead.

What: the expression that is the record becomes the accessor and the rest of the path;
the field's own name, dots, line breaks, comments and parentheses stay where they are.

Why: only the base of a read changes meaning, so only the base is replaced. Everything
a person had formatted around it is theirs.

Before and after:

    get_server_args().attention_backend     get_exec().kernel.attention_backend
    getattr(sa, "backend", None)            getattr(get_exec().kernel, "backend", None)
    sa["backend"]                           get_exec().kernel.backend
    sa.get("backend")                       getattr(get_exec().kernel, "backend", None)
"""

from __future__ import annotations

import keyword
from collections.abc import Callable, Sequence

import libcst as cst

from codemod.model import Anchor
from codemod.plan import ReadEdit
from codemod.rewrite.examples import Example
from codemod.rewrite.operations import Ledger, Operation, Replace, Source, StepError
from codemod.rewrite.whitespace import comments_in, spans_lines, with_comments

EXAMPLES = (
    Example(
        "x = get_server_args().backend\n",
        "x = get_exec().kernel.backend\n",
        (
            ReadEdit(
                Anchor("attribute", 0),
                "attribute",
                "backend",
                "get_exec()",
                ("kernel",),
            ),
        ),
    ),
    Example(
        "x = (\n    get_server_args()  # why\n    .backend  # what\n)\n",
        "x = (\n    get_exec()  # why\n    .kernel.backend  # what\n)\n",
        (
            ReadEdit(
                Anchor("attribute", 0),
                "attribute",
                "backend",
                "get_exec()",
                ("kernel",),
            ),
        ),
    ),
    Example(
        'x = getattr(sa, "backend", None)\n',
        'x = getattr(get_exec().kernel, "backend", None)\n',
        (ReadEdit(Anchor("call", 0), "getattr", "backend", "get_exec()", ("kernel",)),),
    ),
    Example(
        'x = getattr(sa, "backend")\n',
        "x = get_exec().kernel.backend\n",
        (ReadEdit(Anchor("call", 0), "getattr", "backend", "get_exec()", ("kernel",)),),
    ),
    Example(
        "x = sa['backend']\n",
        "x = settings.backend\n",
        (ReadEdit(Anchor("subscript", 0), "subscript", "backend", "settings", ()),),
    ),
    Example(
        "x = sa.get('backend')\n",
        "x = getattr(settings, 'backend', None)\n",
        (ReadEdit(Anchor("call", 0), "get", "backend", "settings", ()),),
    ),
)


def operations(
    edits: Sequence[ReadEdit], source: Source, ledger: Ledger
) -> list[Operation]:
    """Return one replacement for each read."""
    found: list[Operation] = []
    known: dict[Anchor, ReadEdit] = {}
    for edit in edits:
        if known.setdefault(edit.anchor, edit) != edit:
            raise StepError(edit.anchor, "two edits of this read disagree")
    for edit in known.values():
        node = source.node(edit.anchor)
        _check_shape(node, edit)
        found.append(Replace(node, _rewriter(edit)))
    return found


def _check_shape(node: cst.CSTNode, edit: ReadEdit) -> None:
    """Refuse a node that is no read of the field in the form the edit names."""
    if edit.via == "attribute":
        fits = isinstance(node, cst.Attribute)
    elif edit.via == "subscript":
        fits = isinstance(node, cst.Subscript) and (
            [type(element.slice) for element in node.slice] == [cst.Index]
        )
    else:
        least = 2 if edit.via == "getattr" else 1
        fits = (
            isinstance(node, cst.Call)
            and least <= len(node.args) <= least + 1
            and not any(argument.star for argument in node.args)
            and (edit.via == "getattr" or isinstance(node.func, cst.Attribute))
        )
    if not fits:
        raise StepError(
            edit.anchor, f"this is no read of {edit.field!r} by {edit.via}; not edited"
        )


def _rewriter(edit: ReadEdit) -> Callable[[cst.CSTNode], cst.CSTNode]:
    def make(node: cst.CSTNode) -> cst.CSTNode:
        if isinstance(node, cst.Attribute):
            return _attribute(node, edit)
        if isinstance(node, cst.Subscript):
            return _subscript(node, edit)
        assert isinstance(node, cst.Call)  # seen to in _check_shape
        return _getattr(node, edit) if edit.via == "getattr" else _get(node, edit)

    return make


def _attribute(node: cst.Attribute, edit: ReadEdit) -> cst.Attribute:
    base, comments = _base(node.value, edit.accessor)
    names = [*map(cst.Name, edit.path), node.attr]
    # The original dot, with its line break and comments, comes right after the base,
    # where a reader of the chain had put it.
    chain = cst.Attribute(base, names[0], dot=node.dot)
    for name in names[1:]:
        chain = cst.Attribute(chain, name)
    chain = chain.with_changes(lpar=node.lpar, rpar=node.rpar)
    return with_comments(chain, comments)


def _subscript(node: cst.Subscript, edit: ReadEdit) -> cst.BaseExpression:
    lost = comments_in(
        node.whitespace_after_value, node.lbracket, *node.slice, node.rbracket
    )
    base, comments = _base(node.value, edit.accessor)
    if not keyword.iskeyword(edit.field):
        return _plain(base, edit, node, (*comments, *lost))
    (element,) = node.slice
    assert isinstance(element.slice, cst.Index)  # seen to in _check_shape
    namespace, name = cst.Arg(_dotted(base, edit.path)), cst.Arg(element.slice.value)
    call = cst.Call(
        cst.Name("getattr"), [namespace, name], lpar=node.lpar, rpar=node.rpar
    )
    return with_comments(call, (*comments, *lost))


def _getattr(node: cst.Call, edit: ReadEdit) -> cst.BaseExpression:
    record, *rest = node.args
    base, comments = _base(record.value, edit.accessor)
    if len(rest) == 1 and not keyword.iskeyword(edit.field):
        lost = comments_in(
            node.whitespace_after_func,
            node.whitespace_before_args,
            record.comma if isinstance(record.comma, cst.Comma) else None,
            record.whitespace_after_arg,
            *rest,
        )
        return _plain(base, edit, node, (*comments, *lost))
    namespace = record.with_changes(value=_dotted(base, edit.path))
    return with_comments(node.with_changes(args=[namespace, *rest]), comments)


def _get(node: cst.Call, edit: ReadEdit) -> cst.BaseExpression:
    method = node.func
    assert isinstance(method, cst.Attribute)  # seen to in _check_shape
    base, comments = _base(method.value, edit.accessor)
    lost = comments_in(method.dot, *method.lpar, *method.rpar)
    namespace = _dotted(base, edit.path)
    name, *default = node.args
    between = _comma_between(node)
    arguments = [cst.Arg(namespace, comma=between)]
    if default:
        # `getattr` takes no keywords, `get(name, default=...)` of some records does.
        (value,) = default
        arguments += [
            name,
            value.with_changes(keyword=None, equal=cst.MaybeSentinel.DEFAULT),
        ]
    else:
        last = name.comma
        arguments += [
            name.with_changes(comma=between),
            cst.Arg(
                cst.Name("None"),
                comma=last,
                whitespace_after_arg=name.whitespace_after_arg,
            ),
        ]
        if isinstance(last, cst.MaybeSentinel):
            arguments[1] = arguments[1].with_changes(
                whitespace_after_arg=cst.SimpleWhitespace("")
            )
    call = node.with_changes(func=cst.Name("getattr"), args=arguments)
    return with_comments(call, (*comments, *lost))


def _comma_between(node: cst.Call) -> cst.Comma:
    """Return the comma for a new argument: on its own line where the others are."""
    space = node.whitespace_before_args
    if isinstance(space, cst.ParenthesizedWhitespace):
        after = space.with_changes(first_line=cst.TrailingWhitespace(), empty_lines=())
        return cst.Comma(whitespace_after=after)
    return cst.Comma(whitespace_after=cst.SimpleWhitespace(" "))


def _plain(
    base: cst.BaseExpression,
    edit: ReadEdit,
    node: cst.Call | cst.Subscript,
    comments: Sequence[str],
) -> cst.BaseExpression:
    """Return ``base.path.field`` in the parentheses of ``node``."""
    if not edit.field.isidentifier():
        raise StepError(
            edit.anchor, f"{edit.field!r} is no name, so no attribute can be read by it"
        )
    chain = _dotted(base, (*edit.path, edit.field))
    chain = chain.with_changes(
        lpar=[*node.lpar, *chain.lpar], rpar=[*chain.rpar, *node.rpar]
    )
    return with_comments(chain, comments)


def _base(
    record: cst.BaseExpression, accessor: str
) -> tuple[cst.BaseExpression, tuple[str, ...]]:
    """Return the accessor in place of ``record``, and the comments that lose theirs.

    Of a call without arguments the spaces and comments in its own parentheses are
    kept. Parentheses around it are kept where a person had chosen them; those that a
    walrus or an operator needed go with it, unless they break the line.
    """
    base = cst.parse_expression(accessor)
    inner: tuple[cst.CSTNode, ...] = (record.with_changes(lpar=(), rpar=()),)
    if isinstance(record, cst.Call) and isinstance(base, cst.Call) and not record.args:
        base = base.with_changes(
            whitespace_after_func=record.whitespace_after_func,
            whitespace_before_args=record.whitespace_before_args,
        )
        inner = (record.func,)
    chosen = isinstance(
        record, (cst.Name, cst.Attribute, cst.Call, cst.Subscript)
    ) or any(map(spans_lines, _paren_spaces(record)))
    if chosen:
        base = base.with_changes(
            lpar=[*record.lpar, *base.lpar], rpar=[*base.rpar, *record.rpar]
        )
    return base, comments_in(*inner)


def _paren_spaces(
    node: cst.BaseExpression,
) -> list[cst.BaseParenthesizableWhitespace]:
    return [
        *(opening.whitespace_after for opening in node.lpar),
        *(closing.whitespace_before for closing in node.rpar),
    ]


def _dotted(base: cst.BaseExpression, names: Sequence[str]) -> cst.BaseExpression:
    for name in names:
        base = cst.Attribute(base, cst.Name(name))
    return base
