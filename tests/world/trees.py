"""Where source is that nobody wrote for us: standard libraries, and large packages."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from dataclasses import dataclass
from pathlib import Path

#: Wheels are kept here, out of git; see ``.gitignore``.
DATA = Path(__file__).parents[2] / "bench" / ".data" / "world"

#: A dozen large packages, of several tastes: numbers, the web, types, tools, tables.
PACKAGES = (
    "django==5.1.4",
    "sympy==1.13.3",
    "sqlalchemy==2.0.36",
    "pip==24.3.1",
    "networkx==3.4.2",
    "pandas==2.2.3",
    "scipy==1.14.1",
    "matplotlib==3.9.3",
    "transformers==4.47.0",
    "mypy==1.13.0",
    "twisted==24.10.0",
    "botocore==1.35.80",
    "ansible-core==2.17.7",
    "setuptools==75.6.0",
)

#: Files that other folders hold too, or that are not the library's own.
_NOT_OURS = ("site-packages", "__pycache__", "lib-dynload")


@dataclass(frozen=True, slots=True)
class Tree:
    """A folder of source and what to call it."""

    name: str
    folder: Path


def own_library() -> Tree:
    """The standard library of the Python that runs this."""
    version = ".".join(map(str, sys.version_info[:3]))
    return Tree(f"CPython {version}", Path(sysconfig.get_path("stdlib")))


def libraries() -> list[Tree]:
    """The standard libraries of the interpreters of PATH and pyenv, oldest first.

    An interpreter is asked where its library is and which version it has.
    """
    names = [f"python3.{minor}" for minor in range(4, 20)] + ["python3", "python2.7"]
    found = {shutil.which(name) for name in names} | {sys.executable}
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    found |= {str(path) for path in pyenv.glob("*/bin/python")}
    trees: dict[Path, Tree] = {}
    for program in sorted(filter(None, found)):
        tree = _asked(program)
        if tree is not None:
            trees.setdefault(tree.folder.resolve(), tree)
    return sorted(trees.values(), key=lambda tree: _number(tree.name))


def _asked(program: str) -> Tree | None:
    code = (
        "import sys, sysconfig;"
        "print('.'.join(map(str, sys.version_info[:3])));"
        "print(sysconfig.get_path('stdlib'))"
    )
    try:
        done = subprocess.run(
            [program, "-S", "-E", "-c", code],
            capture_output=True,
            text=True,
            timeout=30,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    lines = done.stdout.split("\n")
    if done.returncode != 0 or len(lines) < 2 or not Path(lines[1]).is_dir():
        return None
    return Tree(f"CPython {lines[0]}", Path(lines[1]))


def _number(name: str) -> tuple[int, ...]:
    return tuple(int(part) for part in name.split()[-1].split("."))


def fetched(requirement: str) -> Tree:
    """The unpacked wheel of a package; fetched once, as pip finds it for this Python.

    Raises CalledProcessError when the index does not have it.
    """
    target = DATA / requirement
    if not (target / ".complete").exists():
        wheels = DATA / "wheels" / requirement
        wheels.mkdir(parents=True, exist_ok=True)
        pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "download")
        options = ("--no-deps", "--only-binary=:all:", "-q", "-d", str(wheels))
        subprocess.run([*pip, *options, requirement], check=True)
        for wheel in wheels.glob("*.whl"):
            with zipfile.ZipFile(wheel) as archive:
                for member in archive.namelist():
                    if member.endswith(".py"):
                        archive.extract(member, target)
            wheel.unlink()
        (target / ".complete").touch()
    return Tree(requirement.replace("==", " "), target)


def copied(tree: Tree, folder: Path, only: tuple[str, ...] = ()) -> Path:
    """The source files of a tree, copied to ``folder``; ``only`` are globs in it."""
    paths = (
        {path for glob in only for path in tree.folder.glob(glob)}
        if only
        else tree.folder.rglob("*.py")
    )
    for path in sorted(paths):
        below = path.relative_to(tree.folder)
        if path.is_file() and not any(part in _NOT_OURS for part in below.parts):
            target = folder / below
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(path.read_bytes())
    return folder
