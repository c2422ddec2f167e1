"""``python -m tests.faults``: faults in number, and what came of them.

Kills every way to deliver at so many random moments each, then tries every other fault
by turns until the time is used up.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from tests.faults.harm import HARMS, Place
from tests.faults.kills import MODES, Kills
from tests.faults.shop import Shop


def main() -> int:
    """Exit code 1 when something was lost."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults", description=__doc__)
    parser.add_argument("--kills", type=int, default=100, help="of each way to deliver")
    parser.add_argument("--rounds", type=int, default=3, help="of every other fault")
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    options = parser.parse_args()
    started = time.monotonic()
    until = started + options.minutes * 60
    chance = random.Random(options.seed)
    figures: Counter[str] = Counter()
    wrong: list[str] = []

    def tell(found: list[str]) -> None:
        for each in found:
            print(each[:1000], flush=True)
        wrong.extend(found)

    print(f"seed {options.seed}", flush=True)
    with tempfile.TemporaryDirectory(prefix="nsroute-faults-") as folder:
        base = Path(folder)
        shop = Shop.made(base / "template")
        # Worker processes are started for a project of some size only.
        large = Shop.made(base / "large", padding=40_000)
        for mode in MODES:
            kills = Kills(shop, mode, base / "kills", chance, figures)
            number = 0
            name = f"{mode}: killed"
            while figures[name] < options.kills and time.monotonic() < until:
                tell(kills.once(number))
                number += 1
            print(f"{name}: {figures[name]}", flush=True)
        for _ in range(options.rounds):
            for harm in HARMS:
                if time.monotonic() < until:
                    needs_workers = harm.__name__ == "killed_worker"
                    of = large if needs_workers else shop
                    tell(harm(Place(of, base / "place", chance, figures)))
    print(json.dumps(dict(figures), indent=1))
    print(f"{len(wrong)} wrong in {time.monotonic() - started:.0f} s")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
