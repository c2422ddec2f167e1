"""``nsroute demo``: the whole migration on the sample, for real."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from . import support
from .support import nsroute, result_of


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str, int]:
    """The folder of one demo, what it printed, and its exit code."""
    folder = tmp_path_factory.mktemp("demo") / "quern"
    done = nsroute(folder.parent, "demo", str(folder))
    return folder, done.stdout, done.returncode


def test_it_goes_through_all_of_it(shown: tuple[Path, str, int]) -> None:
    folder, text, code = shown
    assert code == 0
    assert re.findall(r"^## (.*)$", text, re.M) == [
        "The sample",
        "What there is to convert",
        "The commits",
        "Before and after",
        "What to look at next",
    ]
    assert f"{folder} is a git repository with one commit.\n" in text
    assert "$ python -m unittest\nRan 48 tests\nOK\n" in text
    assert "The program prints the same 24 lines, byte for byte.\n" in text
    assert "The tests do as they did: Ran 48 tests, OK.\n" in text
    assert "+        while len(self._vectors) > get_exec().cache.cache_entries:" in text


def test_what_it_leaves_is_migrated_and_works(shown: tuple[Path, str, int]) -> None:
    folder, _, _ = shown
    assert result_of(folder, "scan")["summary"]["convert"] == 0
    assert nsroute(folder, "diff").returncode == 0
    assert support.git(folder, "status", "--porcelain") == ""


def test_each_commit_is_shown_and_the_hashes_are_always_the_same(
    shown: tuple[Path, str, int], tmp_path: Path
) -> None:
    folder, text, _ = shown
    log = support.git(folder, "log", "--reverse", "--format=%s", "main..namespaces")
    commits = log.splitlines()
    assert len(commits) > 3
    assert re.findall(r"^# [\w/-]+: (.*)$", text, re.M) == commits
    nsroute(tmp_path, "demo", "again", env={"TZ": "Asia/Tokyo"})
    heads = [support.git(f, "rev-parse", "HEAD") for f in (folder, tmp_path / "again")]
    assert heads[0] == heads[1]


def test_its_last_words_are_commands_that_work(shown: tuple[Path, str, int]) -> None:
    folder, text, _ = shown
    commands = re.findall(r"^    nsroute (.*?)(?:   .*)?$", text, re.M)
    assert [command.split()[0] for command in commands] == [
        "scan",
        "explain",
        "check",
        "check",
    ]
    for command in commands:
        done = nsroute(folder, *command.split())
        assert done.returncode == 0, command
        assert "no read of the record." not in done.stdout


def test_a_folder_with_something_in_it_is_refused(tmp_path: Path) -> None:
    support.write(tmp_path, {"mine.txt": "mine"})
    done = nsroute(tmp_path, "demo", ".")
    assert done.returncode == 2
    assert done.stderr == (
        "error: .: is not empty; nothing was written\n"
        "hint: name a new or an empty folder, or none for a temporary one\n"
    )
    assert [p.name for p in tmp_path.iterdir()] == ["mine.txt"]
    done = nsroute(tmp_path, "demo", "mine.txt")
    assert done.returncode == 2
    assert done.stderr.startswith("error: mine.txt: is not a folder; nothing was")


def test_without_git_it_says_that_it_needs_it(tmp_path: Path) -> None:
    done = nsroute(tmp_path, "demo", "x", env={"PATH": str(tmp_path)})
    assert done.returncode == 2
    assert done.stderr.endswith("hint: the demo needs git\n")
