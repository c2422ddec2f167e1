"""What most modules need, in one import."""

from quern.runtime_context import get_args, settings

__all__ = ["get_args", "settings"]
