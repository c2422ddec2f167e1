"""What each transform makes of its examples, byte for byte, as people reviewed it.

``UPDATE_SNAPSHOTS=1 python -m pytest tests/transforms/test_transforms_snapshots.py``
writes them anew; the change of a snapshot is reviewed like code.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from transforms_support import run

from codemod.delivery import unified_diff
from codemod.transforms import TRANSFORMS, Example

FOLDER = Path(__file__).parents[2] / "snapshots" / "transforms"
CASES = [
    pytest.param(name, number, example, id=f"{name}-{number}")
    for name, transform in TRANSFORMS.items()
    for number, example in enumerate(transform.EXAMPLES, 1)
]


@pytest.mark.parametrize(("name", "number", "example"), CASES)
def test_the_snapshot_is_what_happens(
    name: str, number: int, example: Example, tmp_path: Path
) -> None:
    done = run(tmp_path / "project", example.before, example.pack, name)
    text = f"{TRANSFORMS[name].SUMMARY}\n"
    for what, sites in (("kept", done.plan.kept), ("look at", done.plan.findings)):
        for site in sites:
            place = f"{site.file}:{site.line}:{site.column}"
            text += f"\n{what}: {place}: {site.reason}: {site.text}\n  {site.why}\n"
    diffs = "".join(
        unified_diff(example.before[path], done.after[path], path)
        for path in sorted(done.after)
    )
    snapshot = FOLDER / f"{name}-{number}.diff"
    if os.environ.get("UPDATE_SNAPSHOTS"):
        snapshot.parent.mkdir(parents=True, exist_ok=True)
        snapshot.write_text(f"{text}\n{diffs}", encoding="utf-8", newline="\n")
    assert snapshot.read_bytes().decode("utf-8") == f"{text}\n{diffs}"


def test_no_snapshot_is_left_over() -> None:
    there = {path.stem for path in FOLDER.iterdir()}
    assert there == {f"{case.values[0]}-{case.values[1]}" for case in CASES}
