"""The walk and git agree on what is ignored, whatever the patterns."""

from __future__ import annotations

import os
import subprocess
import tempfile
from pathlib import Path
from unittest import mock

from hypothesis import given, settings
from hypothesis import strategies as st

from codemod.project import open_project

FILES = [
    "a.py",
    "b/a.py",
    "b/c/a.py",
    "b/c/d.py",
    "b/build/x.py",
    "build/a.py",
    "build/keep/d.py",
    "c/a b.py",
    "c/d.py",
]
NAMES = ["a.py", "b", "c", "build", "keep", "d.py", "*", "*.py", "?.py", "[a-c]*", "**"]

patterns = st.builds(
    lambda negated, rooted, parts, deep, folder: (
        ("!" if negated else "")
        + ("/" if rooted else "")
        + "/".join(parts[:-1] + ["**"] * deep + parts[-1:])
        + ("/" if folder else "")
    ),
    st.sampled_from([False, False, True]),
    st.booleans(),
    st.lists(st.sampled_from(NAMES), min_size=1, max_size=3),
    st.sampled_from([False, False, True]),
    st.booleans(),
)
lines = st.one_of(
    patterns, st.sampled_from(["", "# a.py", "\\!a.py", "a.py  ", "c/a\\ b.py"])
)
ignores = st.dictionaries(
    st.sampled_from(["", "b", "build", "b/c"]), st.lists(lines, max_size=4), max_size=3
)


@settings(max_examples=60, deadline=None)
@given(ignores, st.sampled_from(["\n", "\r\n"]))
def test_the_walk_ignores_what_git_ignores(
    files: dict[str, list[str]], newline: str
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "root"
        for name in FILES:
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch()
        for name, rules in files.items():
            text = "".join(rule + newline for rule in rules)
            (root / name / ".gitignore").write_text(text, newline="")
        walked = [file.path for file in open_project(root).files]
        subprocess.run(["git", "init", "-q"], cwd=root, check=True)
        by_git = [file.path for file in open_project(root).files]
        with mock.patch.dict(os.environ, {"PATH": ""}):
            without_git = [file.path for file in open_project(root).files]
    assert walked == by_git
    assert without_git == by_git
