"""Somebody's own codemod as a step: its result is a commit, what it left is named."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from tests.series import support
from tests.series.support import FILES, PACK, commit, git, nsroute, titles, write

CODEMOD = """\
import libcst as cst
from libcst.codemod import CodemodCommand


class Rename(CodemodCommand):
    DESCRIPTION = "Renames one name."

    @staticmethod
    def add_args(parser):
        parser.add_argument("--old", default="used")
        parser.add_argument("--new", required=True)

    def __init__(self, context, old, new):
        super().__init__(context)
        self.old, self.new = old, new

    def transform_module_impl(self, tree):
        if "explode" in tree.code:
            raise ValueError("bang")
        old, new = self.old, self.new

        class Names(cst.CSTTransformer):
            def leave_Name(self, original_node, updated_node):
                if updated_node.value == old:
                    return updated_node.with_changes(value=new)
                return updated_node

        return tree.visit(Names())
"""

BOWLER = """\
import sys
from bowler import Query


def main():
    Query(".").select_function("room").rename(sys.argv[1]).idiff()
"""

NEW_SYNTAX = {
    "app/matching.py": "def room(x):\n    match x:\n        case 1:\n"
    "            return 1\n",
    "app/star.py": "try:\n    room = 1\nexcept* ValueError:\n    pass\n",
    "app/with_.py": 'with (open("a") as room, open("b") as b):\n    pass\n',
}


def project(
    folder: Path, step: str, files: dict[str, str | bytes] | None = None
) -> Path:
    pack = f'{PACK}\n[[step]]\nname = "mine"\n{step}\n[[step]]\nname = "reads"\n'
    return commit(
        write(
            folder,
            {**FILES, ".gitignore": "*.log\n", "nsroute.toml": pack, **(files or {})},
        )
    )


def test_a_libcst_command_is_a_commit(tmp_path: Path) -> None:
    step = 'codemod = "tools.rename.Rename"\narguments = ["--new", "taken"]'
    odd = "from app.context import get_config\r\nexplode = get_config().size\r\n"
    folder = project(
        tmp_path / "shop",
        step,
        {
            "tools/__init__.py": "",
            "tools/rename.py": CODEMOD.replace('"explode"', '"exp" + "lode"'),
            "app/bad.py": "def explode(used): pass\n",
            "app/crlf.py": "def f(used):\r\n    return used\r\n",
            "odd.py": odd,
        },
    )
    before = support.state(folder)
    done = nsroute(folder, "apply", "--branch", "ns")
    assert done.returncode == 1
    assert "step mine runs codemod: tools.rename.Rename" in done.stderr
    assert "app/bad.py:1: Rename failed on it: ValueError: bang" in done.stderr
    assert titles(folder, "ns") == ["Run mine", "Read the record through its namespace"]
    assert git(folder, "show", "ns~1:app/crlf.py") == (
        "def f(taken):\r\n    return taken\r\n"
    )
    assert "get_cache().size - taken" in git(folder, "show", "ns:app/cache.py")
    git(folder, "branch", "-D", "ns")
    assert support.state(folder) == before


def test_a_bowler_query_is_a_commit_and_what_it_cannot_parse_is_named(
    tmp_path: Path,
) -> None:
    files: dict[str, str | bytes] = {
        **NEW_SYNTAX,
        "scripts/query.py": BOWLER,
        "app/crlf.py": "def room(a):\r\n    return a",
        "app/latin.py": "# coding: latin-1\ndef room(a):\n    return 'é'\n".encode(
            "latin-1"
        ),
    }
    step = 'bowler = "scripts/query.py"\narguments = ["space"]'
    folder = project(tmp_path / "shop", step, files)
    done = nsroute(folder, "apply", "--branch", "ns")
    # Python 3.10 cannot parse `except*` itself, which is said too.
    assert done.returncode == (1 if sys.version_info >= (3, 11) else 3)
    for path in NEW_SYNTAX:
        assert f"{path}:1: Bowler cannot parse it: left as it was" in done.stderr
        assert git(folder, "diff", "main", "ns", "--", path) == ""
    assert git(folder, "show", "ns:app/crlf.py") == "def space(a):\r\n    return a"
    latin = git(folder, "show", "ns:app/latin.py")
    assert latin == "# coding: latin-1\ndef space(a):\n    return '\udce9'\n"
    assert "def space(used):\n    return get_cache().size - used" in git(
        folder, "show", "ns:app/cache.py"
    )


def test_a_command_may_add_and_remove_files(tmp_path: Path) -> None:
    command = (
        "mkdir lib && mv tool.py lib/main.py && touch x.log && printf '#!/bin/sh\\\\n'"
        " > run && chmod +x run && touch lib/__init__.py"
    )
    folder = project(tmp_path / "shop", f'command = "{command}"')
    shown = nsroute(folder, "diff")
    assert "deleted file mode 100644\n--- a/tool.py\n+++ /dev/null" in shown.stdout
    assert "new file mode 100755\n--- /dev/null\n+++ b/run\n" in shown.stdout
    before = support.state(folder)
    assert nsroute(folder, "apply", "--branch", "ns").returncode == 0
    listed = git(folder, "ls-tree", "-r", "ns")
    assert "100755 blob" in next(s for s in listed.splitlines() if s.endswith("\trun"))
    assert "tool.py" not in listed and "x.log" not in listed
    assert "lib/__init__.py" in listed
    assert "get_net().http.port" in git(folder, "show", "ns:lib/main.py")
    assert support.state(folder)[1:] == before[1:]
    done = nsroute(folder, "apply")
    assert done.returncode == 0, done.stderr
    git(folder, "add", "--all")
    assert git(folder, "diff", "--cached", "--stat", "ns") == ""
    assert os.access(folder / "run", os.X_OK)
    check = tmp_path / "diff.patch"
    check.write_text(shown.stdout)
    git(folder, "apply", "--check", "--reverse", str(check))


@pytest.mark.parametrize(
    ("step", "message"),
    [
        ('command = "echo so sad; exit 4"', "ended with exit code 4: so sad"),
        ('command = "no-such-tool"', "no-such-tool could not be started"),
        (
            'command = "sleep 100"\ntimeout = 0.2',
            "did not end within 0 s and was stopped",
        ),
        ('codemod = "no.such.Thing"', "No module named 'no'"),
        ('bowler = "no.py"', "No such file or directory"),
    ],
)
def test_a_tool_that_fails_changes_nothing_and_the_rest_goes_on(
    tmp_path: Path, step: str, message: str
) -> None:
    folder = project(tmp_path / "shop", step)
    done = nsroute(folder, "apply", "--branch", "ns")
    assert done.returncode == 1
    assert "step mine: " in done.stderr
    assert message in done.stderr
    assert titles(folder, "ns") == ["Read the record through its namespace"]


def test_a_file_that_the_tool_breaks_is_left(tmp_path: Path) -> None:
    command = "echo 'def' >> tool.py; echo '# fine' >> app/cache.py"
    folder = project(tmp_path / "shop", f'command = "{command}"')
    done = nsroute(folder, "apply", "--branch", "ns")
    assert done.returncode == 1
    assert "tool.py:6: left as it was: does not compile" in done.stderr
    assert git(folder, "diff", "--name-only", "main", "ns~1") == "app/cache.py\n"


def test_bowler_and_type_parameters(tmp_path: Path) -> None:
    """Whatever Python runs this: what one of the two cannot parse is named."""
    generic = "def room[T](x: T) -> T:\n    return x\n\n\ntype Rooms = list[int]\n"
    files: dict[str, str | bytes] = {
        "app/generic.py": generic,
        "scripts/query.py": BOWLER,
    }
    step = 'bowler = "scripts/query.py"\narguments = ["space"]'
    folder = project(tmp_path / "shop", step, files)
    done = nsroute(folder, "apply")
    assert done.returncode in (1, 3)
    assert "app/generic.py:1: Bowler cannot parse it: left as it was" in done.stderr
    assert (folder / "app/generic.py").read_text() == generic
    assert "def space(used)" in (folder / "app/cache.py").read_text()
