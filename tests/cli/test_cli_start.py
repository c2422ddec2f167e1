"""What the command loads before it does anything, and what the shell completes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from codemod.cli.completion import complete_reason, complete_step

from . import support
from .support import nsroute

HEAVY = {"libcst", "msgspec", "pathspec", "rich.console", "rich.table", "asyncio"}

# What is run in a fresh interpreter, and what of HEAVY it may load. Listing files
# and facts of files needs pathspec only for globs, msgspec always.
LOADS = [
    (["--help"], set()),
    (["--version"], set()),
    (["scan", "--help"], set()),
    (["init", "--help"], set()),
    (["scan", "--format", "json"], {"msgspec"}),
    (["check", "--format", "json"], {"msgspec"}),
]


@pytest.mark.parametrize(("arguments", "allowed"), LOADS, ids=lambda v: str(v))
def test_only_what_is_needed_is_loaded(
    shop: Path, arguments: list[str], allowed: set[str]
) -> None:
    # Not in git, so that files are walked: without a .gitignore no globs are needed.
    program = (
        "import sys\n"
        "from codemod.cli.main import main\n"
        f"sys.argv = ['nsroute', *{arguments!r}]\n"
        "try:\n    main()\n"
        "except SystemExit:\n    print(*sys.modules, file=sys.stderr)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=shop,
        env=support.environment(),
        capture_output=True,
        text=True,
    )
    loaded = set(done.stderr.split())
    assert "codemod.cli.app" in loaded
    assert loaded & HEAVY <= allowed


def test_every_command_has_help_with_examples_and_exit_codes(shop: Path) -> None:
    help_ = nsroute(shop, "--help").stdout
    listed = help_.partition("Commands:\n")[2].partition("\n\n")[0]
    commands = [line.split()[0] for line in listed.splitlines()]
    assert max(map(len, help_.splitlines())) <= 80
    assert "..." not in listed
    ours = ["demo", "init", "routes", "scan", "explain", "diff"]
    ours += ["apply", "hoist", "check"]
    assert [command for command in commands if command in ours] == ours
    for command in commands:
        text = nsroute(shop, command, "--help").stdout
        assert "Exit code: 0" in text
        assert "Examples:\n    nsroute " in text
        assert max(map(len, text.splitlines())) <= 80


@pytest.fixture
def on_path(tmp_path: Path) -> dict[str, str]:
    """An environment with ``nsroute`` on the PATH, as an installer puts it there."""
    script = tmp_path / "bin" / "nsroute"
    script.parent.mkdir()
    script.write_text(
        f"#!{sys.executable}\nfrom codemod.cli.main import main\n\nmain()\n"
    )
    script.chmod(0o755)
    environment = support.environment()
    return environment | {"PATH": f"{script.parent}:{environment['PATH']}"}


KEEP = """
[[keep]]
reason = "per-worker"
why = "Each worker has its own."
modules = ["app.worker"]
"""

# Words on a command line, the last one to be completed, and what bash offers.
COMPLETIONS = [
    (["nsroute", "ex"], ["explain"]),
    (
        ["nsroute", "scan", "--rules", ""],
        ["demo", "django", "sglang", "app/", "tool/", "nsroute.toml"],
    ),
    (["nsroute", "check", "--rules", "d"], ["demo", "django"]),
    (["nsroute", "scan", "--rules", "./ns"], ["./nsroute.toml"]),
    (["nsroute", "scan", "--format", ""], ["text", "json"]),
    (["nsroute", "scan", "--routes"], ["--routes-from"]),
    (["nsroute", "scan", "a"], ["app/"]),
    (
        ["nsroute", "explain", "app/c"],
        ["app/cache.py", "app/config.py", "app/context.py"],
    ),
    (["nsroute", "diff", "--root", "t"], ["tool/"]),
    (["nsroute", "scan", "--reason", "un"], ["unrouted"]),
    (["nsroute", "scan", "--reason", "per"], ["per-worker"]),
    (["nsroute", "scan", "--reason", "con"], ["convert", "configured"]),
    (["nsroute", "hoist", "--reason", "h"], ["hoist", "heavy"]),
    (["nsroute", "check", "--guard", "re"], ["reads"]),
    (
        ["nsroute", "diff", "--step", ""],
        ["reads", "reads/cache", "reads/net", "cleanup"],
    ),
    (["nsroute", "apply", "--step", "reads/n"], ["reads/net"]),
]


@pytest.mark.parametrize(("words", "offered"), COMPLETIONS)
def test_bash_completes(
    shop: Path, on_path: dict[str, str], words: list[str], offered: list[str]
) -> None:
    support.write(shop, {"nsroute.toml": support.PACK + KEEP})
    source = subprocess.run(
        ["nsroute"],
        env={**on_path, "_NSROUTE_COMPLETE": "source_bash"},
        capture_output=True,
        text=True,
    ).stdout
    assert "complete " in source
    quoted = " ".join(f"'{word}'" for word in words)
    script = (
        f"{source}\n"
        f"COMP_WORDS=({quoted}) COMP_CWORD={len(words) - 1}\n"
        f"_nsroute_completion nsroute '{words[-1]}' '{words[-2]}'\n"
        'printf "%s\\n" "${COMPREPLY[@]}"\n'
    )
    done = subprocess.run(
        ["bash", "--norc", "-c", script],
        cwd=shop,
        env=on_path,
        capture_output=True,
        text=True,
    )
    assert sorted(done.stdout.split()) == sorted(offered), done.stderr


def test_without_a_pack_only_the_words_of_a_pack_are_not_offered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert complete_step("") == []
    assert complete_reason("conv") == ["convert"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_is_there_for_each_shell(
    tmp_path: Path, on_path: dict[str, str], shell: str
) -> None:
    source = subprocess.run(
        ["nsroute"],
        env={**on_path, "_NSROUTE_COMPLETE": f"source_{shell}"},
        capture_output=True,
        text=True,
    )
    assert f"complete_{shell}" in source.stdout
