"""A project with a pack, and what the guards find in it."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import codemod.api
from codemod.guards.model import Finding
from codemod.guards.running import Checked, run_guards

if TYPE_CHECKING:
    from click.testing import Result


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


def nsroute(folder: Path, *arguments: str) -> Result:
    """Run the command in ``folder``, in this process."""
    import contextlib

    from typer.testing import CliRunner

    from codemod.cli.app import build_app

    before = Path.cwd()
    os.chdir(folder)
    try:
        return CliRunner().invoke(build_app(), list(arguments))
    finally:
        with contextlib.suppress(OSError):
            os.chdir(before)


def git(folder: Path, *arguments: str) -> str:
    """What git prints; a person's own settings play no part."""
    settings = ["-c", "user.name=T", "-c", "user.email=t@example.invalid"]
    done = subprocess.run(
        ["git", *settings, *arguments], cwd=folder, check=True, capture_output=True
    )
    return done.stdout.decode()


def commit(folder: Path, message: str = "start") -> None:
    """Commit all of a folder, which becomes a repository if it is none."""
    if not (folder / ".git").exists():
        git(folder, "init", "--quiet", "--initial-branch=main")
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message", message)
