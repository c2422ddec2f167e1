"""Corners of the language, each a template with reads in it."""

from __future__ import annotations

from tests.proof.programs.expressions import leaf
from tests.proof.programs.model import Lines, Place, Program


def oddity(p: Program, place: Place) -> Lines:
    """One corner, at module level, with a call of it."""
    scope = place.scope
    name = scope.fresh("f")
    inner = Place(place.module, scope.inner("lambda"), live=True, depth=3)
    place.module.calls.append(f"{place.module.name}.{name}()")
    return [f"{name} = lambda: {leaf(p, inner)}"]
