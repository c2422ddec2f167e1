"""Patches of probes that no override takes the place of: each is listed."""

from __future__ import annotations

from pathlib import Path

import pytest
from transforms_support import Done, run

from codemod.packs import Step
from codemod.transforms import probes

(EXAMPLE,) = probes.EXAMPLES
MACHINE = {
    path: text for path, text in EXAMPLE.before.items() if path.startswith("app/")
} | {
    "app/hub.py": "from app.machine import is_fast as quick\n",
}

USE = "from app.machine import is_fast\n\n\ndef f():\n    return is_fast()\n"
START = (
    "from unittest import mock\nfrom unittest.mock import patch\n\n"
    "from app import use\n\n\n"
)

LISTED = {
    "side effect": (
        'def test():\n    with patch("app.use.is_fast", side_effect=[True]):\n'
        "        assert use.f()\n",
        "not static",
    ),
    "a value that is computed": (
        'def test(n):\n    with patch("app.use.is_fast", return_value=n):\n'
        "        assert use.f()\n",
        "not static",
    ),
    "the mock is used in a with": (
        'def test():\n    with patch("app.use.is_fast", return_value=True) as m:\n'
        "        assert use.f() and m.called\n",
        "bound to a name",
    ),
    "the mock is used by a decorated test": (
        '@patch("app.use.is_fast", return_value=True)\ndef test(m):\n'
        "    assert use.f() and m.called\n",
        "m, is used",
    ),
    "a class": (
        '@patch("app.use.is_fast", return_value=True)\nclass Test:\n'
        "    def test(self, m): ...\n",
        "decorates a class",
    ),
    "a coroutine": (
        '@patch("app.use.is_fast", return_value=True)\nasync def test(m): ...\n',
        "decorates a coroutine",
    ),
    "started later": (
        "def setup():\n    p = patch('app.use.is_fast', return_value=True)\n"
        "    p.start()\n",
        "not started where",
    ),
    "a fixture": (
        "def fast(monkeypatch):\n"
        "    monkeypatch.setattr(use, 'is_fast', lambda: True)\n    yield\n",
        "another function",
    ),
    "the last statement": (
        "def test(monkeypatch):\n"
        "    monkeypatch.setattr(use, 'is_fast', lambda: True)\n",
        "nothing runs under it",
    ),
    "mocker": (
        "def test(mocker):\n    mocker.patch('app.use.is_fast', return_value=True)\n"
        "    assert use.f()\n",
        "until the fixture ends",
    ),
    "a name that nothing reads": (
        'def test():\n    with patch("app.hub.quick", return_value=True): ...\n',
        "which nothing reads when it is patched",
    ),
    "set in a module": (
        "def test():\n    use.is_fast = lambda: True\n    assert use.f()\n",
        "no override has",
    ),
    "set by setattr": (
        "def test():\n    setattr(use, 'is_fast', lambda: True)\n    assert use.f()\n",
        "no override has",
    ),
    "several at once": (
        "from unittest import mock\n\n\ndef test():\n"
        "    with mock.patch.multiple('app.use', is_fast=lambda: True):\n"
        "        assert use.f()\n",
        "no override has",
    ),
    "a module's dictionary": (
        "def test(monkeypatch):\n"
        "    monkeypatch.setitem(vars(use), 'is_fast', lambda: True)\n"
        "    assert use.f()\n",
        "no override has",
    ),
    "an item of it": (
        "def test():\n    use.__dict__['is_fast'] = lambda: True\n    assert use.f()\n",
        "no override has",
    ),
    "filled in": (
        "def test():\n    with patch.dict(use.__dict__, is_fast=lambda: True):\n"
        "        assert use.f()\n",
        "no override has",
    ),
    "a path that is spelled elsewhere": (
        "PATH = 'app.use.is_fast'\n\n\ndef test():\n"
        "    with patch(PATH, return_value=True):\n        assert use.f()\n",
        "spells app.use.is_fast",
    ),
    "a name that is computed": (
        "NAMES = ['is_fast']\n\n\ndef test(monkeypatch):\n    for name in NAMES:\n"
        "        monkeypatch.setattr(use, name, lambda: True)\n    assert use.f()\n",
        "its name is computed",
    ),
    "undone": (
        "def test(monkeypatch):\n"
        "    monkeypatch.setattr(use, 'is_fast', lambda: True)\n"
        "    monkeypatch.undo()\n    assert not use.f()\n",
        "may undo it",
    ),
    "handed to who may undo it": (
        "def test(monkeypatch):\n"
        "    monkeypatch.setattr(use, 'is_fast', lambda: True)\n"
        "    other(monkeypatch)\n    assert not use.f()\n",
        "may undo it",
    ),
    "a name that nobody can tell": (
        "def test(m):\n    with patch(f'{m}.is_fast', return_value=True): ...\n",
        "nobody can tell",
    ),
}


@pytest.mark.parametrize(("code", "why"), LISTED.values(), ids=LISTED)
def test_lists_what_holds_nothing_any_more(code: str, why: str, tmp_path: Path) -> None:
    done = _run(tmp_path, USE, START + code)
    assert [site.reason for site in done.plan.findings] == ["patch"]
    assert why in done.plan.findings[0].why
    assert "tests/test_use.py" not in done.after


def _run(tmp_path: Path, use: str, test: str) -> Done:
    files = {**MACHINE, "app/use.py": use, "tests/test_use.py": test}
    return run(tmp_path / "project", files, EXAMPLE.pack, Step("p", ("probes",)))
