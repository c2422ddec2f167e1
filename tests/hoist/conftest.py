"""Interpreters that are started once for all tests here."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from . import support


@pytest.fixture(scope="session", autouse=True)
def _interpreters_end() -> Iterator[None]:
    yield
    support.close_importers()
