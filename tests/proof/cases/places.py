"""Places in the grammar, and names that code asks for without spelling them."""

from __future__ import annotations

import sys

from tests.proof.cases.case import PACK_OF_ALL, Case

#: Syntax that older interpreters do not have (PEP 695).
TYPE_PARAMETERS = (
    (
        Case(
            name="the bound of a type parameter waits until something asks for it",
            before="""\
from app.context import get_args

type Size = get_args().alpha


def size[T: (get_args().beta, int)](default=get_args().gamma):
    return default, Size.__value__, size.__type_params__[0].__constraints__
""",
            after="""\
from app.context import get_args, get_exec

type Size = get_exec().kernel.alpha


def size[T: (get_exec().kernel.beta, int)](default=get_args().gamma):
    return default, Size.__value__, size.__type_params__[0].__constraints__
""",
            decisions=("convert", "convert", "import-time"),
            calls=("size()",),
            late=True,
        ),
    )
    if sys.version_info >= (3, 12)
    else ()
)

CASES = (
    Case(
        name="a declaration goes with the binding that it declares",
        before="""\
from app.context import get_args


def size(flag):
    sa: "Config"
    if flag:
        sa = get_args()
    else:
        sa = get_args()
    return sa.alpha


class Sizes:
    sa: "Config"
    sa = get_args()
    most = sa.beta
""",
        after="""\
from app.context import get_args, get_exec


def size(flag):
    if flag:
        pass
    else:
        pass
    return get_exec().kernel.alpha


class Sizes:
    sa: "Config"
    sa = get_args()
    most = sa.beta
""",
        decisions=("convert", "import-time"),
        calls=("size(True)", "size(False)"),
        late=True,
    ),
    Case(
        name="a pattern holds a dotted name and no call",
        before="""\
from app.context import get_args


def which(value):
    sa = get_args()
    match value:
        case sa.alpha:
            return "alpha"
        case {"k": sa.gamma} | [sa.delta.imag]:
            return "gamma"
        case sa.eta:
            return "eta"
        case _:
            return sa.beta
""",
        after="""\
from app.context import get_args, get_exec, serve


def which(value):
    sa = get_args()
    match value:
        case sa.alpha:
            return "alpha"
        case {"k": sa.gamma} | [sa.delta.imag]:
            return "gamma"
        case serve.eta:
            return "eta"
        case _:
            return get_exec().kernel.beta
""",
        decisions=("name-taken", "name-taken", "name-taken", "convert", "convert"),
        calls=("which(11)", 'which({"k": 13})', "which(5)", "which(0)"),
    ),
    Case(
        name="a walrus under a read that stays is left as it is written",
        before="""\
from app.context import get_args


def sizes():
    return (sa := get_args()).raw + sa.alpha


def sums():
    return getattr((sa := get_args()), "total") if one() else (sb := get_args()).gamma


def one():
    if (sa := get_args()) and sa.alpha:
        return sa.beta
""",
        after="""\
from app.context import get_args, get_exec


def sizes():
    return (sa := get_args()).raw + get_exec().kernel.alpha


def sums():
    return getattr((sa := get_args()), "total") if one() else get_exec().gamma


def one():
    if get_args() and get_exec().kernel.alpha:
        return get_exec().kernel.beta
""",
        decisions=("unrouted", "convert", "derived", "convert", "convert", "convert"),
        calls=("sizes()", "sums()", "one()"),
    ),
    Case(
        name="locals() shows a binding that nothing else reads",
        before="""\
from app.context import get_args


def shown():
    sa = get_args()
    value = sa.alpha
    return sorted(locals()), value


def computed():
    sa = get_args()
    return eval("sa.beta") + sa.alpha


def hidden():
    sa = get_args()
    return sa.alpha
""",
        after="""\
from app.context import get_args, get_exec


def shown():
    sa = get_args()
    value = get_exec().kernel.alpha
    return sorted(locals()), value


def computed():
    sa = get_args()
    return eval("sa.beta") + get_exec().kernel.alpha


def hidden():
    return get_exec().kernel.alpha
""",
        decisions=("convert", "convert", "convert"),
        calls=("shown()", "computed()", "hidden()"),
    ),
    Case(
        name="a class attribute reached by the name of the class",
        before="""\
from app.context import get_args


class Engine:
    held = get_args()

    def size(self):
        return self.held.alpha


def sizes():
    return Engine().size(), Engine.held.gamma
""",
        after="""\
from app.context import get_args, get_exec


class Engine:
    held = get_args()

    def size(self):
        return get_exec().kernel.alpha


def sizes():
    return Engine().size(), get_exec().gamma
""",
        decisions=("convert", "convert"),
        calls=("sizes()",),
        late=True,
    ),
    *TYPE_PARAMETERS,
    Case(
        name="get keeps the spelling of the name",
        before="""\
from app.context import get_args


def sizes():
    a, b = get_args().get('alpha'), get_args().get("delta", (5))
    return a, b, (get_args())["iota"]
""",
        after="""\
from app.context import get_exec, get_model


def sizes():
    a, b = getattr(get_exec().kernel, 'alpha', None), getattr(get_model(), "delta", (5))
    return a, b, (get_model()).iota
""",
        decisions=("convert", "convert", "convert"),
        calls=("sizes()",),
        pack=PACK_OF_ALL,
    ),
)
