"""Fetches packages from the package index, once, into the ignored data folder."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

DATA = Path(__file__).parent / ".data"


def package(name: str, version: str) -> Path:
    """The unpacked wheel of a package: the folder that holds its top-level packages."""
    target = DATA / f"{name}-{version}"
    if (target / ".complete").exists():
        return target
    wheels = DATA / "wheels"
    wheels.mkdir(parents=True, exist_ok=True)
    _pip("download", "--no-deps", "-q", "-d", str(wheels), f"{name}=={version}")
    prefix = name.replace("-", "_")
    wheel = next(wheels.glob(f"{prefix}-{version}-*.whl"))
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(target)
    (target / ".complete").touch()
    return target


def sources(name: str, version: str) -> Path:
    """Only the Python files of a package: a tenth of what a wheel with kernels takes.

    The wheel itself goes away again.
    """
    whole = DATA / f"{name}-{version}"
    if (whole / ".complete").exists():
        return whole
    target = DATA / f"{name}-{version}-py"
    if (target / ".complete").exists():
        return target
    wheels = DATA / "wheels"
    wheels.mkdir(parents=True, exist_ok=True)
    _pip("download", "--no-deps", "-q", "-d", str(wheels), f"{name}=={version}")
    wheel = next(wheels.glob(f"{name.replace('-', '_')}-{version}-*.whl"))
    with zipfile.ZipFile(wheel) as archive:
        for member in archive.namelist():
            if member.endswith(".py"):
                archive.extract(member, target)
    wheel.unlink()
    (target / ".complete").touch()
    return target


def tool(name: str, requirement: str) -> Path:
    """A command that a package installs, from a folder of its own."""
    home = DATA / "tools"
    command = home / "bin" / name
    if not command.exists():
        subprocess.run([sys.executable, "-m", "venv", str(home)], check=True)
        subprocess.run(
            [home / "bin" / "python", "-m", "pip", "install", "-q", requirement],
            check=True,
        )
    return command


def _pip(*arguments: str) -> None:
    subprocess.run(
        [sys.executable, "-m", "pip", "--disable-pip-version-check", *arguments],
        check=True,
    )
