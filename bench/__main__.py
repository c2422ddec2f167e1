"""``python -m bench [part ...]``: print the figures of all parts, or of those named."""

from __future__ import annotations

import importlib
import sys

PARTS = ("reads", "series", "transforms", "hoist", "guards")


def main() -> None:
    """Run the named parts in order, or all."""
    wanted = sys.argv[1:] or PARTS
    for name in wanted:
        if name not in PARTS:
            sys.exit(f"bench: no part {name!r}; there are {', '.join(PARTS)}")
        print(f"\n#### {name}", flush=True)
        importlib.import_module(f"bench.{name}").main()


main()
