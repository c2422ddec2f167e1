"""The service's arguments and the metadata on them."""

from .args import ServiceArgs
from .meta import NS, Help

__all__ = ["NS", "Help", "ServiceArgs"]
