"""The examples of every guard: what is found is what they mark, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from codemod.guards import GUARDS
from codemod.guards.samples import FILES, Sample
from codemod.packs import GUARD_NAMES
from tests.guards.support import found, write

MARK = "# <-"

CASES = [
    pytest.param(code, sample, id=f"{code}-{kind}-{number}")
    for code, guard in GUARDS.items()
    for kind in ("VALID", "INVALID")
    for number, sample in enumerate(getattr(guard, kind))
]


@pytest.mark.parametrize(("code", "sample"), CASES)
def test_it_finds_what_is_marked(code: str, sample: Sample, tmp_path: Path) -> None:
    files = sample.project()
    write(tmp_path, files)
    findings = found(tmp_path, code)
    marked = sorted(
        (path, number)
        for path, text in files.items()
        for number, line in enumerate(text.splitlines(), 1)
        if line.endswith(MARK)
    )
    places = sorted({(f.file, f.line) for f in findings})
    unmarked = [place for place in places if place not in marked]
    assert [place for place in places if place in marked] == marked
    assert len(unmarked) == sample.elsewhere, findings
    assert {f.guard for f in findings} <= {code}


def test_every_valid_example_has_none_and_every_invalid_one_some() -> None:
    for guard in GUARDS.values():
        assert guard.VALID and guard.INVALID
        for sample in guard.VALID:
            assert not sample.elsewhere
            assert MARK not in "".join(sample.project().values())
        for sample in guard.INVALID:
            texts = "".join(sample.project().values())
            assert sample.elsewhere or MARK in texts


def test_a_pack_can_name_every_guard() -> None:
    assert tuple(GUARDS) == GUARD_NAMES
    for code, guard in GUARDS.items():
        assert code == guard.CODE
        assert guard.SUMMARY.endswith(".") and guard.__doc__


def test_a_probe_in_a_default_or_decorator_is_seen_and_one_in_a_body_is_not(
    tmp_path: Path,
) -> None:
    text = """\
from app.machine import is_fast


def one_line(fast=is_fast()): return is_fast()  # <-


class C:
    def method(
        self,
        fast=is_fast(),  # <-
    ):
        def inner(slow=is_fast()):
            return slow

        return inner, is_fast()

    @keep(is_fast())  # <-
    def other(self):
        return is_fast()
"""
    write(tmp_path, {**FILES, "app/use.py": text})
    lines = text.splitlines()
    marked = [n for n, line in enumerate(lines, 1) if line.endswith(MARK)]
    assert [f.line for f in found(tmp_path, "frozen")] == marked


def test_a_writer_is_seen_where_only_the_getter_is_named(tmp_path: Path) -> None:
    pack = FILES["nsroute.toml"].replace('attributes = ["config"]\n', "")
    pack = pack.replace("get_config", "fetch").replace("get_old_fetch", "old")
    context = FILES["app/context.py"].replace("get_config", "fetch")
    text = (
        "import app.context as c\n\n\ndef f():\n    c.fetch().override('f', size=1)\n"
    )
    files = {"nsroute.toml": pack, "app/context.py": context, "app/use.py": text}
    write(tmp_path, {**FILES, **files})
    assert [f.line for f in found(tmp_path, "writers")] == [5]
