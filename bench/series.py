"""Figures of the series: SGLang migrated as commits that each stand alone."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from bench.fetching import DATA, package

OLD, NEW = "0.5.16", "0.5.17"
NSROUTE = Path(sys.executable).parent / "nsroute"
_AUTHOR = ("-c", "user.name=bench", "-c", "user.email=bench@example.org")


def main() -> None:
    """Print the figures of the issue about the series."""
    old, new = package("sglang", OLD), package("sglang", NEW)
    routes = f"{new}/sglang/srt/server_args.py:ServerArgs"
    print(f"== series: SGLang {OLD} with the routes of {NEW}, reads and writers")
    with tempfile.TemporaryDirectory(dir=DATA) as scratch:
        _series(old, routes, Path(scratch))


def _series(old: Path, routes: str, scratch: Path) -> None:
    folder = scratch / "sglang"
    shutil.copytree(old / "sglang", folder / "sglang")
    _git(folder, "init", "--quiet", "--initial-branch=main")
    _git(folder, "add", "--all")
    _git(folder, "commit", "--quiet", "--message", f"SGLang {OLD}")
    patches = scratch / "patches"
    command = [
        *(str(NSROUTE), "apply", ".", "--rules", "sglang", "--routes-from", routes),
        *("--author", "bench <bench@example.org>", "--no-verify"),
    ]
    seconds = _timed([*command, "--step", "reads", "--patches", str(patches)], folder)
    files = sorted(patches.glob("*.patch"))
    print(f"reads and writers in one run: {seconds:.1f} s, cold (<= 60)")
    print(f"commits: {len(files)} (>= 3)")
    again = [*command, "--step", "reads", "--branch", "ns", "--deterministic"]
    print(f"the same as a branch: {_timed(again, folder):.1f} s, warm")
    fresh = scratch / "fresh"
    _git(scratch, "clone", "--quiet", "--branch", "main", str(folder), str(fresh))
    _git(fresh, "am", "--quiet", *map(str, files))
    same = _git(fresh, "rev-parse", "HEAD^{tree}") == _git(
        folder, "rev-parse", "ns^{tree}"
    )
    print(f"git am on a fresh copy gives the same tree: {'yes' if same else 'NO'}")
    _each_compiles(fresh)


def _each_compiles(fresh: Path) -> None:
    """Compile the changed files of every commit as that commit has them."""
    commits = _git(fresh, "rev-list", "--reverse", "origin/main..HEAD").split()
    for commit in commits:
        title = _git(fresh, "log", "-1", "--format=%s", commit).strip()
        names = _git(fresh, "diff", "--name-only", f"{commit}~1", commit).split("\n")
        bad = [
            name
            for name in filter(None, names)
            if not _compiles(_git(fresh, "show", f"{commit}:{name}"), name)
        ]
        print(f"  {len(names) - 1:4} files, {len(bad)} do not compile: {title}")


def _compiles(text: str, name: str) -> bool:
    import warnings

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(text, name, "exec", dont_inherit=True)
    except SyntaxError:
        return False
    return True


def _timed(command: list[str], folder: Path) -> float:
    start = time.perf_counter()
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if done.returncode not in (0, 1):
        sys.exit(f"bench: {' '.join(command)} failed: {done.stderr}")
    if done.stderr:
        print("  " + "\n  ".join(done.stderr.splitlines()[:20]))
    return time.perf_counter() - start


def _git(folder: Path, *arguments: str) -> str:
    environment = os.environ | {"GIT_CONFIG_GLOBAL": os.devnull}
    done = subprocess.run(
        ["git", *_AUTHOR, *arguments],
        cwd=folder,
        env=environment,
        check=True,
        capture_output=True,
    )
    return done.stdout.decode("utf-8", "surrogateescape")
