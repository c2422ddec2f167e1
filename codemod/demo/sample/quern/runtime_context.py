"""Who holds the configuration, and how the rest of the service reads it.

At startup the arguments are first held, so that they can be resolved, and then
published. From then on ``get_args()`` returns the record as it was given, and
``get_exec()``, ``get_schedule()`` and the others return namespaces: the same values
under the path that each field's ``NS`` names, with what ``override`` has changed
since. Anything that asks too early gets a ValueError.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, get_type_hints

from quern import topology
from quern.config import NS, ServiceArgs


def _routes() -> dict[str, str]:
    hints = get_type_hints(ServiceArgs, include_extras=True)
    return {
        name: mark.path
        for name, hint in hints.items()
        for mark in getattr(hint, "__metadata__", ())
        if isinstance(mark, NS)
    }


ROUTES = _routes()


class RuntimeContext:
    """The record of this process, and what was overridden since it was published."""

    def __init__(self) -> None:
        self._args: ServiceArgs | None = None
        self._published = False
        self._overrides: dict[str, Any] = {}

    @property
    def args(self) -> ServiceArgs:
        """The record; a ValueError before there is one."""
        if self._args is None:
            raise ValueError("the service has no arguments yet: call hold() first")
        return self._args

    def hold(self, args: ServiceArgs) -> None:
        """Take the record. The namespaces stay closed until ``publish``."""
        self._args, self._published, self._overrides = args, False, {}

    def publish(self) -> None:
        """Open the namespaces over the record that is held."""
        self._published = self.args is not None

    def forget(self) -> None:
        """Go back to the state before startup."""
        self._args, self._published, self._overrides = None, False, {}

    def override(self, source: str, /, **fields: Any) -> None:
        """Change values for everyone who reads them from a namespace.

        The record keeps what it was given; ``source`` names who asked.
        """
        self._check(source, fields)
        self._overrides.update(fields)

    @contextmanager
    def scoped(self, **fields: Any) -> Iterator[None]:
        """Change values for a while, in the record and in the namespaces alike."""
        self._check("scoped", fields)
        given = {name: getattr(self.args, name) for name in fields}
        overridden = dict(self._overrides)
        for name, value in fields.items():
            setattr(self.args, name, value)
            self._overrides.pop(name, None)
        try:
            yield
        finally:
            self._overrides = overridden
            for name, value in given.items():
                setattr(self.args, name, value)

    def open(self, root: str) -> Namespace:
        """The namespace of that name; a ValueError before publishing."""
        if not self._published:
            raise ValueError(f"{root} was read before the arguments were published")
        return ParallelNamespace(root) if root == "parallel" else Namespace(root)

    def value(self, field: str) -> Any:
        """The value of a field as the namespaces show it."""
        if field in self._overrides:
            return self._overrides[field]
        return getattr(self.args, field)

    def _check(self, source: str, fields: dict[str, Any]) -> None:
        if not self._published:
            raise ValueError(f"{source}: nothing to override before publishing")
        for name in fields:
            if name not in ROUTES:
                raise AttributeError(f"{source}: {name!r} is in no namespace")


class Namespace:
    """A path of the namespace tree: its fields and sub-namespaces are attributes."""

    def __init__(self, path: str) -> None:
        object.__setattr__(self, "_path", path)

    def __getattr__(self, name: str) -> Any:
        if ROUTES.get(name) == self._path:
            return _context.value(name)
        inner = f"{self._path}.{name}"
        if inner in ROUTES.values():
            return Namespace(inner)
        raise AttributeError(f"namespace {self._path} has no {name!r}")

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"{self._path}.{name} is read-only: use override()")


class ParallelNamespace(Namespace):
    """``parallel``, where the number of workers is the number alive right now."""

    @property
    def workers(self) -> int:
        return topology.live_workers()


class _HeldArgs:
    """The record as an object that can be imported before there is one."""

    def __getattr__(self, name: str) -> Any:
        return getattr(get_args(), name)


_context = RuntimeContext()
settings = _HeldArgs()


def get_context() -> RuntimeContext:
    """The one context of this process."""
    return _context


def get_args() -> ServiceArgs:
    """The record of this process; a ValueError before there is one."""
    return _context.args


def get_device() -> Namespace:
    return _context.open("device")


def get_exec() -> Namespace:
    return _context.open("exec")


def get_model() -> Namespace:
    return _context.open("model")


def get_parallel() -> Namespace:
    return _context.open("parallel")


def get_schedule() -> Namespace:
    return _context.open("schedule")


def get_serving() -> Namespace:
    return _context.open("serving")


def configured_workers() -> int:
    """How many workers were asked for; ``get_parallel().workers`` are alive."""
    return get_args().workers


def tokens_per_worker() -> int:
    """The share of a full batch that one worker gets."""
    return get_args().tokens_per_worker


def uses_dense_kernel() -> bool:
    """Whether vectors are built value by value."""
    return get_args().uses_dense_kernel()


def batches_for(tokens: int) -> int:
    """How many full batches that many tokens make."""
    return get_args().batches_for(tokens)
