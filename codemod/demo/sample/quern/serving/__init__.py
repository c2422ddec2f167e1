"""What clients see."""

from .engine import Engine
from .router import Router

__all__ = ["Engine", "Router"]
