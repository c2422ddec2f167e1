"""The baseline: both ways, across moves and merges, and every way it can be bad."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from codemod.guards.baseline_file import FILE, parse_baseline
from codemod.guards.samples import FILES
from codemod.packs import GUARD_NAMES
from tests.guards.support import commit, git, nsroute, write

USE = """\
from app.context import get_config


def f():
    return get_config().size + get_config().size


def g():
    return get_config().port
"""
SHADOWED = """\
from app.context import get_pool


def h():
    get_pool = get_pool()
    return get_pool
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with findings, and a baseline that has them."""
    write(tmp_path, {**FILES, "app/use.py": USE})
    assert nsroute(tmp_path, "check", "-q").exit_code == 1
    done = nsroute(tmp_path, "check", "--update")
    assert (done.exit_code, done.stdout) == (0, f"{FILE}: 3 findings in 2 entries.\n")
    return tmp_path


def edit(folder: Path, path: str, before: str, after: str) -> None:
    file = folder / path
    text = file.read_text()
    assert before in text
    file.write_text(text.replace(before, after))


def test_what_it_has_passes(project: Path) -> None:
    done = nsroute(project, "check")
    assert done.exit_code == 0
    assert done.stdout == (
        "clean: the guards found nothing new. 3 findings of the baseline are left.\n"
    )


def test_it_is_sorted_with_one_entry_a_line(project: Path) -> None:
    lines = (project / FILE).read_text().splitlines()
    entries = [line for line in lines if line.startswith("  {")]
    assert entries == sorted(entries) and len(entries) == 2
    assert 'function = "f", field = "size", count = 2' in entries[0]
    assert lines[-1] == "]"


def test_updating_twice_changes_nothing(project: Path) -> None:
    before = (project / FILE).read_bytes(), (project / FILE).stat().st_mtime_ns
    assert nsroute(project, "check", "--update").exit_code == 0
    assert before == (
        (project / FILE).read_bytes(),
        (project / FILE).stat().st_mtime_ns,
    )


def test_lines_that_move_are_not_new(project: Path) -> None:
    edit(project, "app/use.py", "\n\ndef f", "\n# A word.\nX = 1\n\n\ndef f")
    assert nsroute(project, "check").exit_code == 0


# What is done to the project, with the exit code and words of the output.
Change = tuple[Callable[[Path], None], int, str]
CHANGES: dict[str, Change] = {
    "one more in a function": (
        lambda p: edit(p, "app/use.py", "().port", "().port, get_config().port"),
        1,
        "2 findings in 1 file.",
    ),
    "one in another function": (
        lambda p: edit(
            p, "app/use.py", "def g", "def h():\n    get_config().port\ndef g"
        ),
        1,
        "1 finding in 1 file.",
    ),
    "one fewer": (
        lambda p: edit(p, "app/use.py", "get_config().size +", "1 +"),
        1,
        "stale reads: app.use:f size: the baseline has 2, now there is 1",
    ),
    "none left": (
        lambda p: edit(p, "app/use.py", "get_config().port", "1"),
        1,
        "stale reads: app.use:g port: the baseline has 1, now there are 0",
    ),
    "a function that is renamed": (
        lambda p: edit(p, "app/use.py", "def f", "def renamed"),
        0,
        "1 entry of the baseline moved with the code",
    ),
    "a function that goes into a class": (
        lambda p: (
            (p / "app/use.py").write_text(
                USE.replace(
                    "def g():\n    return",
                    "class C:\n    def g(self):\n        # why\n        return",
                )
            )
            and None
        ),
        0,
        "1 entry of the baseline moved",
    ),
    "a module that is renamed": (
        lambda p: (p / "app/use.py").rename(p / "app/used.py") and None,
        0,
        "2 entries of the baseline moved",
    ),
    "a function that is renamed and changed": (
        lambda p: edit(
            p, "app/use.py", "def g():\n    return", "def h():\n    return 1 +"
        ),
        1,
        "stale reads: app.use:g port",
    ),
    "a file that is gone": (
        lambda p: (p / "app/use.py").unlink(),
        1,
        "2 entries of the baseline are better than it says",
    ),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_change(change: str, project: Path) -> None:
    apply, code, words = CHANGES[change]
    apply(project)
    done = nsroute(project, "check")
    assert (done.exit_code, words in done.stdout) == (code, True), done.stdout
    assert nsroute(project, "check", "--update").exit_code == 0
    assert nsroute(project, "check").exit_code == 0


def test_a_narrow_run_leaves_the_rest_alone(project: Path) -> None:
    write(project, {"app/more.py": USE})
    assert nsroute(project, "check", "app/use.py").exit_code == 0
    assert nsroute(project, "check", "app/more.py").exit_code == 1
    assert nsroute(project, "check", "--guard", "frozen").exit_code == 0
    edit(project, "app/use.py", "get_config().port", "1")
    assert nsroute(project, "check", "--update", "app/more.py").exit_code == 0
    text = (project / FILE).read_text()
    assert text.count('"app.more"') == 2 and text.count('"app.use"') == 2
    assert nsroute(project, "check", "app/use.py").exit_code == 1


def test_a_fault_needs_a_reason_and_keeps_it(project: Path) -> None:
    write(project, {"app/more.py": SHADOWED})
    before = (project / FILE).read_text()
    done = nsroute(project, "check", "--update")
    assert done.exit_code == 2
    assert "shadowing: app.more:h get_pool is a fault, and has no reason" in done.stderr
    assert (project / FILE).read_text() == before
    why = 'The machine does not change; "ask" once.'
    assert nsroute(project, "check", "--update", "--reason", why).exit_code == 0
    assert nsroute(project, "check", "--update").exit_code == 0
    baseline = parse_baseline(
        (project / FILE).read_text(), FILE, frozenset(GUARD_NAMES)
    )
    assert [e.reason for e in baseline.entries] == ["", "", why]
    assert nsroute(project, "check").exit_code == 0


LINE = '  { guard = "reads", module = "app.use", function = "g"'

# How the file is spoilt, the words of the error, and its line.
SPOILT: dict[str, tuple[Callable[[str], str], str, int]] = {
    "another schema": (
        lambda t: t.replace("schema = 1", "schema = 9"),
        "has schema 9, this nsroute reads 1",
        5,
    ),
    "no schema": (lambda t: t.replace("schema = 1\n", ""), "has no schema", 0),
    "another pack": (
        lambda t: t.replace('pack = "project"', 'pack = "other"'),
        "was written with the pack 'other'",
        6,
    ),
    "a higher count": (
        lambda t: t.replace("count = 1", "count = 9"),
        "the entry of reads in app.use:g port was edited",
        10,
    ),
    "a count of nothing": (
        lambda t: t.replace("count = 1", "count = 0"),
        "count = 0 cannot be",
        10,
    ),
    "a conflict": (
        lambda t: t.replace(LINE, f"<<<<<<< ours\n{LINE}"),
        "a merge conflict is not resolved",
        10,
    ),
    "both sides": (
        lambda t: t.replace("]\n", f"{t[t.index(LINE) :].splitlines()[0]}\n]\n"),
        "reads in app.use:g port is listed twice",
        11,
    ),
    "not sorted": (
        lambda t: "\n".join([*t.splitlines()[:8], *t.splitlines()[-2:-4:-1], "]", ""]),
        "the entries are not sorted any more",
        10,
    ),
    "cut off": (lambda t: t[:-30], "is not TOML", -1),
    "an unknown key": (
        lambda t: t.replace("count = 1", "lines = 3, count = 1"),
        "unknown key 'lines'",
        10,
    ),
    "an unknown guard": (
        lambda t: t.replace('"reads", module = "app.use", function = "g"', '"raeds"'),
        "an entry has no 'module'",
        10,
    ),
    "no check": (
        lambda t: re.sub(r', check = "\w+"', "", t),
        "an entry has no 'check'",
        9,
    ),
    "a key of another tool": (lambda t: t + "[other]\n", "unknown key 'other'", 12),
    "a list of texts": (
        lambda t: t[: t.index("findings")] + 'findings = ["reads"]\n',
        "an entry is not a table",
        0,
    ),
}


@pytest.mark.parametrize("how", SPOILT)
def test_a_spoilt_baseline_is_an_error_and_never_green(how: str, project: Path) -> None:
    spoil, words, line = SPOILT[how]
    file = project / FILE
    text = file.read_text()
    file.write_text(spoil(text))
    assert file.read_text() != text
    done = nsroute(project, "check")
    assert done.exit_code == 2 and done.stdout == ""
    assert words in done.stderr and "hint: " in done.stderr
    place = f"{FILE}:{line}: " if line > 0 else f"{FILE}"
    assert place in done.stderr
    assert nsroute(project, "check", "--update").exit_code == 0
    assert nsroute(project, "check").exit_code == 0
    assert file.read_text() == text


def test_two_branches_merge_without_a_conflict(project: Path) -> None:
    write(project, {f"app/{n}.py": USE for n in "acxz"})
    nsroute(project, "check", "--update")
    (project / ".gitignore").write_text(".nsroute_cache\n")
    commit(project)
    for branch, name in (("one", "a"), ("two", "z")):
        git(project, "switch", "--quiet", "--create", branch, "main")
        edit(project, f"app/{name}.py", "get_config().port", "1")
        assert nsroute(project, "check", "--update").exit_code == 0
        commit(project, branch)
    git(project, "merge", "--quiet", "--no-edit", "one")
    assert nsroute(project, "check").exit_code == 0


def test_an_entry_that_a_merge_lost_comes_back_as_a_finding(project: Path) -> None:
    file = project / FILE
    lines = file.read_text().splitlines(keepends=True)
    file.write_text("".join(line for line in lines if '"g"' not in line))
    assert nsroute(project, "check").exit_code == 1


def test_nothing_is_written_when_not_all_could_be_checked(project: Path) -> None:
    before = (project / FILE).read_text()
    write(project, {"app/broken.py": "def f(:\n"})
    done = nsroute(project, "check", "--update")
    assert done.exit_code == 3
    assert "is left as it is: not all could be checked" in done.stderr
    assert (project / FILE).read_text() == before
    done = nsroute(project, "check")
    assert done.exit_code == 3
    assert "clean" not in done.stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--baseline", "no.toml"], "no.toml: there is no such baseline"),
        (["--update", "--shard", "1/2"], "leave out --shard"),
        (["--update", "--diff-base", "main"], "leave out --diff-base"),
        (["--reason", "x"], "--reason goes with --update"),
        (["--guard", "raeds"], "no such guard"),
        (["--shard", "3/2"], "--shard 3/2"),
        (["--diff-base", "main"], "git merge-base main failed"),
    ],
)
def test_a_wrong_command_line(arguments: list[str], words: str, project: Path) -> None:
    done = nsroute(project, "check", *arguments)
    assert (done.exit_code, done.stdout) == (2, "")
    assert words in done.stderr
