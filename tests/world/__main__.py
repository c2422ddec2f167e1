"""``python -m tests.world``: the standard libraries at hand, and large packages.

Each tree is copied, migrated and compared; the figures come at the end. Packages are
fetched once. With another Python, ``python3.13 -m tests.world``, it is that Python
whose grammar counts.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.world.checking import Figures, check_tree
from tests.world.trees import PACKAGES, Tree, copied, fetched, libraries


def main() -> int:
    """Exit code 1 when nsroute was wrong about a file."""
    parser = argparse.ArgumentParser(prog="python -m tests.world", description=__doc__)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--no-packages", action="store_true", help="libraries alone")
    parser.add_argument("--no-libraries", action="store_true", help="packages alone")
    parser.add_argument("--only", metavar="WORD", help="trees with this in their name")
    options = parser.parse_args()
    started = time.monotonic()
    figures = Figures()
    names = [] if options.no_packages else list(PACKAGES)
    todo: list[Tree | str] = [
        *([] if options.no_libraries else libraries()),
        *names,
    ]
    done = []
    for item in todo:
        name = item.name if isinstance(item, Tree) else item
        if options.only and options.only not in name:
            continue
        if time.monotonic() - started > options.minutes * 60:
            print(f"no time left for {name}", flush=True)
            continue
        try:
            tree = item if isinstance(item, Tree) else fetched(item)
        except subprocess.CalledProcessError:
            print(f"{name}: the package index does not have it for this Python")
            continue
        with tempfile.TemporaryDirectory(prefix="nsroute-world-") as folder:
            root = copied(tree, Path(folder))
            before = figures.files, figures.converted
            wrong = check_tree(root, figures, options.jobs)
        done.append(tree.name)
        print(
            f"{tree.name}: {figures.files - before[0]} files, "
            f"{figures.converted - before[1]} reads converted, {len(wrong)} wrong",
            *wrong[:20],
            sep="\n  ",
            flush=True,
        )
    print(
        json.dumps({"python": sys.version, "of": done, **figures.as_json()}, indent=1)
    )
    print(f"{figures.wrong} wrong in {time.monotonic() - started:.0f} s")
    return 1 if figures.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
