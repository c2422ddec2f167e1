"""Members go to their functions, as their kind says, or stay with a reason."""

from __future__ import annotations

from pathlib import Path

import pytest
from transforms_support import run

from codemod.packs import PackError
from codemod.transforms.samples import PACK, RECORD

HEAD = "from app.config import get_config\n\n\ndef f(n, other):\n"

CHANGED = {
    "property": ("    return get_config().is_large\n", "    return is_large()\n"),
    "property by getattr": (
        "    return getattr(get_config(), 'is_large')\n",
        "    return is_large()\n",
    ),
    "property in an f-string": (
        "    return f'{get_config().is_large}'\n",
        "    return f'{is_large()}'\n",
    ),
    "property that is called": (
        "    return get_config().is_large(1)\n",
        "    return is_large()(1)\n",
    ),
    "method with arguments": (
        "    return get_config().fits(n, *other, room=n, **other)\n",
        "    return fits(n, *other, room=n, **other)\n",
    ),
    "method over lines": (
        "    return (\n        get_config()\n        .fits(\n            n,  # many\n"
        "        )\n    )\n",
        "    return (\n        fits(\n            n,  # many\n        )\n    )\n",
    ),
    "members in arguments of members": (
        "    rec = get_config()\n    return rec.fits(rec.is_large, room=rec.fits(n))\n",
        "    return fits(is_large(), room=fits(n))\n",
    ),
}


@pytest.mark.parametrize(("before", "after"), CHANGED.values(), ids=CHANGED)
def test_changes(before: str, after: str, tmp_path: Path) -> None:
    files = {**RECORD, "app/use.py": HEAD + before}
    done = run(tmp_path / "project", files, PACK, "derived")
    assert not done.failed
    assert done.kept == []
    assert done.after["app/use.py"].partition("def f(n, other):\n")[2] == after
    assert "get_config" not in done.after["app/use.py"]


KEPT = {
    "bound method": ("    return get_config().fits\n", ["bound-method"]),
    "bound method by getattr": (
        "    return getattr(get_config(), 'fits')(n)\n",
        ["bound-method"],
    ),
    "default": ("    return getattr(get_config(), 'is_large', n)\n", ["default"]),
    "walrus": (
        "    return (rec := get_config()).is_large, rec\n",
        ["ambiguous"],
    ),
    "name taken": (
        "    is_large = n\n    is_large_namespace = n\n"
        "    return get_config().is_large\n",
        ["name-taken"],
    ),
    "other records": ("    return other.is_large, other.fits(n)\n", []),
    "no entry in the pack": ("    return get_config().override\n", []),
}


@pytest.mark.parametrize(("before", "reasons"), KEPT.values(), ids=KEPT)
def test_keeps(before: str, reasons: list[str], tmp_path: Path) -> None:
    files = {**RECORD, "app/use.py": HEAD + before}
    done = run(tmp_path / "project", files, PACK, "derived")
    assert done.kept == reasons
    assert done.after == {}


def test_a_taken_name_gets_an_alias(tmp_path: Path) -> None:
    body = "    fits = n\n    return get_config().fits(fits)\n"
    files = {**RECORD, "app/use.py": HEAD + body}
    done = run(tmp_path / "project", files, PACK, "derived")
    assert "return fits_namespace(fits)" in done.after["app/use.py"]
    assert "import fits as fits_namespace" in done.after["app/use.py"]


WRONG = {
    "a method called a property": (
        'fits", kind = "method"',
        'fits", kind = "property"',
    ),
    "a property called a method": (
        'is_large", kind = "property"',
        'is_large", kind = "method"',
    ),
    "a field": ("is_large = {", "size = {"),
}


@pytest.mark.parametrize(("right", "wrong"), WRONG.values(), ids=WRONG)
def test_the_class_has_the_last_word(right: str, wrong: str, tmp_path: Path) -> None:
    pack = PACK.replace(right, wrong)
    assert pack != PACK
    with pytest.raises(
        PackError, match=r"project\.toml:\d+: derived\.\w+.*of the record"
    ):
        run(tmp_path / "project", RECORD, pack, "derived")
