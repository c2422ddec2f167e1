"""The record."""

from dataclasses import dataclass, field
from typing import Annotated

from app.probe import note

WATCHERS = []


@dataclass(frozen=True)
class NS:
    path: str


@dataclass
class Config:
    alpha: Annotated[int, NS("exec.kernel")] = 1
    beta: Annotated[int, "help", NS("exec.kernel")] = 2
    gamma: Annotated[int, NS("exec")] = 3
    zeta: Annotated[int, NS("device")] = 4
    eta: Annotated[int, NS("serve")] = 5
    iota: Annotated[int, NS("model")] = 6
    theta: Annotated[int, NS("exec")] = 7
    kappa: Annotated[int, NS("exec")] = 12
    delta: Annotated[list, NS("model")] = field(default_factory=lambda: [3, 1, 2])
    eps: Annotated[dict, NS("model.cache")] = field(default_factory=lambda: {"k": 8})
    raw: int = 9

    @property
    def total(self):
        return self.alpha + self.gamma

    def scaled(self, by=2):
        return self.iota * by

    def override(self, source, **fields):
        for name, value in fields.items():
            setattr(self, name, value)

    def __getattribute__(self, name):
        if name in _NOTED:
            note(self, name)
        return object.__getattribute__(self, name)

    def __setattr__(self, name, value):
        object.__setattr__(self, name, value)
        for watcher in WATCHERS:
            watcher(self, name, value)

    def __delattr__(self, name):
        object.__delattr__(self, name)
        for watcher in WATCHERS:
            watcher(self, name, object.__getattribute__(self, name))

    def __getitem__(self, name):
        note(self, name)
        return object.__getattribute__(self, name)

    def get(self, name, default=None):
        note(self, name)
        try:
            return object.__getattribute__(self, name)
        except AttributeError:
            return default


_NOTED = frozenset(Config.__annotations__) | {
    "total",
    "scaled",
    "override",
}


def other(**values):
    """A record of someone else, with values of its own."""
    numbers = dict(
        alpha=51, beta=52, gamma=53, zeta=54, eta=55, iota=56, theta=57, raw=59
    )
    numbers["kappa"] = 60
    lists = {"delta": [9, 8], "eps": {"k": 58}}
    return Config(**{**numbers, **lists, **values})
