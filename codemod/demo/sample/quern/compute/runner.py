"""Runs a batch on the kernel that this runner was set up with."""

from __future__ import annotations

from dataclasses import replace

from quern.compute.cache import Vector
from quern.compute.devices import Device, get_device
from quern.compute.kernels import kernel_named
from quern.config import ServiceArgs


class Runner:
    """One kernel on one device.

    A preview runner trades digits for speed. It says so on a copy of the arguments,
    so that the rest of the process does not notice.
    """

    def __init__(self, service_args: ServiceArgs, preview: bool = False) -> None:
        self.service_args = replace(service_args)
        if preview:
            self.service_args.override("preview", kernel="sparse", precision=2)
        self.device: Device = get_device(1 if preview else 0)
        self.fullest = 0.0

    @property
    def label(self) -> str:
        """Kernel, digits and length, as the report shows them."""
        return (
            f"{self.service_args.kernel}/{self.service_args.precision}"
            f" of {self.service_args.dim} on {self.device}"
        )

    def run(self, texts: list[tuple[str, ...]]) -> list[Vector]:
        """One vector for each text, rounded to this runner's precision."""
        from quern.compute import tables

        kernel = kernel_named(self.service_args.kernel)
        digits = self.service_args.precision
        vectors = []
        for words in texts:
            scale = tables.scale(len(words))
            self.fullest = max(self.fullest, tables.share(len(words)))
            values = [min(value, tables.Bounds.value) for value in kernel(list(words))]
            vectors.append(tuple(round(value * scale, digits) for value in values))
        return vectors
