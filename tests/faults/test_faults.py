"""A few faults of each kind; ``python -m tests.faults`` tries them in number."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.faults.harm import HARMS, Harm, Place
from tests.faults.kills import MODES, Kills
from tests.faults.shop import Shop


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Shop:
    return Shop.made(tmp_path_factory.mktemp("faults") / "shop", modules=8)


@pytest.mark.parametrize("mode", MODES)
def test_a_run_that_is_killed(mode: str, shop: Shop, tmp_path: Path) -> None:
    kills = Kills(shop, mode, tmp_path / "place", random.Random(5))
    for number in (1, 3):
        assert kills.once(number) == []
    assert kills.figures[f"{mode}: killed"] + kills.figures[f"{mode}: had ended"] == 2


@pytest.mark.parametrize(
    "harm",
    [harm for harm in HARMS if harm.__name__ != "killed_worker"],
    ids=lambda harm: harm.__name__,
)
def test_a_fault_of_the_machine(harm: Harm, shop: Shop, tmp_path: Path) -> None:
    place = Place(shop, tmp_path / "place", random.Random(7), few=True)
    assert harm(place) == []
    assert place.figures or harm.__name__ == "full_disk"  # where nobody may mount


def test_a_worker_that_is_killed(tmp_path: Path) -> None:
    # Workers are started only for more source than this.
    shop = Shop.made(tmp_path / "large", modules=8, padding=250_000)
    (harm,) = [harm for harm in HARMS if harm.__name__ == "killed_worker"]
    place = Place(shop, tmp_path / "place", random.Random(7))
    assert harm(place) == []
    assert place.figures["workers killed"] == 2
