"""Finds the engine that a client asked for by name."""

from __future__ import annotations

from quern.serving.engine import Engine


class Router:
    """The engines of this process, by served name."""

    def __init__(self, engines: list[Engine]) -> None:
        self.engines = {engine.service_args.served_name: engine for engine in engines}

    def names(self) -> list[str]:
        """The names a client may ask for."""
        return sorted(self.engines)

    def engine(self, name: str) -> Engine:
        """The engine of that name; a LookupError names those there are."""
        try:
            return self.engines[name]
        except KeyError:
            known = ", ".join(self.names())
            raise LookupError(f"no engine {name!r}, only {known}") from None

    def folding(self) -> list[str]:
        """The names of the engines that fold case."""
        return [
            name for name in self.names() if self.engine(name).service_args.lowercase
        ]
