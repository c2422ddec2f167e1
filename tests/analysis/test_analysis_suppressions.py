"""Keep comments: which lines they cover, and which are malformed."""

from __future__ import annotations

import pytest

from codemod.analysis.comments import suppressions

CASES = [
    ("x = 1  # nsroute: keep[live] why\n", [(1, 1, "live", "why")], []),
    ("x = 1  #nsroute:keep[a-b]  why not\n", [(1, 1, "a-b", "why not")], []),
    (
        "x = (\n    1,  # nsroute: keep[live] why\n    2,\n)\ny = 2\n",
        [(1, 4, "live", "why")],
        [],
    ),
    ("if x:  # nsroute: keep[live] why\n    y\n", [(1, 1, "live", "why")], []),
    ("# nsroute: keep[live] why\nx = 1\n", [(2, 2, "live", "why")], []),
    ("x = 1  # noqa  # nsroute: keep[live] why\n", [(1, 1, "live", "why")], []),
    ("x = '# nsroute: keep[live] why'\n", [], []),
    ("x = 1  # nsroute: keep\n", [], [1]),
    ("x = 1  # nsroute: keep[] why\n", [], [1]),
    ("x = 1  # nsroute: keep[live]\n", [], [1]),
    ("x = 1\n# nsroute: keep[live] why\n", [], [2]),
    ("x = 1  # nsroute: keep[Not A Code] why\n", [], [1]),
]


@pytest.mark.parametrize(("text", "kept", "bad"), CASES)
def test_suppressions(
    text: str, kept: list[tuple[int, int, str, str]], bad: list[int]
) -> None:
    found, malformed = suppressions(text)
    assert [(s.first_line, s.last_line, s.reason, s.text) for s in found] == kept
    assert [line for line, _ in malformed] == bad
