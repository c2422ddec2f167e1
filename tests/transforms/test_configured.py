"""Registered sites get the configured value, and registry and code agree."""

from __future__ import annotations

from pathlib import Path

import pytest
from transforms_support import run

from codemod.packs import PackError
from codemod.transforms.samples import PACK, RECORD

CALL = """
[configured.size]
call = "app.config:configured_size"
"""


def site(module: str, function: str) -> str:
    return (
        f'[[configured.size.sites]]\nmodule = "{module}"\nfunction = "{function}"\n'
        'why = "It shows what was asked for."\n'
    )


USE = (
    "from app.config import get_config\n\n\n"
    "class Report:\n"
    "    def rows(self):\n"
    "        rec = get_config()\n"
    "        return [rec.size + getattr(rec, 'size') for _ in range(rec.depth)]\n\n"
    "    def live(self):\n"
    "        return get_config().size\n"
)


def test_only_the_registered_function_changes(tmp_path: Path) -> None:
    pack = PACK + CALL + site("app.use", "Report.rows")
    done = run(tmp_path / "project", {**RECORD, "app/use.py": USE}, pack, "configured")
    text = done.after["app/use.py"]
    assert "[configured_size() + configured_size() for _ in range(rec.depth)]" in text
    assert "return get_config().size" in text
    assert (done.kept, done.findings) == (["configured"], [])


MISSING = {
    "no such module": site("app.gone", "rows"),
    "no such function": site("app.use", "Report.columns"),
    "a function that reads something else": site("app.other", "f"),
    "one of two": site("app.use", "Report.rows") + site("app.use", "rows"),
}


@pytest.mark.parametrize("sites", MISSING.values(), ids=MISSING)
def test_a_site_that_is_not_in_the_code_is_refused(sites: str, tmp_path: Path) -> None:
    other = "from app.config import get_config\n\n\ndef f():\n"
    other += "    return get_config().depth\n"
    files = {**RECORD, "app/use.py": USE, "app/other.py": other}
    with pytest.raises(
        PackError, match=r"configured\.size\.sites\[\d\].*neither reads"
    ):
        run(tmp_path / "project", files, PACK + CALL + sites, "configured")


def test_a_site_that_is_done_counts(tmp_path: Path) -> None:
    pack = PACK + CALL + site("app.use", "Report.rows")
    files = {**RECORD, "app/use.py": USE}
    done = run(tmp_path / "project", files, pack, "configured")
    again = run(tmp_path / "again", {**files, **done.after}, pack, "configured")
    assert again.after == {}


def test_a_call_that_is_not_registered_is_a_finding(tmp_path: Path) -> None:
    use = (
        "import app.config as c\nfrom app.config import configured_size as size\n\n\n"
        "def f():\n    return size()\n\n\ndef g():\n    return c.configured_size()\n"
    )
    pack = PACK + CALL + site("app.use", "f")
    done = run(tmp_path / "project", {**RECORD, "app/use.py": use}, pack, "configured")
    found = [(s.line, s.function, s.reason) for s in done.plan.findings]
    assert found == [(10, "g", "unregistered")]


def test_a_registered_read_that_has_to_stay_is_a_finding(tmp_path: Path) -> None:
    use = "def f(config):\n    return config.size\n"
    pack = PACK + CALL + site("app.use", "f")
    done = run(tmp_path / "project", {**RECORD, "app/use.py": use}, pack, "configured")
    assert done.findings == ["parameter"]
    assert done.after == {}
