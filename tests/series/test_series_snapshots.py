"""The reviewed series come out byte for byte; ``make snapshots`` writes them anew."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.series import snapshots, support


@pytest.mark.parametrize("name", snapshots.names())
def test_a_series_is_as_reviewed(name: str, tmp_path: Path) -> None:
    reviewed = snapshots.stored(name)
    assert reviewed, "run make snapshots, read what it wrote, and commit it"
    assert snapshots.series(name, tmp_path) == reviewed
    folder = tmp_path / name
    patches = [snapshots.FOLDER / name / file for file in reviewed]
    files = [str(path) for path in patches if path.suffix == ".patch"]
    support.git(folder, "am", "--quiet", *files)


def test_no_series_is_left_of_a_repository_that_is_gone() -> None:
    folders = {path.name for path in snapshots.FOLDER.iterdir() if path.is_dir()}
    assert folders == set(snapshots.names())
