"""Arguments that every service of the family has."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from .meta import NS, Help


@dataclass(kw_only=True)
class BaseArgs:
    """Device, seed and log level, and the one way to change a value later on."""

    device: Annotated[str, Help("where the kernels run"), NS("device")] = "cpu"
    seed: Annotated[int, Help("seed of the token hash"), NS("model")] = 7
    log_level: Annotated[str, NS("serving")] = "info"

    def override(self, source: str, /, **fields: Any) -> None:
        """Set fields of this object; ``source`` names who asked for it."""
        for name, value in fields.items():
            if not hasattr(self, name):
                raise AttributeError(f"{source}: there is no argument {name!r}")
            setattr(self, name, value)
