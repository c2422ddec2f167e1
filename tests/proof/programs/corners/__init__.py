"""Corners of the language, each a small function that writes one.

A corner takes a ``Corner`` and gives the lines of something at module level. To add
one is to write a function and put it into its module's ``ALL``.
"""

from __future__ import annotations

from tests.proof.programs.corners import (
    blocks,
    calls,
    classes,
    guards,
    handing,
    layout,
    scopes,
    syntax,
)
from tests.proof.programs.corners.corner import Corner
from tests.proof.programs.model import Lines, Place, Program

ALL = (
    *scopes.ALL,
    *guards.ALL,
    *blocks.ALL,
    *classes.ALL,
    *calls.ALL,
    *syntax.ALL,
    *handing.ALL,
    *layout.ALL,
)


def corner(p: Program, place: Place) -> Lines:
    """One corner at module level, and the calls that run it."""
    writer = p.draw.pick(ALL)
    return writer(Corner(p, place))
