"""``python -m tests.hostile``: every shape, with what became of each."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from pathlib import Path

from tests.hostile.shapes import SHAPES
from tests.hostile.trying import try_shape


def main() -> int:
    """Exit code 1 when a shape did harm."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.hostile", description=__doc__
    )
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--only", metavar="WORD", help="shapes with this in their name")
    options = parser.parse_args()
    started = time.monotonic()
    tried = wrong = 0
    for name, shape in SHAPES.items():
        if options.only and options.only not in name:
            continue
        if time.monotonic() - started > options.minutes * 60:
            print(f"no time left for {name}")
            continue
        begun = time.monotonic()
        with tempfile.TemporaryDirectory(prefix="nsroute-hostile-") as folder:
            found = try_shape(shape(), Path(folder))
        tried += 1
        wrong += bool(found)
        print(
            f"{name}: {time.monotonic() - begun:.1f} s", *found, sep="\n  ", flush=True
        )
    print(
        json.dumps({"python": sys.version, "shapes": tried, "wrong": wrong}, indent=1)
    )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
