"""Named accessors that do not do what the pack says they do.

The function of a ``[derived]`` member returns that member of the record: a method is
called, a property is read. Taken without its call, a method is always true. The
function of a ``[configured]`` size reads that field. And the function of each
``[accessors]`` entry is there.
"""

from __future__ import annotations

from collections.abc import Iterator

from codemod.guards.model import Finding, GuardContext
from codemod.guards.samples import CONTEXT, Sample

CODE = "accessors"
SUMMARY = "A named accessor does not wrap what the pack says."
NEEDS_REASON = False

VALID = (Sample(files={"app/context.py": CONTEXT}),)
INVALID = (
    Sample(
        files={
            "app/context.py": CONTEXT.replace(
                "    return get_config().is_large()",
                "    return get_config().is_large  # <-",
            )
        }
    ),
    Sample(
        files={
            "app/context.py": CONTEXT.replace(
                "    return get_config().url", "    return get_config().url()  # <-"
            )
        }
    ),
    Sample(
        files={
            "app/context.py": CONTEXT.replace(
                "def url():\n    return get_config().url",
                "def url():  # <-\n    return get_config().host",
            )
        },
    ),
    Sample(
        files={"app/context.py": CONTEXT.replace("def get_net", "def get_nets")},
        elsewhere=1,
    ),
)


def findings(context: GuardContext) -> tuple[Finding, ...]:
    """One for each accessor that is missing or wraps something else."""
    return (*_missing(context), *_derived(context), *_configured(context))


def _missing(context: GuardContext) -> Iterator[Finding]:
    for accessor in context.pack.accessors:
        if not _in_project(context, accessor.module):
            continue
        facts = context.index.names.module_facts(accessor.module)
        bound = {fact.bound for fact in facts.imports}
        if accessor.name not in facts.definitions and not {accessor.name, "*"} & bound:
            yield _at_module(
                context,
                accessor.module,
                f"namespace {accessor.root} has no accessor: there is no "
                f"{accessor.name} here",
                f"define {accessor.name}, or correct [accessors] in the pack",
                accessor.root,
            )


def _derived(context: GuardContext) -> Iterator[Finding]:
    for member, derived in sorted(context.pack.derived.items()):
        module, _, name = derived.call.partition(":")
        if not _in_project(context, module):
            continue
        known = context.routes.members.get(member)
        if known is not None and known != derived.kind:
            yield _at_module(
                context,
                module,
                f"{member} is a {known} of the record, and the pack has a "
                f"{derived.kind}",
                f'write kind = "{known}" in [derived]',
                member,
            )
            continue
        yield from _wraps(context, module, name, member, derived.kind == "method")


def _configured(context: GuardContext) -> Iterator[Finding]:
    for field, configured in sorted(context.pack.configured.items()):
        module, _, name = configured.call.partition(":")
        if _in_project(context, module):
            yield from _wraps(context, module, name, field, False)


def _wraps(
    context: GuardContext, module: str, name: str, member: str, method: bool
) -> Iterator[Finding]:
    """What is wrong with the function that should answer for a member."""
    facts = context.index.names.module_facts(module)
    if name not in facts.definitions:
        bound = {fact.bound for fact in facts.imports}
        if not {name, "*"} & bound:
            yield _at_module(
                context,
                module,
                f"{member} has no accessor: there is no {name} here",
                f"define {name}, or correct the pack",
                member,
            )
        return
    inside = [c for c in facts.candidates if c.function == name]
    taken = [c for c in inside if c.field == member]
    if not taken:
        if inside or not facts.close:
            yield _at_function(
                context,
                module,
                name,
                f"{name} does not read {member} off the record",
                f"return {member} of the record",
                member,
            )
        return
    for candidate in taken:
        if candidate.called == method:
            continue
        wrong = (
            f"{member} is a method: without a call {name} returns the bound method, "
            "which is always true"
            if method
            else f"{member} is no method, and {name} calls it"
        )
        yield Finding(
            CODE,
            context.index.project.by_module[module].path,
            candidate.line,
            candidate.column,
            candidate.function,
            wrong,
            f"{candidate.text}()" if method else candidate.text,
            module,
            member,
            candidate.text,
        )


def _in_project(context: GuardContext, module: str) -> bool:
    return context.index.names.is_module(module)


def _at_module(
    context: GuardContext, module: str, message: str, fix: str, subject: str
) -> Finding:
    path = context.index.project.by_module[module].path
    return Finding(CODE, path, 1, 1, "", message, fix, module, subject)


def _at_function(
    context: GuardContext, module: str, name: str, message: str, fix: str, subject: str
) -> Finding:
    path = context.index.project.by_module[module].path
    line = 1
    data = context.index.sources[path].data.decode("utf-8", "replace")
    for number, text in enumerate(data.splitlines(), 1):
        if text.startswith((f"def {name}(", f"async def {name}(")):
            line = number
    return Finding(CODE, path, line, 1, name, message, fix, module, subject)
