"""The interpreters of supported versions that this machine has."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

_VERSIONS = ("3.10", "3.11", "3.12", "3.13", "3.14")


def _works(python: str, version: str) -> bool:
    program = "import sys; print('%d.%d' % sys.version_info[:2])"
    done = subprocess.run([python, "-c", program], capture_output=True, text=True)
    return done.returncode == 0 and done.stdout.strip() == version


def _find(version: str) -> str | None:
    candidates = [shutil.which(f"python{version}")]
    versions = Path.home() / ".pyenv" / "versions"
    candidates += map(str, sorted(versions.glob(f"{version}.*/bin/python")))
    working = (path for path in candidates if path and _works(path, version))
    return next(working, None)


def _all() -> list[str]:
    running = f"{sys.version_info.major}.{sys.version_info.minor}"
    found = [_find(version) for version in _VERSIONS if version != running]
    return [sys.executable, *(path for path in found if path)]


#: Paths of one interpreter for each version, the running one first.
INTERPRETERS = _all()
