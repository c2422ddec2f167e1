"""A parameter for the record that nothing in its function reads.

Once reads go to the namespaces, the record is handed down for nothing, and every caller
still builds and passes it. Left alone are stubs, decorated functions, and methods whose
parameter a class above or below has too: others call those by the same signature.
"""

from __future__ import annotations

from collections import defaultdict

from codemod.analysis.guard_facts import Parameter
from codemod.guards.model import Finding, GuardContext, finding_at
from codemod.guards.samples import Sample

CODE = "unread-parameters"
SUMMARY = "A parameter for the record that nothing reads."
NEEDS_REASON = False

VALID = (
    Sample(
        """\
from abc import abstractmethod

from app.config import Config


def f(config):
    return config.size


def g(config: Config):
    def inner():
        return config

    return inner


def h(config: int):
    return 1


def stub(config: Config):
    raise NotImplementedError


class Base:
    def run(self, config):
        return config.size

    @abstractmethod
    def stop(self, config): ...


class Child(Base):
    def run(self, config):
        return 1
"""
    ),
)
INVALID = (
    Sample(
        """\
from app.config import Config


def f(config):  # <-
    return 1


def g(given: Config | None = None):  # <-
    return [config for config in "ab"]


class C:
    def run(self, config):  # <-
        def inner(config):
            return config

        return inner
"""
    ),
)


def findings(context: GuardContext) -> tuple[Finding, ...]:
    """One for each parameter."""
    methods = _methods(context)
    found = []
    for file in context.guards.files:
        module = file.source.file.module
        if context.is_owner(module):
            continue
        for each in file.facts.parameters:
            if each.read or each.pinned or not _is_record(context, each):
                continue
            if each.class_path and _shared(context, methods, module, each):
                continue
            found.append(
                finding_at(
                    CODE,
                    file,
                    each.line,
                    each.column,
                    each.function,
                    f"nothing in {each.function} reads {each.name}",
                    "remove it, here and where it is passed; the cleanup step does, or "
                    "says what calls the function by its signature",
                    each.name,
                    each.name,
                )
            )
    return tuple(found)


def _is_record(context: GuardContext, parameter: Parameter) -> bool:
    """Whether the annotation says it is the record, or leaves it to the name."""
    cls = context.pack.record.cls
    names = context.targets.of(cls) if cls else frozenset()
    refs = [
        name for ref in parameter.annotations for name in context.targets.meaning(ref)
    ]
    if any(ref in names for ref in refs):
        return True
    plain = {"None", "Any", "Optional", "Union", "object"}
    unsaid = all(ref.rpartition(".")[2] in plain for ref in refs)
    return unsaid and parameter.name in context.pack.record.attributes


def _methods(context: GuardContext) -> dict[tuple[str, str], set[str]]:
    """Classes that have a method with a parameter of the record's, by both names."""
    found: dict[tuple[str, str], set[str]] = defaultdict(set)
    for file in context.guards.files:
        module = file.source.file.module
        for each in file.facts.parameters:
            if each.class_path:
                method = each.function.rpartition(".")[2]
                found[method, each.name].add(f"{module}.{each.class_path}")
    return found


def _shared(
    context: GuardContext,
    methods: dict[tuple[str, str], set[str]],
    module: str,
    parameter: Parameter,
) -> bool:
    """Whether a related class has the parameter too, or a base is out of sight."""
    own = f"{module}.{parameter.class_path}"
    classes = context.index.classes
    method = parameter.function.rpartition(".")[2]
    for other in methods[method, parameter.name]:
        if other != own and classes.related(own, other):
            return True
    if method.startswith("__"):
        return False
    unknown = [b for b in classes.ancestors(own) if not classes.is_class(b)]
    return any(b.rpartition(".")[2] not in _PLAIN_BASES for b in unknown)


_PLAIN_BASES = frozenset({"object", "ABC", "Enum", "Generic", "NamedTuple"})
