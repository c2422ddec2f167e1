"""The TOML reader of the running Python: ``tomllib``, or ``tomli`` before 3.11."""

from __future__ import annotations

import sys

if sys.version_info >= (3, 11):
    from tomllib import TOMLDecodeError, loads
else:
    from tomli import (  # type: ignore[import-not-found, unused-ignore]
        TOMLDecodeError,
        loads,
    )

__all__ = ["TOMLDecodeError", "loads"]
