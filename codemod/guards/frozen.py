"""An accessor or a probe that is asked when the module is imported.

The answer is frozen: what is published, overridden or patched later is not seen, and an
accessor asked before publishing raises. Module level, class bodies, decorators and
default values all run at import, in any nesting of ``if``, ``try`` and comprehensions;
what stands under ``if __name__ == "__main__"`` or ``TYPE_CHECKING`` does not.
"""

from __future__ import annotations

from codemod.guards.model import Finding, GuardContext, finding_at
from codemod.guards.samples import Sample

CODE = "frozen"
SUMMARY = "An accessor or probe is asked at import time."
NEEDS_REASON = False

VALID = (
    Sample(
        """\
from app.context import get_pool
from app.machine import get_machine, is_fast

later = lambda: get_pool().size


def f(fast=None):
    return get_machine().is_fast if fast is None else is_fast()


if __name__ == "__main__":
    print(get_pool().size)
"""
    ),
)
INVALID = (
    Sample(
        """\
from app import context
from app.context import get_pool
from app.machine import get_machine, is_fast

SIZE = get_pool().size  # <-
FAST = bool(1 and get_machine().is_fast)  # <-
try:
    if is_fast():  # <-
        pass
except ValueError:
    pass


class C:
    host = context.get_net().http.host  # <-
    sizes = [get_pool().size for _ in "ab"]  # <-


def f(size=get_pool().size):  # <-
    return size


@use(is_fast())  # <-
def g():
    pass
"""
    ),
)


def findings(context: GuardContext) -> tuple[Finding, ...]:
    """One for each question asked too early."""
    targets = context.targets
    wanted = targets.answers | targets.address | frozenset(targets.probes)
    objects = {n for n, a in targets.accessors.items() if a.kind == "object"}
    found = []
    for file, mention in context.mentions(wanted):
        if not mention.import_time:
            continue
        meaning = targets.meaning(mention.ref)
        asked = mention.called or (meaning & objects and mention.path)
        if not asked or context.is_owner(file.source.file.module):
            continue
        name = ".".join([mention.ref.rpartition(".")[2], *mention.path])
        found.append(
            finding_at(
                CODE,
                file,
                mention.line,
                mention.column,
                mention.function,
                f"{name} is asked when the module is imported, and never again",
                "ask it in the function that needs the answer",
                name,
                mention.text,
            )
        )
    return tuple(found)
