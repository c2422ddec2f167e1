"""The example of docs/accessors.md is a project that the command migrates."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from . import support
from .support import nsroute, result_of

PAGE = (support.REPOSITORY / "docs/accessors.md").read_text(encoding="utf-8")
_BLOCK = re.compile(r"```(?:python|toml)\n# (\S+)\n(.*?)```", re.S)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """The page's files in a clean repository."""
    return support.commit(support.write(tmp_path / "app", dict(_BLOCK.findall(PAGE))))


def said_by(folder: Path) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "app.main"], cwd=folder, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_example_is_routed_and_converts_as_the_page_says(project: Path) -> None:
    assert nsroute(project, "routes").returncode == 0
    done = nsroute(project, "diff")
    assert done.returncode == 1, done.stderr
    shown = re.search(r"```diff\n(.*?)```", PAGE, re.S)
    assert shown is not None
    assert all(f"\n{line}\n" in done.stdout for line in shown[1].splitlines())


def test_the_example_does_the_same_after_it(project: Path) -> None:
    before = said_by(project)
    assert before == "flash by 8\n"
    assert nsroute(project, "apply", "--force").returncode == 0
    assert "get_pool().pool_size" in (project / "app/main.py").read_text()
    assert said_by(project) == before
    assert nsroute(project, "check").returncode == 0, nsroute(project, "check").stdout


def test_a_record_made_on_the_spot_is_not_listed(project: Path) -> None:
    main = project / "app/main.py"
    main.write_text(
        main.read_text().replace(
            "    publish(", "    print(config.device)\n    publish("
        )
    )
    texts = [read["text"] for read in result_of(project, "scan")["reads"]]
    assert texts == ["self.config.attention_backend", "self.config.pool_size"]
