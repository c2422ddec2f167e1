"""What a script sees of a command: its exit code, and what goes to which stream."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from codemod.cli.command import guarded

from . import support
from .support import nsroute

BROKEN = {"app/broken.py": "def half(:\n    pass\n"}
CLEAN = {
    "app/cache.py": "",
    "app/server.py": "",
    "tool/main.py": "",
    "app/config.py": support.FILES["app/config.py"].replace(
        "    debug: bool = False\n", ""
    ),
}

# What a command is asked, and its exit code, for the project as it is, for one with a
# broken file besides, and for one with nothing left to convert and all fields routed.
CODES = [
    (["--help"], 0, 0, 0),
    (["--version"], 0, 0, 0),
    (["scan"], 0, 3, 0),
    (["scan", "--format", "json"], 0, 3, 0),
    (["routes"], 1, 1, 0),
    (["explain", "app/cache.py:1"], 0, 0, 0),
    (["diff"], 1, 3, 0),
    (["diff", "--format", "json"], 1, 3, 0),
    (["check"], 1, 3, 0),
    (["check", "--format", "json"], 1, 3, 0),
    (["scan", "--rules", "nothing"], 2, 2, 2),
    (["diff", "app/nothing.py"], 2, 2, 2),
    (["check", "--include", "nothing.py"], 2, 2, 2),
]


@pytest.mark.parametrize(
    ("arguments", "plain", "broken", "clean"), CODES, ids=lambda v: str(v)
)
def test_exit_codes(
    tmp_path: Path, arguments: list[str], plain: int, broken: int, clean: int
) -> None:
    found = []
    for name, extra in (("plain", {}), ("broken", BROKEN), ("clean", CLEAN)):
        folder = support.write(tmp_path / name, {**support.FILES, **extra})
        found.append(nsroute(folder, *arguments).returncode)
    assert found == [plain, broken, clean]


def test_apply_says_0_then_0_and_leaves_nothing_to_do(repository: Path) -> None:
    first = nsroute(repository, "apply")
    assert first.returncode == 0, first.stderr
    assert first.stdout == (
        "     2  app/cache.py\n"
        "     2  app/server.py\n"
        "     1  tool/main.py\n"
        "\n"
        "Converted 5 reads in 3 files.\n"
    )
    changed = support.git(repository, "diff")
    second = nsroute(repository, "apply")
    assert second.returncode == 0
    assert second.stdout == "Nothing to do: no read is left to convert.\n"
    assert support.git(repository, "diff") == changed
    assert nsroute(repository, "check").returncode == 0


def test_apply_refuses_a_dirty_tree_and_changes_nothing(repository: Path) -> None:
    file = repository / "app/cache.py"
    file.write_text(file.read_text() + "# mine\n")
    before = file.read_text()
    done = nsroute(repository, "apply")
    assert done.returncode == 2
    assert done.stdout == ""
    assert (
        f"error: {repository} has uncommitted changes (app/cache.py): " in done.stderr
    )
    assert "hint: --force goes on all the same" in done.stderr
    assert file.read_text() == before
    assert nsroute(repository, "apply", "--force").returncode == 0
    assert "get_cache().size" in file.read_text()
    assert file.read_text().endswith("# mine\n")


@pytest.mark.parametrize("way", [["--branch", "ns"], ["--patches", "out"]])
def test_commits_do_not_import_what_git_does_not_have(
    repository: Path, way: list[str]
) -> None:
    support.git(repository, "rm", "--quiet", "--cached", "app/context.py")
    support.git(repository, "commit", "--quiet", "--message", "without it")
    for force in ([], ["--force"]):
        done = nsroute(repository, "apply", *way, *force)
        assert done.returncode == 2
        assert done.stdout == ""
        assert (
            "error: app/context.py: git does not track it, and the commits would "
            in (done.stderr)
        )
        assert "hint: git add app/context.py and commit it" in done.stderr
    assert support.git(repository, "branch").split() == ["*", "master"]
    assert not (repository / "out").exists()
    # In place the module is there.
    assert nsroute(repository, "apply").returncode == 0


def test_of_many_uncommitted_files_some_are_named(repository: Path) -> None:
    for file in repository.glob("app/*.py"):
        file.write_text(file.read_text() + "# mine\n")
    for arguments in (["apply"], ["hoist", "--apply"]):
        done = nsroute(repository, *arguments)
        assert done.returncode == 2
        named = "(app/__init__.py, app/cache.py, app/config.py and 2 more)"
        assert named in done.stderr


def test_a_fault_of_its_own_is_no_answer(capfd: pytest.CaptureFixture[str]) -> None:
    assert guarded(lambda: 1 // 0) == 70
    said = capfd.readouterr().err
    assert "ZeroDivisionError" in said
    assert "error: this is a fault of nsroute itself" in said
    assert said.endswith("no file is half written\n")


def test_a_module_that_no_local_import_is_of_may_be_a_slip(shop: Path) -> None:
    done = nsroute(shop, "hoist", "--trust", "simulation", "--module", "ap.config")
    assert done.returncode == 0
    assert "warning: --module ap.config: no local import is of it" in done.stderr


def test_apply_does_all_but_the_broken_file(tmp_path: Path) -> None:
    folder = support.commit(support.write(tmp_path, {**support.FILES, **BROKEN}))
    done = nsroute(folder, "apply")
    assert done.returncode == 3
    assert "Converted 5 reads in 3 files." in done.stdout
    assert "\nerror: app/broken.py:1: " in f"\n{done.stderr}"
    assert (folder / "app/broken.py").read_text() == BROKEN["app/broken.py"]


def test_every_unreadable_file_is_named_last_and_on_stderr(tmp_path: Path) -> None:
    bad = {
        "app/broken.py": "def half(:\n    pass\n",
        "app/latin.py": b"# caf\xe9\n",
        "app/zero.py": b"x = 1\n\0\n",
    }
    folder = support.write(tmp_path, {**support.FILES, **bad})
    done = nsroute(folder, "scan", "--format", "json")
    assert done.returncode == 3
    listed = json.loads(done.stdout)
    assert [(e["file"], e["line"]) for e in listed["errors"]] == [
        ("app/broken.py", 1),
        ("app/latin.py", 1),
        ("app/zero.py", 2),
    ]
    assert listed["summary"]["reads"] == 9
    lines = done.stderr.splitlines()
    assert [line.split(": ")[:2] for line in lines[:3]] == [
        ["error", "app/broken.py:1"],
        ["error", "app/latin.py:1"],
        ["error", "app/zero.py:2"],
    ]
    assert lines[3:] == ["3 files could not be read; everything else was done"]
    quiet = nsroute(folder, "scan", "--format", "json", "--quiet")
    assert quiet.stderr.splitlines() == lines[:3]


def test_a_malformed_suppression_is_a_warning(shop: Path) -> None:
    text = (
        "from app.context import get_config\n\n\ndef f():\n"
        "    return get_config().size  # nsroute: keep live\n"
    )
    support.write(shop, {"app/loud.py": text})
    done = nsroute(shop, "scan")
    assert done.returncode == 0
    assert done.stderr.startswith("warning: app/loud.py:5: ")
    assert done.stderr.count("\n") == 1
    assert nsroute(shop, "scan", "--quiet").stderr == ""


# A mistake, and the line on stderr that must name its place.
MISTAKES = [
    (
        {"nsroute.toml": support.PACK.replace("owners", "owner")},
        ["scan"],
        "error: nsroute.toml:8: record.owner: unknown key",
    ),
    (
        {"nsroute.toml": support.PACK.replace(":Config", ":Confg")},
        ["scan"],
        "error: nsroute.toml:5: record.class: app/config.py has no class 'Confg'",
    ),
    (
        {"nsroute.toml": support.PACK.replace("net =", "nett =")},
        ["diff"],
        "error: app/config.py:16: host: is routed to 'net.http', and [accessors] has",
    ),
    ({"nsroute.toml": "[pack\n"}, ["check"], "error: nsroute.toml:1:"),
    ({}, ["scan", "--rules", "nothing"], "error: nothing: --rules: neither"),
    ({}, ["scan", "nothing.py"], "error: nothing.py: there is no such path in ."),
    ({}, ["scan", "nothing.*"], "error: nothing.*: no Python file of . fits"),
    ({}, ["scan", "--root", "none"], "error: "),
    ({}, ["scan", "--include", "a[", "--exclude", "!"], "error: --exclude '!': bad"),
    ({}, ["explain", "app/cache.py"], "error: app/cache.py: names no line"),
    ({}, ["explain", "app/cache.py:0"], "error: app/cache.py:0: names no line"),
    ({}, ["explain", "app/none.py:1"], "error: app/none.py: there is no such file"),
    ({}, ["explain", "nsroute.toml:1"], "error: nsroute.toml: is not one of"),
    ({}, ["scan", "--reason", "nothing"], "error: --reason nothing: no read has it"),
]


@pytest.mark.parametrize(("files", "arguments", "line"), MISTAKES)
def test_a_mistake_is_named_with_its_place_and_nothing_is_printed(
    tmp_path: Path, files: dict[str, str], arguments: list[str], line: str
) -> None:
    folder = support.write(tmp_path, {**support.FILES, **files})
    done = nsroute(folder, *arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith(line), done.stderr
    assert "Traceback" not in done.stderr


def test_a_wrong_option_is_2_and_says_how_to_get_help(shop: Path) -> None:
    done = nsroute(shop, "scan", "--frmat", "json")
    assert done.returncode == 2
    assert "--frmat" in done.stderr
    assert "nsroute scan --help" in done.stderr


def test_without_a_command_there_is_help(shop: Path) -> None:
    done = nsroute(shop)
    assert "Usage: nsroute" in done.stdout + done.stderr


def test_module_and_package_data_are_found_from_anywhere(tmp_path: Path) -> None:
    done = nsroute(tmp_path, "--version")
    assert done.stdout.startswith("nsroute ")
    assert done.returncode == 0


def slow_git(folder: Path) -> dict[str, str]:
    """A PATH whose git takes for ever, and says that it has begun."""
    script = folder / "bin" / "git"
    script.parent.mkdir()
    script.write_text(f"#!/bin/sh\n: > {folder}/begun\nexec sleep 60\n")
    script.chmod(0o755)
    return {"PATH": f"{script.parent}{os.pathsep}{os.environ['PATH']}"}


def start(folder: Path, *arguments: str, env: dict[str, str] | None = None):
    return subprocess.Popen(
        [sys.executable, "-m", "codemod.cli", *arguments],
        cwd=folder,
        env=support.environment(env),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def wait_for(what, process: subprocess.Popen[str]) -> None:
    while not what() and process.poll() is None:
        time.sleep(0.005)


def test_ctrl_c_is_130_and_one_line(shop: Path, tmp_path: Path) -> None:
    running = start(shop, "scan", env=slow_git(tmp_path))
    wait_for((tmp_path / "begun").exists, running)
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=20)
    assert running.returncode == 130
    assert out == ""
    assert err == "error: interrupted; every file is whole, old or new\n"


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_ended_in_the_middle_every_file_is_old_or_new(
    tmp_path: Path, how: signal.Signals
) -> None:
    many = {
        f"app/m{n:03}.py": support.FILES["app/cache.py"] + "# tail\n" * 2000
        for n in range(120)
    }
    folder = support.write(tmp_path / "shop", {**support.FILES, **many})
    before = (folder / "app/m000.py").read_text()
    after = before.replace("get_config().size", "get_cache().size").replace(
        "import get_config", "import get_cache"
    )
    running = start(folder, "apply", "--force", "--jobs", "1")
    first = folder / "app/m000.py"
    wait_for(lambda: first.read_text() != before, running)
    running.send_signal(how)
    running.communicate(timeout=30)
    texts = [(folder / path).read_text() for path in many]
    assert set(texts) <= {before, after}
    assert texts[0] == after
    if how is signal.SIGINT:
        assert running.returncode in (0, 130)


@pytest.mark.parametrize(
    ("arguments", "code"), [(["diff"], 1), (["scan", "--list"], 0), (["check"], 1)]
)
def test_a_reader_that_goes_away_is_no_error(
    tmp_path: Path, arguments: list[str], code: int
) -> None:
    many = {f"app/m{n:03}.py": support.FILES["app/cache.py"] for n in range(300)}
    folder = support.write(tmp_path, {**support.FILES, **many})
    running = start(folder, *arguments)
    assert running.stdout is not None and running.stderr is not None
    assert running.stdout.readline()
    running.stdout.close()
    err = running.stderr.read()
    assert running.wait(timeout=60) == code
    assert "Traceback" not in err and "BrokenPipe" not in err
