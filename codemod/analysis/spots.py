"""An expression or statement of interest, with what stands around it."""

from __future__ import annotations

import ast
from typing import Any

from codemod.analysis.handlers import Guard
from codemod.analysis.scopes import Scope


class Spot:
    """An expression of interest with what stands around it."""

    __slots__ = ("fstring", "functions", "guards", "node", "ordinal", "scope")

    def __init__(
        self,
        node: Any,
        scope: Scope,
        ordinal: int,
        guards: tuple[Guard, ...],
        functions: tuple[int, ...],
        fstring: ast.JoinedStr | None,
    ) -> None:
        self.node = node
        self.scope = scope
        self.ordinal = ordinal
        self.guards = guards
        self.functions = functions
        self.fstring = fstring
