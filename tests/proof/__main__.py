"""``python -m tests.proof``: the nightly form of the generated programs.

Tries programs until the number or the time is used up, prints the figures, and leaves
the files of every program that went wrong, shrunk, in a folder.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
import warnings
from pathlib import Path

from hypothesis.errors import HypothesisWarning

from tests.proof.fuzzing import bench, run_batch
from tests.proof.thorough import check_thoroughly

_BATCH = 50


def main() -> int:
    """Exit code 1 when nsroute was wrong about a program."""
    parser = argparse.ArgumentParser(prog="python -m tests.proof", description=__doc__)
    parser.add_argument("--programs", type=int, default=2000)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--keep", type=Path, default=Path("build/proof"))
    parser.add_argument("--shrink", action="store_true", help="minutes for each fault")
    options = parser.parse_args()
    # It may warn of programs that are long when it prints them.
    warnings.simplefilter("ignore", HypothesisWarning)
    started = time.monotonic()
    until = started + options.minutes * 60
    found: list[list[str]] = []
    print(f"seed {options.seed}", flush=True)
    with bench() as tools:
        figures = tools.figures
        number = options.seed
        while figures.programs < options.programs and time.monotonic() < until:
            keep = options.keep / f"seed-{number}"
            wrong = run_batch(
                tools, number, _BATCH, keep, until, options.shrink, check_thoroughly
            )
            if wrong:
                found.append(wrong)
                print(f"{keep}:", *wrong[:5], sep="\n  ", flush=True)
            number += 1
            took = time.monotonic() - started
            print(f"{figures.programs} programs in {took:.0f} s", flush=True)
    shown = {
        **figures.as_json(),
        "edits of series": dict(tools.edits.most_common()),
        "imports in functions": dict(tools.hoists.most_common()),
    }
    print(json.dumps(shown, indent=1))
    print(f"{len(found)} wrong in {time.monotonic() - started:.0f} s")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
