"""The examples of every transform are true, and a second run changes nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from transforms_support import run

from codemod.transforms import TRANSFORMS, Example

CASES = [
    pytest.param(name, example, id=f"{name}-{number}")
    for name, transform in TRANSFORMS.items()
    for number, example in enumerate(transform.EXAMPLES)
]


@pytest.mark.parametrize(("name", "example"), CASES)
def test_before_becomes_after(name: str, example: Example, tmp_path: Path) -> None:
    done = run(tmp_path / "project", example.before, example.pack, name)
    assert not done.failed
    assert done.after == dict(example.after)
    assert tuple(done.kept) == example.kept
    again = run(
        tmp_path / "again", {**example.before, **done.after}, example.pack, name
    )
    assert again.after == {}
