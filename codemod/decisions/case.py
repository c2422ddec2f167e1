"""One candidate with everything that a keep reason may ask about it."""

from __future__ import annotations

from dataclasses import dataclass

from codemod.analysis.facts import Candidate
from codemod.index.record import Status
from codemod.packs import Pack


@dataclass(frozen=True, slots=True)
class Case:
    """A read before its decision.

    ``statuses`` say what each origin of its base is; ``namespace`` is its field's
    route, None when there is none; ``member`` is ``property`` or ``method`` when the
    field is a derived member; ``field_known`` says whether the record's class has it.
    ``accessor_raises`` names what the field's accessor raises before publishing.
    ``before_publish`` is the call chain by which its function runs before the record is
    published, or "". ``name`` is the accessor's name in this file, None when no name is
    free, and ``name_problem`` then says why.
    """

    candidate: Candidate
    module: str
    pack: Pack
    statuses: frozenset[Status]
    namespace: str | None
    member: str | None
    field_known: bool
    accessor_raises: str | None = None
    before_publish: str = ""
    name: str | None = ""
    name_problem: str = ""
