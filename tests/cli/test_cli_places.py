"""Which directory is ROOT, and what the other arguments narrow to."""

from __future__ import annotations

from pathlib import Path

import pytest

from codemod.cli.exits import UsageError
from codemod.cli.places import Places, is_configured, resolve_places

from . import support

# Where the command is run, below a folder that holds two projects: `shop`, configured,
# and `bare`, the same without a pack; the arguments; and what they mean.
CASES = [
    ("shop", [], None, None, Places(".", ())),
    ("shop", ["."], None, None, Places(".", ())),
    (".", ["shop"], None, None, Places("shop", ())),
    (".", ["shop/"], None, None, Places("shop/", ())),
    (".", ["bare"], None, "x.toml", Places("bare", ())),
    # A part of the project narrows it: a package, or any folder of a configured one.
    ("shop", ["app"], None, None, Places(".", ("app",))),
    ("shop", ["app/"], None, None, Places(".", ("app",))),
    ("shop", ["scripts"], None, None, Places(".", ("scripts",))),
    ("bare", ["app"], None, "x.toml", Places(".", ("app",))),
    ("bare", ["scripts"], None, "x.toml", Places("scripts", ())),
    ("shop", ["./app/cache.py"], None, None, Places(".", ("app/cache.py",))),
    (
        "shop",
        ["app/cache.py", "tool"],
        None,
        None,
        Places(".", ("app/cache.py", "tool")),
    ),
    # From elsewhere, as a person there writes it or as it stands in ROOT.
    (".", ["shop", "shop/app"], None, None, Places("shop", ("app",))),
    (".", ["shop", "app"], None, None, Places("shop", ("app",))),
    ("bare", ["../shop", "../shop/app"], None, None, Places("../shop", ("app",))),
    ("shop/app", ["..", "cache.py"], None, None, Places("..", ("app/cache.py",))),
    # With --root all of them narrow, also a directory.
    ("shop", ["scripts"], ".", None, Places(".", ("scripts",))),
    (".", ["shop/scripts"], "shop", None, Places("shop", ("scripts",))),
    # Module names and globs.
    ("shop", ["app.cache"], None, None, Places(".", ("app.cache",))),
    ("shop", ["app.*"], None, None, Places(".", ("app.*",))),
    ("shop", ["./app/*.py"], None, None, Places(".", ("app/*.py",))),
]


@pytest.fixture
def projects(tmp_path: Path) -> Path:
    files = {**support.FILES, "scripts/run.py": "", "x.toml": support.PACK}
    support.write(tmp_path / "shop", files)
    del files["nsroute.toml"]
    support.write(tmp_path / "bare", files)
    return tmp_path


@pytest.mark.parametrize(("here", "arguments", "root", "rules", "meant"), CASES)
def test_root_and_narrowing(
    projects: Path,
    monkeypatch: pytest.MonkeyPatch,
    here: str,
    arguments: list[str],
    root: str | None,
    rules: str | None,
    meant: Places,
) -> None:
    monkeypatch.chdir(projects / here)
    assert resolve_places(arguments, root, rules) == meant


@pytest.mark.parametrize(
    "arguments",
    [["none.py"], ["shop", "none/"], ["shop", "bare/app/cache.py"], ["a b"]],
)
def test_a_path_that_is_not_there_is_an_error(
    projects: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str]
) -> None:
    monkeypatch.chdir(projects)
    with pytest.raises(UsageError, match="there is no such path"):
        resolve_places(arguments, None)


def test_a_link_keeps_the_name_it_is_listed_under(
    projects: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (projects / "shop/alias.py").symlink_to(projects / "shop/app/cache.py")
    monkeypatch.chdir(projects / "shop")
    assert resolve_places(["alias.py"], None).only == ("alias.py",)


@pytest.mark.parametrize(
    ("files", "configured"),
    [
        ({}, False),
        ({"nsroute.toml": ""}, True),
        ({"pyproject.toml": "[project]\nname = 'nsroute'\n"}, False),
        ({"pyproject.toml": "[tool.nsroute]\nextends = 'demo'\n"}, True),
        ({"pyproject.toml": "  [ tool . nsroute ]\n"}, True),
        ({"pyproject.toml": "[tool.nsroute.record]\n"}, True),
        ({"pyproject.toml": "[[tool.nsroute.keep]]\n"}, True),
        ({"pyproject.toml": "[tool.nsroutes]\n"}, False),
        ({"pyproject.toml": "# [tool.nsroute]\n"}, False),
    ],
)
def test_what_counts_as_configured(
    tmp_path: Path, files: dict[str, str], configured: bool
) -> None:
    assert is_configured(support.write(tmp_path, files)) is configured


# Arguments of `scan` in the project, and the files whose reads are listed.
NARROWED = [
    ([], ["app/cache.py", "app/server.py", "tool/main.py"]),
    (["app"], ["app/cache.py", "app/server.py"]),
    (["app.server"], ["app/server.py"]),
    (["app.*", "tool.main"], ["app/cache.py", "app/server.py", "tool/main.py"]),
    (["*/main.py"], ["tool/main.py"]),
    (["--exclude", "server.py"], ["app/cache.py", "tool/main.py"]),
    (["--include", "app/", "--exclude", "server.py"], ["app/cache.py"]),
]


@pytest.mark.parametrize(("arguments", "files"), NARROWED)
def test_reads_are_those_of_what_is_asked_for(
    shop: Path, arguments: list[str], files: list[str]
) -> None:
    found = support.result_of(shop, "scan", *arguments)
    assert sorted({read["file"] for read in found["reads"]}) == files
