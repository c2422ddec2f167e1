"""``python -m tests.mutation``: how many mutants of the code the tests notice.

Each mutant is one small change of ``codemod/decisions`` or ``codemod/rewrite``, made in
a copy of this tree; the tests that use the changed function run, and a mutant that none
of them notices is printed. Needs the extra ``mutation``: ``make mutants``.
"""

from __future__ import annotations

import argparse
import difflib
import json
import os
import random
import shutil
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import pytest

from tests.mutation.mutants import Mutant, mutants
from tests.mutation.plugin import Mutation

ROOT = Path(__file__).parents[2]
COPIED = ("codemod", "rules", "tests", "snapshots", "docs", "pyproject.toml")
#: The tests that are to notice a mutant.
TESTS = (
    "tests/rewrite",
    "tests/reads",
    "tests/transforms",
    "tests/analysis",
    "tests/index",
    "tests/proof/test_cases.py",
)


def main() -> int:
    """Print each mutant that survives, and the figures."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.mutation", description=__doc__
    )
    parser.add_argument("--sample", type=int, help="so many, by chance; default all")
    parser.add_argument("--seed", type=int, default=1, help="of the sample")
    parser.add_argument("--shard", default="1/1", metavar="I/N", help="a part of it")
    parser.add_argument("--only", metavar="WORD", help="files with this in their path")
    parser.add_argument("--minutes", type=float, default=600)
    parser.add_argument("--tests", nargs="+", default=TESTS, metavar="PATH")
    parser.add_argument("--again", type=Path, help="the survivors in this log, again")
    parser.add_argument("--log", type=Path, help="keep a JSON line for each mutant")
    options = parser.parse_args()
    every = list(mutants(ROOT))
    chosen = [m for m in every if not options.only or options.only in m.path]
    random.Random(options.seed).shuffle(chosen)
    if options.again:
        chosen = _survivors(options.again)
    elif options.sample:
        chosen = chosen[: options.sample]
    part, parts = (int(number) for number in options.shard.split("/"))
    chosen = chosen[part - 1 :: parts]
    print(
        f"{len(every)} mutants, {len(chosen)} to try, seed {options.seed}", flush=True
    )
    with tempfile.TemporaryDirectory(prefix="nsroute-mutants-") as folder:
        log = options.log.resolve() if options.log else Path(folder) / "log.jsonl"
        begin = len(_entries(log))
        copy = Path(folder) / "tree"
        _copied(copy)
        os.chdir(copy)
        sys.path.insert(0, str(copy))
        os.environ["PYTHONPATH"] = str(copy)
        until = time.monotonic() + options.minutes * 60
        status = pytest.main(
            ["-q", "-p", "no:cacheprovider", "-p", "no:xdist", *options.tests],
            [Mutation(chosen, log, until)],
        )
        entries = _entries(log)[begin:]
    for entry in entries:
        if entry["outcome"] == "survived":
            _show(_mutant(entry))
    figures = Counter(entry["outcome"] for entry in entries)
    tried = figures["killed"] + figures["survived"]
    print(json.dumps(dict(figures), indent=1))
    share = figures["killed"] / max(tried, 1)
    print(f"{figures['killed']} of {tried} killed, {share:.1%}")
    return int(status)


def _entries(log: Path) -> list[dict[str, object]]:
    if not log.exists():
        return []
    return [json.loads(line) for line in log.read_text().splitlines()]


def _survivors(log: Path) -> list[Mutant]:
    return [_mutant(e) for e in _entries(log) if e["outcome"] == "survived"]


def _mutant(entry: dict[str, object]) -> Mutant:
    return Mutant(**{k: v for k, v in entry.items() if k != "outcome"})  # type: ignore[arg-type]


def _copied(folder: Path) -> None:
    folder.mkdir()
    for name in COPIED:
        source = ROOT / name
        if source.is_dir():
            ignored = shutil.ignore_patterns("__pycache__", ".*")
            shutil.copytree(source, folder / name, ignore=ignored)
        else:
            shutil.copy(source, folder / name)


def _show(mutant: Mutant) -> None:
    print(f"survived: {mutant.path}:{mutant.line} {mutant.operator}")
    before = (ROOT / mutant.path).read_text(encoding="utf-8")
    texts = (text.splitlines() for text in (before, mutant.text(before) or ""))
    for line in list(difflib.unified_diff(*texts, lineterm="", n=1))[3:]:
        print(f"    {line}")


if __name__ == "__main__":
    sys.exit(main())
