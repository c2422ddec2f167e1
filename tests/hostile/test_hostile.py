"""What a stranger's pack or tree tries, and what comes of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.test_cli_screen import on_terminal
from tests.hostile import strangers
from tests.hostile.shapes import FEW, SHAPES
from tests.hostile.trying import try_shape
from tests.series import support
from tests.series.support import nsroute

# -- what is shown ---------------------------------------------------------------------

SHOWING = (
    ("scan", "--list"),
    ("explain", "app/escapes.py:5"),
    ("explain", "app/kept.py:5"),
    ("check",),
    ("check", "--format", "github"),
    ("routes",),
    ("hoist", "--trust", "simulation", "--list"),
    ("hoist", "--trust", "simulation"),
    ("apply", "--jobs", "1"),
    ("explain", "app/nothing\x1b]0;owned\x07.py:5"),
    ("scan", "--rules", "no\x1b]0;owned\x07such.toml"),
    ("scan", "--reason", "no\x1b]0;owned\x07such"),
)


@pytest.fixture(scope="module")
def escapes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return strangers.with_escapes(tmp_path_factory.mktemp("hostile") / "escapes")


@pytest.mark.parametrize("arguments", SHOWING, ids=lambda a: " ".join(a[:2])[:30])
def test_escapes_are_not_shown(escapes: Path, arguments: tuple[str, ...]) -> None:
    done = nsroute(escapes, *arguments)
    assert "Traceback" not in done.stderr
    if arguments[0] != "hoist" or "--list" in arguments:
        # A diff in a pipe is exact by contract, for git apply.
        assert strangers.raw_characters(done.stdout) == []
    assert strangers.raw_characters(done.stderr) == []
    shown, _ = on_terminal(escapes, 100, *arguments, messages=True)
    assert strangers.raw_characters(shown, terminal=True) == []


@pytest.mark.parametrize(
    "arguments", [("diff",), ("diff", "--color", "always")], ids=["plain", "colour"]
)
def test_escapes_in_a_diff(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    escapes = strangers.with_escapes(tmp_path / "escapes")
    shown, _ = on_terminal(escapes, 100, *arguments, messages=True)
    assert strangers.raw_characters(shown, terminal=True) == []
    assert "owned" in shown
    piped = nsroute(escapes, "diff", "--color", "always")
    assert strangers.raw_characters(piped.stdout, terminal=True) == []


def test_output_of_a_command_is_made_safe(tmp_path: Path) -> None:
    verify = r"""
[verify]
command = "test ! -e moved || printf '\\033]0;owned\\007'; printf '\\033[2J'; false"
"""
    files = {**support.FILES, "nsroute.toml": support.PACK + verify}
    root = support.commit(support.write(tmp_path / "shop", files))
    done = nsroute(root, "apply")
    assert done.returncode == 2
    assert strangers.raw_characters(done.stdout + done.stderr) == []


# -- names -----------------------------------------------------------------------------


def test_names_that_look_like_options(tmp_path: Path) -> None:
    root = strangers.with_options(tmp_path / "shop")
    reads = json.loads(nsroute(root, "scan", "--format", "json").stdout)["reads"]
    assert {read["file"] for read in reads} >= set(strangers.OPTIONS)
    for arguments in (
        ("apply", "--branch", "moved"),
        ("apply", "--patches", "../out"),
        ("apply",),
    ):
        done = nsroute(root, *arguments)
        assert (done.returncode, "Traceback" in done.stderr) == (0, False), done.stderr
    for name in strangers.OPTIONS:
        assert "get_cache().size" in (root / name).read_text()
    assert support.git(root, "diff", "--stat", "moved") == ""
    assert not list(tmp_path.rglob("owned"))


def test_names_that_are_no_utf_8(tmp_path: Path) -> None:
    root = strangers.with_bytes(tmp_path / "shop")
    for arguments in (("scan",), ("check",), ("diff",), ("apply",)):
        done = nsroute(root, *arguments)
        assert done.returncode == 3, done.stderr
        assert "not valid UTF-8" in done.stderr
        assert "Traceback" not in done.stderr
    assert "get_cache().size" in (root / "app/cache.py").read_text()


# -- outside of the root ---------------------------------------------------------------


def test_links_that_lead_out(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    root = strangers.with_links(tmp_path / "shop", outside)
    before = strangers.snapshot(outside)
    for arguments in (
        ("scan",),
        ("check",),
        ("check", "--update"),
        ("hoist", "--trust", "simulation", "--apply", "--force"),
        ("apply", "--force"),
        ("apply", "--branch", "moved", "--force"),
    ):
        done = nsroute(root, *arguments)
        assert "Traceback" not in done.stderr
        assert strangers.snapshot(outside) == before, arguments
    assert "get_cache().size" in (root / "app/cache.py").read_text()


def test_a_cache_that_writes_through_a_link(tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    root = support.write(tmp_path / "shop", support.FILES)
    (root / ".nsroute_cache").mkdir()
    for name in (".gitignore", "facts", "routes", "guards"):
        (root / ".nsroute_cache" / name).symlink_to(victim)
    for command in ("scan", "check"):
        assert nsroute(root, command).returncode in (0, 1)
        assert not victim.exists()


OUTSIDE = (
    ("scan", "--include", "../**"),
    ("scan", "--exclude", "../**"),
    ("scan", "../victim.py"),
    ("scan", "../*.py"),
    ("explain", "../victim.py:1"),
    ("apply", "--include", "../*.py", "--force"),
    ("apply", "../victim.py", "--force"),
    ("apply", "../**", "--force"),
    ("check", "--update", "--include", "../**"),
    ("hoist", "--trust", "simulation", "--apply", "--force", "../victim.py"),
    ("scan", "--routes-from", "../victim.py:Config"),
)


@pytest.mark.parametrize("arguments", OUTSIDE, ids=lambda a: " ".join(a)[:40])
def test_patterns_that_lead_out(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    victim = support.CACHE + "\n\nopen('owned', 'w')\n"
    support.write(tmp_path, {"victim.py": victim})
    root = support.commit(support.write(tmp_path / "shop", support.FILES))
    done = nsroute(root, *arguments)
    assert done.returncode in (0, 1, 2)
    assert "Traceback" not in done.stderr
    assert (tmp_path / "victim.py").read_text() == victim
    assert [path.name for path in tmp_path.rglob("owned")] == []


PACKS = {
    "routes from outside": '[routes]\nfrom = "../victim.py:Config"\n',
    "extends what is no pack": 'extends = "../victim.py"\n',
    "a baseline outside": '[guards]\nbaseline = "../baseline.toml"\n',
    "a module with dots": '[[keep]]\nreason = "a"\nwhy = "b"\nmodules = ["..x"]\n',
}


@pytest.mark.parametrize("text", PACKS.values(), ids=PACKS.keys())
@pytest.mark.parametrize("place", ["nsroute.toml", "pyproject.toml"])
def test_packs_that_lead_out(tmp_path: Path, text: str, place: str) -> None:
    victim = "class Config:\n    size = open('owned', 'w')\n"
    support.write(tmp_path, {"victim.py": victim})
    pack = text + support.PACK if text.startswith("extends") else support.PACK + text
    if place == "pyproject.toml":
        pack = _nested(pack)
    files = {k: v for k, v in support.FILES.items() if k != "nsroute.toml"}
    root = support.commit(support.write(tmp_path / "shop", {**files, place: pack}))
    before = set(tmp_path.iterdir())
    for command in (("scan",), ("check", "--update"), ("apply", "--force")):
        done = nsroute(root, *command)
        assert done.returncode in (0, 1, 2)
        assert "Traceback" not in done.stderr
    assert set(tmp_path.iterdir()) == before
    assert (tmp_path / "victim.py").read_text() == victim
    assert not (root / "owned").exists()


def _nested(pack: str) -> str:
    """A pack as a table of pyproject.toml."""
    lines = []
    head, *rest = pack.split("[", 1)
    lines.append(f"[tool.nsroute]\n{head}")
    for line in ("[" + "".join(rest)).split("\n"):
        if line.startswith("[["):
            line = f"[[tool.nsroute.{line[2:]}"
        elif line.startswith("["):
            line = f"[tool.nsroute.{line[1:]}"
        lines.append(line)
    return "\n".join(lines)


# -- commands --------------------------------------------------------------------------

_COMMANDS = """
[verify]
command = "touch $OWNED/verify"

[[step]]
name = "reads"
transform = "reads"

[[step]]
name = "tidy"
command = "touch $OWNED/external"
"""


def test_commands_come_from_the_named_pack_and_are_said(tmp_path: Path) -> None:
    owned = tmp_path / "owned"
    owned.mkdir()
    ours = tmp_path / "ours.toml"
    ours.write_text(support.PACK)
    files = {**support.FILES, "nsroute.toml": support.PACK + _COMMANDS}
    root = support.commit(support.write(tmp_path / "shop", files))
    env = {"OWNED": str(owned)}
    # The pack in the tree is not the one that was named: nothing of it runs.
    for command in (("scan",), ("diff",), ("apply", "--branch", "ours")):
        done = nsroute(root, *command, "--rules", str(ours), env=env)
        assert done.returncode in (0, 1), done.stderr
    # These ask for no series.
    for command in (("scan",), ("check",), ("routes",), ("explain", "app/cache.py:5")):
        nsroute(root, *command, env=env)
    assert list(owned.iterdir()) == []

    done = nsroute(root, "apply", "--branch", "moved", env=env)
    assert done.returncode == 0, done.stderr
    assert {path.name for path in owned.iterdir()} == {"verify", "external"}
    said = done.stderr.index("touch $OWNED/external")
    assert said < done.stderr.index("verify: touch $OWNED/verify")


# -- shapes ----------------------------------------------------------------------------


@pytest.mark.parametrize("name", FEW)
def test_a_shape_that_nobody_writes(name: str, tmp_path: Path) -> None:
    assert try_shape(SHAPES[name](), tmp_path) == []
