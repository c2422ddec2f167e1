"""Figures of reading and rewriting SGLang: agreement, safety, speed, memory."""

from __future__ import annotations

import compileall
import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import codemod
from bench.agreement import print_agreement, rows
from bench.fetching import DATA, package, tool
from bench.timing import Run, paired, peak_memory, run

OLD, NEW, LATE = "0.5.16", "0.5.17", "0.5.23"
NSROUTE = Path(sys.executable).parent / "nsroute"
PATTERN = "get_server_args().$F"

_RUFF_OPTIONS = (
    *("--select", "F", "--isolated", "--no-cache", "--exit-zero"),
    *("--output-format", "json"),
)


def main() -> None:
    """Print every figure of the issue about reads."""
    old, new = package("sglang", OLD), package("sglang", NEW)
    routes = f"{new}/sglang/srt/server_args.py:ServerArgs"
    options = codemod.Options(routes_from=routes, cache=False)
    print(f"== agreement: SGLang {OLD} with the routes of {NEW}")
    print_agreement(rows(codemod.scan(old, "sglang", options)))
    with tempfile.TemporaryDirectory(dir=DATA) as scratch:
        print(f"== after apply on a copy of {OLD}")
        _after(old, routes, Path(scratch))
    print("== speed, medians of 5 runs in turn")
    _speed(old, routes)
    print(f"== growth from {OLD} to {LATE}")
    _growth(old, package("sglang", LATE), routes)


def _common(routes: str) -> list[str]:
    return ["--rules", "sglang", "--routes-from", routes]


def _after(old: Path, routes: str, scratch: Path) -> None:
    copy = scratch / "copy"
    shutil.copytree(old / "sglang", copy / "sglang")
    before = _ruff(copy)
    options = codemod.Options(routes_from=routes, cache=False)
    first = codemod.diff(copy, "sglang", options)
    applied = codemod.apply_in_place(first)
    print(f"files written {len(applied.written)}, rolled back {len(applied.failed)}")
    bad = [
        path
        for path in applied.written
        if not compileall.compile_file(copy / path, quiet=2, force=True)
    ]
    print(f"changed files that do not compile: {len(bad)}")
    again = codemod.diff(copy, "sglang", options)
    print(f"convertible reads left: {again.analysis.result.summary.convert}")
    print(f"files a second apply changes: {len(again.changes)}")
    after = _ruff(copy)
    new = {key: n - before.get(key, 0) for key, n in after.items()}
    new = {key: n for key, n in new.items() if n > 0}
    print(f"new findings of ruff --select F: {sum(new.values())}")
    for (file, code, text), count in sorted(new.items()):
        print(f"  {file}: {code} {text} ({count})")


def _ruff(root: Path) -> dict[tuple[str, str, str], int]:
    done = subprocess.run(
        [sys.executable, "-m", "ruff", "check", *_RUFF_OPTIONS, "."],
        cwd=root,
        capture_output=True,
        check=True,
    )
    counts: dict[tuple[str, str, str], int] = {}
    for item in json.loads(done.stdout):
        file = str(Path(item["filename"]).relative_to(root.resolve()))
        # Lines move; a finding that names one is the same finding.
        message = re.sub(r"line \d+", "line", item["message"])
        key = (file, item["code"] or "syntax", message)
        counts[key] = counts.get(key, 0) + 1
    return counts


def _speed(old: Path, routes: str) -> None:
    ast_grep = tool("ast-grep", "ast-grep-cli")
    files = sum(1 for _ in old.rglob("*.py"))
    print(f"files: {files}")

    def grep() -> Run:
        return run([ast_grep, "run", "-p", PATTERN, "-l", "py", old])

    def cold() -> Run:
        shutil.rmtree(old / ".nsroute_cache", ignore_errors=True)
        return scan()

    def scan() -> Run:
        return run([NSROUTE, "scan", old, *_common(routes), "--format", "json"])

    grep()
    ours, theirs, ratio = paired(cold, grep)
    print(f"cold scan {ours:.2f} s, ast-grep {theirs:.2f} s, ratio {ratio:.2f} (<= 2)")
    ours, theirs, ratio = paired(scan, grep)
    print(
        f"warm scan {ours:.2f} s, ast-grep {theirs:.2f} s, ratio {ratio:.2f} (<= 0.5)"
    )
    done = run([NSROUTE, "diff", old, *_common(routes)])
    print(f"diff of the whole migration, warm: {done.wall:.1f} s (<= 30)")
    shutil.rmtree(old / ".nsroute_cache", ignore_errors=True)
    memory = peak_memory([NSROUTE, "diff", old, *_common(routes)])
    print(f"largest process of a cold diff: {memory} MB (<= 400)")


def _growth(old: Path, late: Path, routes: str) -> None:
    def cold(root: Path) -> Run:
        shutil.rmtree(root / ".nsroute_cache", ignore_errors=True)
        return run([NSROUTE, "scan", root, *_common(routes), "--format", "json"])

    lines = [
        sum(p.read_bytes().count(b"\n") for p in r.rglob("*.py")) for r in (old, late)
    ]
    print(f"lines {lines[0]} and {lines[1]}, ratio {lines[1] / lines[0]:.2f}")
    second, first, ratio = paired(lambda: cold(late), lambda: cold(old), 3)
    print(f"cold scan {first:.2f} s and {second:.2f} s, ratio {ratio:.2f} (<= 1.9)")
