"""A series applied twice is a series applied once."""

from __future__ import annotations

from pathlib import Path

import pytest

from codemod.api import Options
from codemod.packs import load_pack
from codemod.series.commit import Commit, Skipped
from codemod.series.run import run_series
from codemod.series.steps import series_of
from tests.series.support import FILES, PACK, write

#: Each module passes the getter on to the next; only the last one reads.
CHAIN: dict[str, str | bytes] = {
    **FILES,
    "app/facade.py": "from app.context import get_config as fetch\n",
    "app/middle.py": "from app.facade import fetch\n\nNAME = 'middle'\n",
    "app/user.py": "from app.middle import NAME, fetch\n\n\n"
    "def f():\n    return NAME, fetch().size\n",
}

APART = """
[[step]]
name = "reads"
[[step]]
name = "cleanup"
transform = "cleanup"
"""


def run(root: Path) -> list[Commit | Skipped]:
    """Run the pack's series and write what it makes of the files."""
    pack = load_pack(None, root)
    found = list(run_series(root, pack, Options(cache=False), series_of(pack)))
    for item in found:
        if isinstance(item, Commit):
            for change in item.changes:
                assert change.after is not None
                (root / change.path).write_bytes(change.after)
    return found


@pytest.mark.parametrize(
    "steps",
    [
        "",
        '[[step]]\nname = "all"\ntransform = ["reads", "cleanup"]\n',
        f"{APART}split = {{ files = 1 }}\n",
        f'{APART}split = "module"\n',
    ],
    ids=["default", "in one commit", "by files", "by module"],
)
def test_imports_that_lose_their_importers_go_with_them(
    tmp_path: Path, steps: str
) -> None:
    pack = PACK + f"\n[cleanup]\n\n{steps}"
    root = write(tmp_path, {**CHAIN, "nsroute.toml": pack})
    found = run(root)
    assert (root / "app/facade.py").read_text() == ""
    assert (root / "app/middle.py").read_text() == "NAME = 'middle'\n"
    user = (root / "app/user.py").read_text()
    assert user.startswith("from app.context import get_cache\nfrom app.middle import")
    assert "return NAME, get_cache().size" in user
    for item in found:
        if isinstance(item, Commit):
            assert all(change.before != change.after for change in item.changes)
            paths = [change.path for change in item.changes]
            assert paths == sorted(set(paths))
    assert not [item for item in run(root) if isinstance(item, Commit)]
