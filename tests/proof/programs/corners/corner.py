"""What a corner is written with."""

from __future__ import annotations

from dataclasses import replace

from tests.proof.programs.bindings import MIXED
from tests.proof.programs.model import YES, Base, Place, Program, Scope

NOT = frozenset({"no"})
MAYBE = MIXED
LISTED = frozenset({"listed"})
FILLED = frozenset({"parameter", "yes"})


class Corner:
    """Names, the record, and marked reads of it, for one corner."""

    def __init__(self, p: Program, place: Place) -> None:
        self.p = p
        self.top = place
        self.module = place.module
        self.name = place.scope.fresh("f")
        fit = [b for b in self.module.bases if b.statuses == YES]
        self.base = p.draw.pick(fit)
        #: The record, by one of the module's spellings.
        self.record = self.base.text
        self.scope = place.scope.inner("function", self.name)
        self.place = Place(self.module, self.scope, live=True, depth=3)

    def fresh(self, stem: str) -> str:
        """A name of its own."""
        return self.scope.fresh(stem)

    def call(self, text: str) -> None:
        """Have the driver evaluate an expression in the module."""
        self.module.calls.append(text)

    def read(
        self,
        text: str,
        field: str = "alpha",
        statuses: frozenset[str] = YES,
        form: str = "",
        *,
        caught: bool = False,
        live: bool = True,
        context: str = "load",
        at: Scope | None = None,
    ) -> str:
        """``text.field``, marked with what should become of it."""
        base = Base(text, statuses, form)
        place = replace(self.place, caught=caught, live=live, scope=at or self.scope)
        return f"{self.p.read(place, base, field, context=context)}{text}.{field}"

    def alias(self, field: str = "alpha", **more: bool) -> str:
        """A read of the alias that most corners have."""
        return self.read("sa", field, form="alias", **more)

    def escape(self) -> str:
        """The record, taken whole."""
        return f"{self.p.escape()}{self.record}"

    @property
    def any_caught(self) -> bool:
        """Whether a handler of something else counts as one that may catch."""
        return self.p.pack.unpublished is None
