"""From the command line to a service that is ready: check, resolve, publish."""

from __future__ import annotations

from pathlib import Path

from quern import topology
from quern.config import ServiceArgs
from quern.hardware import device_generation, is_fast_device
from quern.runtime_context import get_args, get_context


def load_file(path: str) -> dict[str, object]:
    """The values in a TOML file."""
    try:
        import tomllib
    except ImportError:
        raise SystemExit("a configuration file needs Python 3.11 or newer") from None
    return tomllib.loads(Path(path).read_text(encoding="utf-8"))


def check(service_args: ServiceArgs) -> None:
    """Refuse arguments that cannot work; a ValueError says which."""
    if service_args.workers < 1:
        raise ValueError(f"workers must be at least 1, not {service_args.workers}")
    if service_args.max_batch_tokens < service_args.max_tokens:
        raise ValueError(
            f"max_batch_tokens ({service_args.max_batch_tokens}) must hold one text"
            f" of max_tokens ({service_args.max_tokens})"
        )


def resolve() -> None:
    """Fill in what was left open. The namespaces are still closed here."""
    config = get_args()
    if config.kernel == "auto":
        config.override("resolve", kernel="dense" if is_fast_device() else "sparse")
    if device_generation() < 2 and get_args().precision > 4:
        get_args().override("old device", precision=4)


def start(service_args: ServiceArgs) -> None:
    """Make these the arguments of the process, and start its workers."""
    check(service_args)
    context = get_context()
    context.hold(service_args)
    resolve()
    context.publish()
    topology.start()


def stop() -> None:
    """Undo ``start``."""
    topology.stop()
    get_context().forget()
