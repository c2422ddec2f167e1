"""New code must not import from a module that is nowhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.series import support
from tests.series.support import FILES, PACK, commit, nsroute, write


def test_an_accessor_of_a_module_that_is_not_there_is_refused(tmp_path: Path) -> None:
    pack = PACK.replace("app.context:get_net", "app.contexts:get_net")
    folder = commit(write(tmp_path / "shop", {**FILES, "nsroute.toml": pack}))
    before = support.state(folder)
    shown = nsroute(folder, "diff")
    assert shown.returncode == 1
    assert "app/server.py would import get_net from app.contexts" in shown.stderr
    assert "from app.contexts import get_net" in shown.stdout
    for way in ((), ("--branch", "ns"), ("--patches", "../out")):
        done = nsroute(folder, "apply", *way)
        assert done.returncode == 2
        line = pack.splitlines().index('net = "app.contexts:get_net"') + 1
        assert f"nsroute.toml:{line}: accessors.net: " in done.stderr
        assert "neither in the project nor beside the routes" in done.stderr
    assert support.state(folder) == before
    # What does not need it goes on.
    done = nsroute(folder, "apply", "--step", "reads/cache")
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("table", "place"),
    [
        ('[derived]\nis_big = { call = "app.lost:big", kind = "property" }', "derived"),
        ('[writers]\noverride = { call = "app.lost:get_context" }', "writers"),
    ],
)
def test_so_is_every_other_call_of_the_pack(
    tmp_path: Path, table: str, place: str
) -> None:
    config = str(FILES["app/config.py"]) + (
        "\n    @property\n    def is_big(self):\n        return self.size > 5\n"
        "\n    def override(self, source, **fields):\n"
        "        vars(self).update(fields)\n"
    )
    use = (
        "from app.context import get_config\n\n\ndef f():\n"
        "    get_config().override('f', size=1)\n    return get_config().is_big\n"
    )
    files = {"app/config.py": config, "app/use.py": use}
    pack = f"{PACK}\n{table}\n"
    folder = commit(write(tmp_path, {**FILES, **files, "nsroute.toml": pack}))
    done = nsroute(folder, "apply")
    assert done.returncode == 2
    assert f": {place}." in done.stderr
    assert "from app.lost, which is not there" in done.stderr


def test_a_library_may_be_installed(tmp_path: Path) -> None:
    pack = PACK.replace("app.context:get_net", "lib.conf:get_net")
    folder = commit(write(tmp_path / "shop", {**FILES, "nsroute.toml": pack}))
    done = nsroute(folder, "apply")
    assert done.returncode == 0, done.stderr
    assert "get_net from lib.conf, which is not there: is it installed?" in done.stderr


def test_a_step_may_write_the_module_first(tmp_path: Path) -> None:
    steps = """
[[step]]
name = "module"
command = "cp app/context.py app/contexts.py"
[[step]]
name = "reads"
"""
    pack = PACK.replace("app.context:get_net", "app.contexts:get_net") + steps
    folder = commit(write(tmp_path / "shop", {**FILES, "nsroute.toml": pack}))
    done = nsroute(folder, "apply")
    assert done.returncode == 0, done.stderr
    assert "from app.contexts import get_net" in (folder / "tool.py").read_text()
