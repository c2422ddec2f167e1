"""The tables ``[publish]`` and ``[guards]``: where the record opens, and what is kept.

Everything before the publish call has no namespaces yet. The guards are the checks of
``nsroute check``; each may have a table of its own, and those that need to be told
something (which getters are retired, whose imports belong at module level) run only
when they are.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from codemod.packs.globs import module_matches

#: Every guard, in the order in which findings are listed.
GUARD_NAMES = (
    "reads",
    "writers",
    "legacy",
    "coflip",
    "shadowing",
    "frozen",
    "pre-publish",
    "accessors",
    "configured",
    "local-imports",
    "unread-parameters",
    "suppressions",
)


@dataclass(frozen=True, slots=True)
class Publish:
    """The call that publishes the record, and where processes start.

    ``call`` is ``module:function`` or ``module:Class.method``, ``entries`` are
    ``module:function``.
    """

    call: str
    entries: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class GuardRule:
    """What a pack says to one guard.

    ``calls`` are the retired getters of ``legacy`` (``module:name``), ``modules`` the
    modules whose imports ``local-imports`` looks for (dotted globs), ``names`` what
    ``shadowing`` looks at: ``accessors``, or ``imports`` for every imported name.
    ``except_modules`` are globs of modules that the guard leaves alone.
    """

    calls: tuple[str, ...] = ()
    modules: tuple[str, ...] = ()
    names: str = "accessors"
    except_modules: tuple[str, ...] = ()

    def covers(self, module: str) -> bool:
        """Whether the guard looks at a module."""
        return not module_matches(self.except_modules, module)


@dataclass(frozen=True, slots=True)
class Guards:
    """Which guards run, and how: ``skip`` are left out, ``rules`` are by name."""

    skip: frozenset[str] = frozenset()
    rules: Mapping[str, GuardRule] = field(default_factory=dict)

    def rule(self, name: str) -> GuardRule:
        """What the pack says to a guard; its defaults when it says nothing."""
        return self.rules.get(name, GuardRule())
