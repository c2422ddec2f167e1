"""A file as it was read, once for the whole run."""

from __future__ import annotations

from dataclasses import dataclass, field

from codemod.index.store import digest
from codemod.project import SourceFile


@dataclass(frozen=True, slots=True)
class Source:
    """A file with its bytes."""

    file: SourceFile
    data: bytes
    _identity: bytes = field(default=b"", init=False, repr=False, compare=False)

    @property
    def identity(self) -> bytes:
        """A digest of what facts depend on besides nsroute and the pack.

        The content, the name of the module, and whether it is a package.
        """
        if not self._identity:
            name = self.file.module.encode("utf-8", "surrogatepass")
            package = b"p" if self.file.is_package else b"m"
            found = digest(self.data, name, package)
            object.__setattr__(self, "_identity", found)
        return self._identity
