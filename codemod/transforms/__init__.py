"""Everything that a step of a migration can do, one module for each transform.

``TRANSFORMS`` maps the name that a pack's step uses to the module. Tasks of several
transforms on one file are put together with ``codemod.series.task.combined``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol, cast

from codemod.transforms import (
    cleanup,
    configured,
    derived,
    hoist,
    probes,
    reads,
    writers,
)
from codemod.transforms.model import Example, KeptSite, StepContext, StepPlan

__all__ = ["TRANSFORMS", "Example", "KeptSite", "StepContext", "StepPlan", "Transform"]


class Transform(Protocol):
    """The shape of a transform's module."""

    NAME: str
    SUMMARY: str
    EXAMPLES: tuple[Example, ...]

    def tasks(self, context: StepContext) -> StepPlan:
        """What the transform does in a step."""


TRANSFORMS: Mapping[str, Transform] = {
    module.NAME: cast(Transform, module)
    for module in (reads, writers, derived, configured, probes, cleanup, hoist)
}
