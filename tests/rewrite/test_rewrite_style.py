"""The line length comes from the project; comments are counted with care."""

from __future__ import annotations

from pathlib import Path

import pytest

from codemod.rewrite import DEFAULT_STYLE, Style, comments_kept, style_for
from codemod.rewrite.comments import is_pragma, lost_comments


@pytest.mark.parametrize(
    ("settings", "length"),
    [
        ("[tool.ruff]\nline-length = 100\n[tool.black]\nline-length = 90\n", 100),
        ("[tool.black]\nline-length = 90\n[tool.isort]\nline_length = 80\n", 90),
        ("[tool.isort]\nline_length = 120\n", 120),
        ("[tool.ruff]\ntarget-version = 'py310'\n", 88),
        ("[tool]\nruff = 3\nblack = { line-length = 'x' }\n", 88),
        ("tool = 1\n", 88),
        ("[tool.ruff]\nline-length = 0\n[tool.black]\nline-length = 1\n", 1),
        ("[tool.ruff]\nline-length = -1\n", 88),
        ("[tool.ruff]\nline-length = true\n", 88),
        ("this is not TOML", 88),
    ],
)
def test_line_length(tmp_path: Path, settings: str, length: int) -> None:
    (tmp_path / "pyproject.toml").write_text(settings)
    assert style_for(tmp_path) == Style(length)


def test_the_nearest_file_counts(tmp_path: Path) -> None:
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    (tmp_path / "pyproject.toml").write_text("[tool.black]\nline-length = 70\n")
    assert style_for(inner) == Style(70)
    (tmp_path / "a" / "pyproject.toml").write_text("[project]\n")
    assert style_for(inner) == DEFAULT_STYLE


@pytest.mark.parametrize(
    ("before", "after", "kept"),
    [
        ("x = 1  # a\n", "# a\nx = 2\n", True),
        ("x = 1  # a\ny = 2  # a\n", "x = 1  # a\ny = 2\n", False),
        ("# a\nx = 1\n", "x = 1\n", False),
        ("x = '# a'\n", "x = 1\n", True),
        ("x = '# a'  # b\n", "x = '# a # b'\n", False),
        ("x = '''\n# a\n'''\n", "x = 1\n", True),
        ("# a\r\nx = 1\r\n", "x = 1\r\n# a\r\n", True),
    ],
)
def test_comments_kept(before: str, after: str, kept: bool) -> None:
    assert comments_kept(before, after) is kept


def test_lost_comments_are_counted() -> None:
    lost = lost_comments("a  # x\nb  # x\nc  # y\n", "a  # x\n")
    assert lost == {"# x": 1, "# y": 1}


@pytest.mark.parametrize(
    "comment",
    [
        "# noqa",
        "#noqa: F401",
        "# NOQA:F401",
        "# type: ignore[attr-defined]",
        "# pylint: disable=all",
        "# isort: skip",
        "# pragma: no cover",
        "# pyright: ignore",
        "# fmt: skip",
        "# nosec",
    ],
)
def test_a_pragma_speaks_to_a_tool(comment: str) -> None:
    assert is_pragma(comment)


@pytest.mark.parametrize(
    "comment",
    ["# types of heads", "# typed", "# isorted", "#", "# noqas", "# the noqa below"],
)
def test_a_comment_speaks_to_people(comment: str) -> None:
    assert not is_pragma(comment)
