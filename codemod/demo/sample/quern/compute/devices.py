"""Handles on the devices that kernels run on."""

from __future__ import annotations

from dataclasses import dataclass

from quern.config import ServiceArgs
from quern.runtime_context import get_args

_PODS = {0: "pod-a", 1: "pod-a"}


@dataclass(frozen=True)
class Device:
    """One device of this machine."""

    kind: str
    index: int

    def __str__(self) -> str:
        return f"{self.kind}:{self.index}"


def get_device(index: int = 0) -> Device:
    """A handle on the index-th device of the configured kind."""
    return Device(get_args().device, index)


def spare(index: int, service_args: ServiceArgs | None = None) -> Device:
    """A handle on a device that these arguments, or the process's, leave free."""
    if (service_args := service_args or get_args()).workers > index:
        raise ValueError(f"{service_args.device}:{index} belongs to a worker")
    return Device(service_args.device, index)


def qualified_name(index: int) -> str:
    """A device's name within the namespace of its container, as logs show it."""
    get_device_namespace = _PODS.get
    return f"{get_device_namespace(index, 'host')}/{get_args().device}:{index}"
