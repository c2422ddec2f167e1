"""The shape of a case, and how it becomes a project that can be run."""

from __future__ import annotations

from dataclasses import dataclass, field

from tests.proof.programs.build import Project
from tests.proof.programs.world import PackWords, fixed_files

#: A pack for which every way to take a field is a read.
PACK_OF_ALL = PackWords(access=("attribute", "getattr", "subscript", "get"))


@dataclass(frozen=True)
class Case:
    """One module before and after, with what is decided about its reads in order.

    ``decisions`` are ``convert`` or the reason of a keep. ``calls`` are run before and
    after, with the record published and without. ``late`` is for a module that can only
    be imported when the record is published. ``more`` are other files of the project.
    """

    name: str
    before: str
    after: str
    decisions: tuple[str, ...]
    calls: tuple[str, ...] = ()
    pack: PackWords = field(default_factory=PackWords)
    late: bool = False
    more: tuple[tuple[str, str], ...] = ()
    #: ``after`` is what the whole default series makes, not the reads alone.
    series: bool = False

    def project(self) -> Project:
        """The project of the case; its module is ``app/m0.py``."""
        module = ["app.m0"]
        calls = [f"app.m0.{call}" for call in self.calls]
        return Project(
            files={
                **fixed_files(self.pack),
                "app/m0.py": self.before,
                **dict(self.more),
            },
            placed={},
            sites=[],
            pack=self.pack,
            before=[] if self.late else module,
            after=module if self.late else [],
            calls=calls,
            early=[] if self.late else calls,
            steps=[{"alpha": 11, "gamma": 13}, {"alpha": 21, "zeta": 24}],
        )
