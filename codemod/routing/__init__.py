"""Field → namespace, and the record's members, read from source and never imported.

``build_routes`` reads the record's declaration and checks it against the pack.
"""

from __future__ import annotations

from codemod.routing.building import build_routes
from codemod.routing.model import RouteTable
from codemod.routing.remembered import remembered_routes

__all__ = ["RouteTable", "build_routes", "remembered_routes"]
