"""The project of ``support``, written once for each test."""

from __future__ import annotations

from pathlib import Path

import pytest

from . import support


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """The small project, without git."""
    return support.write(tmp_path / "shop", support.FILES)


@pytest.fixture
def repository(shop: Path) -> Path:
    """The small project as a clean git repository."""
    return support.commit(shop)
