"""A local binding that hides an imported accessor.

One binding anywhere in a function makes a name local in all of it (Python reference
4.2.2), also one in a branch that never runs. A use before it raises UnboundLocalError;
a use after it calls whatever was bound. Every form binds: assignment, ``:=``, ``for``,
``with``, ``except``, ``import``, a nested ``def`` or ``class``, ``match``, ``del``, a
parameter, a walrus in a comprehension.

Uses are followed in the order the function runs: an import of the same accessor in a
branch is fine in that branch, and a finding where a use after the branch may come
without it. With ``names = "imports"`` in ``[guards.shadowing]`` every imported name is
looked at, for uses that are, or may be, unbound.
"""

from __future__ import annotations

from codemod.analysis.guard_facts import Shadow
from codemod.guards.model import Finding, GuardContext, finding_at
from codemod.guards.samples import Sample

CODE = "shadowing"
SUMMARY = "A local name hides an imported accessor."
NEEDS_REASON = True

VALID = (
    Sample(
        """\
from app.context import get_pool


def f():
    return get_pool().size


def g():
    from app.context import get_pool

    return get_pool().size


def h(flag):
    if flag:
        from app.context import get_pool

        return get_pool().size
    return 0


class C:
    def get_pool(self):
        return get_pool()


def i(items):
    return [get_pool for get_pool in items]


def j():
    get_pool = 1
    return get_pool
"""
    ),
)
INVALID = (
    Sample(
        """\
from app.context import get_net, get_pool


def f(flag):
    size = get_pool().size  # <-
    if flag:
        from app.context import get_pool

        size += get_pool().size
    return size


def g(flag):
    if flag:
        from app.context import get_pool
    return get_pool().size  # <-


def h():
    get_net = get_net()  # <-
    return get_net


def i(get_net):
    return get_net().http  # <-


def j(items):
    for get_net in items:
        pass
    return get_net()  # <-


def k(item):
    match item:
        case [get_net]:
            return get_net()  # <-


def m(items):
    get_pool()  # <-
    return [get_pool := item for item in items]


def n():
    get_pool()  # <-
    try:
        pass
    except ValueError as get_pool:
        pass


def o():
    def inner():
        return get_pool()  # <-

    get_pool = make()
    return inner
"""
    ),
)


def findings(context: GuardContext) -> tuple[Finding, ...]:
    """One for each way in which a function's uses of a hidden name go wrong."""
    targets = context.targets
    every = context.rule(CODE).names == "imports"
    known = targets.answers | targets.address | frozenset(targets.probes)
    known |= targets.legacy
    for writer in context.pack.writers.values():
        known |= targets.of(writer.call)
    found = []
    for file in context.guards.files:
        for shadow in file.facts.shadows:
            outer = targets.meaning(shadow.outer)
            if not (every or outer & known):
                continue
            inner = targets.meaning(shadow.inner) if shadow.inner else frozenset()
            if shadow.state == "bound" and inner & outer & known:
                continue  # the same accessor by another import
            found.append(
                finding_at(
                    CODE,
                    file,
                    shadow.line,
                    shadow.column,
                    shadow.function,
                    _message(shadow),
                    _fix(shadow),
                    shadow.name,
                    shadow.name,
                )
            )
    return tuple(found)


def _message(shadow: Shadow) -> str:
    name, line = shadow.name, shadow.binding
    local = f"line {line} ({shadow.kind}) makes {name} local to the whole function"
    if shadow.state == "unbound":
        return f"UnboundLocalError: {local}, and it is not bound here yet"
    if shadow.state == "maybe":
        return f"UnboundLocalError on some paths: {local}, and does not always run"
    if shadow.kind == "parameter":
        return (
            f"the parameter {name} hides {shadow.outer}, so this calls something else"
        )
    return f"{local} and hides {shadow.outer}, so this calls something else"


def _fix(shadow: Shadow) -> str:
    if shadow.kind == "import" and shadow.inner == shadow.outer:
        return f"remove the import in line {shadow.binding}: the module has it"
    return f"give the local {shadow.name} another name"
