"""Before and after of one edit: run as a test, shown in the documentation."""

from __future__ import annotations

from dataclasses import dataclass

from codemod.plan import Edit, FilePlan


@dataclass(frozen=True, slots=True)
class Example:
    """``edits`` turn the file text ``before`` into ``after``.

    ``module`` is the dotted name of the file, ``is_package`` whether it is an
    ``__init__.py``; both matter for relative imports.
    """

    before: str
    after: str
    edits: tuple[Edit, ...]
    module: str = "app.worker"
    is_package: bool = False

    def plan(self) -> FilePlan:
        """Return the edits as the plan of one file."""
        path = self.module.replace(".", "/")
        path += "/__init__.py" if self.is_package else ".py"
        return FilePlan(path, self.module, self.is_package, self.edits)
