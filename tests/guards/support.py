"""A project with a pack, and what the guards find in it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import codemod.api
from codemod.guards.model import Finding
from codemod.guards.running import Checked, run_guards


def write(folder: Path, files: Mapping[str, str]) -> Path:
    """Put files into a folder."""
    for path, text in files.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return folder


def checked(folder: Path, *only: str) -> Checked:
    """What the guards find, without a cache."""
    options = codemod.api.Options(cache=False, jobs=1)
    analysis = codemod.api.analyse(folder, None, options)
    assert not analysis.result.errors
    found = run_guards(analysis, only, 1, False)
    assert not found.problems
    return found


def found(folder: Path, *only: str) -> tuple[Finding, ...]:
    """The findings of some guards."""
    return checked(folder, *only).findings
