"""The tables ``[[step]]`` and ``[verify]``: what commits a migration is made of.

A step is one idea: some transforms on a part of the project, and the commit message
it gets. The order of the tables is the order of the commits.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

#: Every transform that a step can name, in the order in which they are applied.
TRANSFORM_NAMES = (
    "reads",
    "writers",
    "derived",
    "configured",
    "probes",
    "cleanup",
    "hoist",
    "external",
)

#: What a commit message template may mention, each with its meaning.
MESSAGE_KEYS: Mapping[str, str] = {
    "step": "the step's name",
    "part": "what a split makes of it: a namespace, a module, a number; else empty",
    "transforms": "the step's transforms, joined by ' and '",
    "edits": "how many places are edited",
    "files": "how many files are changed",
    "paths": "the changed files, one a line",
    "kept": "how many reads of the step's selection stay",
    "kept_by_reason": "those reads by reason, one reason a line",
    "namespaces": "the accessors' namespaces the edits go to, joined by ', '",
}

#: Seconds that a command of the pack may run, unless it says otherwise.
TIME_LIMIT = 600.0

Split = Literal["namespace", "module"] | int


@dataclass(frozen=True, slots=True)
class External:
    """Somebody's own codemod.

    ``kind`` says what ``target`` is: a shell command line, the import path
    ``module.Class`` of a LibCST ``CodemodCommand``, or the path of a Python file with
    a Bowler query. ``arguments`` are handed on, ``python`` is the interpreter that has
    the tool installed (None: the one that runs nsroute), ``timeout`` is in seconds.
    """

    kind: Literal["command", "codemod", "bowler"]
    target: str
    arguments: tuple[str, ...] = ()
    python: str | None = None
    timeout: float = TIME_LIMIT


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a migration.

    ``transforms`` are applied together, so that what belongs together lands in one
    commit. The lists of dotted globs select (AND; an empty list selects everything);
    ``imports`` are the modules whose imports a ``hoist`` moves.
    ``message`` is a template of ``str.format`` over ``MESSAGE_KEYS``, None for the
    transform's own. ``split`` cuts the step into several commits: by the first name of
    the namespace, by module, or into at most so many files each.
    """

    name: str
    transforms: tuple[str, ...] = ("reads",)
    namespaces: tuple[str, ...] = ()
    modules: tuple[str, ...] = ()
    fields: tuple[str, ...] = ()
    message: str | None = None
    split: Split | None = None
    external: External | None = None
    imports: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Verify:
    """The project's own check of a commit: a shell command line, and its seconds."""

    command: str
    timeout: float = TIME_LIMIT
