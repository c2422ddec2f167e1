"""Files that cannot be read or parsed: reported in their place, the rest done."""

from __future__ import annotations

import os
from pathlib import Path

import codemod
from codemod.analysis.vocabulary import Vocabulary
from codemod.index.build import build_facts, read_sources
from codemod.index.store import FactStore
from codemod.project import open_project

PACK = """
[pack]
name = "small"
[record]
calls = ["context:get_config"]
[routes.fields]
size = "pool"
[accessors]
pool = "context:get_pool"
"""
USER = "from context import get_config\ndef f():\n    return get_config().size\n"


def test_every_bad_file_is_named_and_the_good_ones_are_done(tmp_path: Path) -> None:
    good = {"nsroute.toml": PACK, "context.py": "", "user.py": USER}
    for path, text in good.items():
        (tmp_path / path).write_text(text, encoding="utf-8")
    bad = {
        "syntax.py": b"x = 1\ndef (:\n",
        "syntax_near.py": b"from context import get_config\n\nget_config( = 1\n",
        "undecodable.py": b"x = '\xff'\n",
        "cookie.py": b"# -*- coding: no-such -*-\n",
        "nul.py": b"x = 1\0\n",
        "scope.py": b"def f():\n    nonlocal x\n",
        "deep.py": b"(" * 5000 + b")" * 5000,
    }
    for path, data in bad.items():
        (tmp_path / path).write_bytes(data)
    (tmp_path / "folder.py").mkdir()
    result = codemod.scan(tmp_path, None, codemod.Options(cache=False, jobs=1))
    lines = {problem.file: problem.line for problem in result.errors}
    assert lines.keys() == {*bad, "folder.py"}
    assert (lines["syntax.py"], lines["syntax_near.py"], lines["scope.py"]) == (2, 3, 2)
    assert all(problem.message for problem in result.errors)
    assert [r.replacement for r in result.reads] == ["get_pool().size"]


def test_files_that_vanish_or_close_while_we_run(tmp_path: Path) -> None:
    for name in ("a.py", "b.py", "c.py"):
        (tmp_path / name).write_text("x = 1\n", encoding="utf-8")
    project = open_project(tmp_path)
    (tmp_path / "a.py").unlink()
    (tmp_path / "b.py").unlink()
    (tmp_path / "b.py").mkdir()
    sources, problems = read_sources(project.root, project.files, {})
    assert [source.file.path for source in sources] == ["c.py"]
    assert [problem.file for problem in problems] == ["a.py", "b.py"]


def test_a_worker_that_dies_is_named_by_its_file(tmp_path: Path) -> None:
    """A process is killed from within: its own file is named, all others are done."""
    pad = "# pad\n" * 60_000
    for number in range(8):
        (tmp_path / f"m{number}.py").write_text(pad, encoding="utf-8")
    (tmp_path / "m3.py").write_text(pad + "# kill\n", encoding="utf-8")
    project = open_project(tmp_path)
    sources, _ = read_sources(project.root, project.files, {})
    import codemod.index.summary as summaries

    original = summaries.summary

    def deadly(task: summaries.Task, job: summaries.Job) -> summaries.Summary:
        if task.source.data.endswith(b"# kill\n"):
            os._exit(9)
        return original(task, job)

    summaries.summary = deadly
    try:
        job = summaries.Job(Vocabulary())
        built = build_facts(sources, job, FactStore(None), jobs=2)
    finally:
        summaries.summary = original
    assert [problem.file for problem in built.problems] == ["m3.py"]
    assert sorted(built.encoded) == [f"m{n}.py" for n in range(8) if n != 3]
